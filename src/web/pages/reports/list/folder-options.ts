import type { Language } from '#shared/language.ts'
import type { NamedFolder } from './data.ts'
import { folderOrder } from './folder-order.ts'

/** Folders to choose from, by name: "Clients / Acme". */
export function folderOptions(folders: readonly NamedFolder[], language: Language) {
  const names = new Map(folders.map(({ id, name }) => [id, name]))
  const compare = folderOrder(language)
  return folders
    .map(({ id, name, parent }) => ({
      value: String(id),
      label: parent === null ? name : `${names.get(parent) ?? ''} / ${name}`,
    }))
    .toSorted((a, b) => compare(a.label, b.label))
}
