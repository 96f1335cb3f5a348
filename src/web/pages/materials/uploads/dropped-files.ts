/** The files of a drop, those inside of dropped folders too. Called while the event lasts. */
export async function filesOf({ items, files }: DataTransfer): Promise<File[]> {
  // Both lists are empty once the event is over.
  const entries = [...items].map(item => item.webkitGetAsEntry?.() ?? null)
  const dropped = [...files]
  if (!entries.some(entry => entry?.isDirectory)) return dropped
  // What cannot be read, such as a folder that is gone by now, holds up nothing else.
  const found = await Promise.all(entries.map(async entry => (entry ? filesIn(entry).catch(() => []) : [])))
  // What a folder has of the system's own, such as .DS_Store.
  return found.flat().filter(({ name }) => !name.startsWith('.'))
}

async function filesIn(entry: FileSystemEntry): Promise<File[]> {
  if (isFile(entry)) return [await new Promise<File>((resolve, reject) => entry.file(resolve, reject))]
  if (!isFolder(entry)) return []
  const found: File[] = []
  for (const inner of await entriesOf(entry.createReader())) found.push(...(await filesIn(inner)))
  return found
}

/** A browser gives a hundred at a time, and none at the end. */
async function entriesOf(reader: FileSystemDirectoryReader): Promise<FileSystemEntry[]> {
  const all: FileSystemEntry[] = []
  for (;;) {
    const some = await new Promise<FileSystemEntry[]>((resolve, reject) =>
      reader.readEntries(resolve, reject),
    )
    if (some.length === 0) return all
    all.push(...some)
  }
}

const isFile = (entry: FileSystemEntry): entry is FileSystemFileEntry => entry.isFile
const isFolder = (entry: FileSystemEntry): entry is FileSystemDirectoryEntry => entry.isDirectory
