import { imageTypeOf, imageTypes } from '#shared/images.ts'

export interface FileLimits {
  /** MIME types that may be chosen. */
  types: readonly string[]
  most_bytes: number
  most_files: number
}

export type FileRefusal = 'type' | 'size' | 'empty' | 'count'

/**
 * What becomes of files that were dropped, pasted or chosen: those that are taken, and why the others are
 * not.
 */
export async function sortFiles(
  files: readonly File[],
  taken: number,
  limits: FileLimits,
): Promise<{ fitting: File[]; refused: { name: string; why: FileRefusal }[] }> {
  const fitting: File[] = []
  const refused: { name: string; why: FileRefusal }[] = []
  for (const file of files) {
    const why = whyNotFile(file, imageTypeOf(new Uint8Array(await file.slice(0, 12).arrayBuffer())), limits)
    const full = taken + fitting.length >= limits.most_files
    if (why !== null) refused.push({ name: file.name, why })
    else if (full) refused.push({ name: file.name, why: 'count' })
    else fitting.push(file)
  }
  return { fitting, refused }
}

function whyNotFile(file: File, type: string | null, { types, most_bytes }: FileLimits): FileRefusal | null {
  if (file.size === 0) return 'empty'
  if (!types.includes(type ?? typeOf(file)) || (type === null && isImage(file.type))) return 'type'
  return file.size > most_bytes ? 'size' : null
}

/** Where Excel is installed, Windows calls CSV a workbook. */
const typeOf = ({ name, type }: File) => (/\.csv$/i.test(name) ? 'text/csv' : type)

const isImage = (type: string) => imageTypes.some(imageType => imageType === type)
