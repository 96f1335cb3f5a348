import type { Language } from '#shared/language.ts'
import type { NamedFolder } from './data.ts'
import { folderOrder } from './folder-order.ts'

/** Folders to choose from, by name: "Clients / Acme". */
export function folderOptions(folders: readonly NamedFolder[], language: Language) {
  const names = new Map(folders.map(({ id, name }) => [id, name]))
  const compare = folderOrder(language)
  return folders
    .map(folder => ({ value: String(folder.id), label: pathOf(folder, names) }))
    .toSorted((a, b) => compare(a.label, b.label))
}

/** Where a folder is, "Clients / Acme"; null when it is none of these. */
export function folderPath(folders: readonly NamedFolder[], id: number): string | null {
  const folder = folders.find(each => each.id === id)
  const parents = folders.filter(each => each.id === folder?.parent)
  return folder ? pathOf(folder, new Map(parents.map(each => [each.id, each.name]))) : null
}

const pathOf = ({ name, parent }: NamedFolder, names: ReadonlyMap<number, string>) =>
  parent === null ? name : `${names.get(parent) ?? ''} / ${name}`
