import type { NamedFolder } from '#web/pages/reports/list/data.ts'

/** One's folders with their paths, by name. */
export const folderOptions = (folders: readonly NamedFolder[]) =>
  folders
    .map(({ id, name, parent }) => {
      const above = folders.find(folder => folder.id === parent)
      return { value: String(id), label: above ? `${above.name} / ${name}` : name }
    })
    .toSorted((a, b) => a.label.localeCompare(b.label))
