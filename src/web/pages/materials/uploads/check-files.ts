import type { ErrorCode } from '#shared/errors.ts'
import { imageTypeOf, MOST_IMAGE_BYTES } from '#shared/images.ts'
import type { MaterialKind } from '#web/pages/materials/paths.ts'

/** A file that was dropped, pasted or chosen, before it is sent. */
export interface ChosenFile {
  file: File
  /** Why it is not even sent: the server would refuse it for this. */
  refusal: FileRefusal | null
}

/** unreadable: the browser cannot read it; it may have been moved since. */
export type FileRefusal = Extract<ErrorCode, 'file_empty' | 'image_type' | 'image_too_large'> | 'unreadable'

export const checkFiles = async (kind: MaterialKind, files: readonly File[]): Promise<ChosenFile[]> =>
  await Promise.all(files.map(async file => ({ file, refusal: await whyNot(kind, file) })))

async function whyNot(kind: MaterialKind, file: File): Promise<FileRefusal | null> {
  const head = await file
    .slice(0, 12)
    .arrayBuffer()
    .catch(() => null)
  if (head === null) return 'unreadable'
  if (file.size === 0) return 'file_empty'
  if (kind === 'file') return null
  if (imageTypeOf(new Uint8Array(head)) === null) return 'image_type'
  return file.size > MOST_IMAGE_BYTES ? 'image_too_large' : null
}
