/** What browsers and the product can show as a picture; told by content, since a name says nothing. */
export const imageTypes = ['image/png', 'image/jpeg', 'image/gif', 'image/webp'] as const

export interface FileLimits {
  /** MIME types that may be chosen. */
  types: readonly string[]
  most_bytes: number
  most_files: number
}

export type FileRefusal = 'type' | 'size' | 'empty' | 'count'

/** What becomes of files that were dropped, pasted or chosen: those that are taken, and why the others are not. */
export async function sortFiles(
  files: readonly File[],
  taken: number,
  limits: FileLimits,
): Promise<{ fitting: File[]; refused: { name: string; why: FileRefusal }[] }> {
  const fitting: File[] = []
  const refused: { name: string; why: FileRefusal }[] = []
  for (const file of files) {
    const why = whyNotFile(file, await typeByContent(file), limits)
    const full = taken + fitting.length >= limits.most_files
    if (why !== null) refused.push({ name: file.name, why })
    else if (full) refused.push({ name: file.name, why: 'count' })
    else fitting.push(file)
  }
  return { fitting, refused }
}

function whyNotFile(file: File, type: string | null, { types, most_bytes }: FileLimits): FileRefusal | null {
  if (file.size === 0) return 'empty'
  if (!types.includes(type ?? file.type) || (type === null && isImage(file.type))) return 'type'
  return file.size > most_bytes ? 'size' : null
}

/** The type of a picture by its first bytes; null for everything else. */
async function typeByContent(file: File): Promise<string | null> {
  const head = String.fromCharCode(...new Uint8Array(await file.slice(0, 12).arrayBuffer()))
  return signatures.find(([, signature]) => signature.test(head))?.[0] ?? null
}

const signatures = [
  ['image/png', /^\u0089PNG\r\n/],
  ['image/jpeg', /^\u00ff\u00d8\u00ff/],
  ['image/gif', /^GIF8[79]a/],
  ['image/webp', /^RIFF[\s\S]{4}WEBP/],
] as const

const isImage = (type: string) => imageTypes.some(each => each === type)
