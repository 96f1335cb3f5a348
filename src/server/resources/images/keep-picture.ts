import { formatsMet } from '#shared/materials/format-verdicts.ts'
import { endingsOf, withEnding } from '#server/files/file-name.ts'
import type { Picture, PictureProblem } from '#server/files/pictures.ts'
import type { Temporary, TemporaryFile } from '#server/files/temporary.ts'
import { refuse } from '#server/http/refusal.ts'
import {
  keepMaterial,
  type Described,
  type StoredMaterial,
  type UploadInput,
} from '#server/resources/materials/upload.ts'
import { findSameImage, insertImage, updateContent } from './queries.ts'

/** When it is this person's turn; meanwhile the request holds no slot. */
export async function decoded(
  { user, slot, effects }: UploadInput,
  field: 'file' | 'format',
  work: () => Promise<Picture | PictureProblem>,
): Promise<Picture> {
  slot.release()
  const picture = await effects.requestLimits.picture(user.id, work)
  slot.take()
  if (picture === 'overloaded') throw refuse('overloaded')
  if (typeof picture === 'string') throw refuse('invalid', { fields: { [field]: [picture] } })
  return picture
}

/** Stores a picture with its previews as an image. `source_sha256`: by which the same is known again. */
export async function keepPicture(
  input: UploadInput,
  { mime, width, height, is_animated, content, previews }: Picture,
  { source_sha256, ...described }: Described & { source_sha256: string },
): Promise<StoredMaterial> {
  const { user, now, effects } = input
  return await withBlobs(
    effects.files.temporary,
    [content, previews[320], previews[1280]],
    async ([original, small, large]) => {
      const { sha256, size } = original
      const image = {
        ...described,
        name: withEnding(described.name || 'image', endingsOf.get(mime) ?? ['image']),
        mime,
        size,
        sha256,
        source_sha256,
        width,
        height,
        is_animated,
        formats: formatsMet({ width, height, size, mime }),
        preview_320: small.sha256,
        preview_1280: large.sha256,
        uploaded_by: user.id,
      }
      const { advertiser, name, tags } = image
      return await keepMaterial(input, {
        kind: 'image',
        advertiser,
        blobs: [original, small, large],
        size,
        detail: { name, advertiser, tags: tags.length, mime, size, width, height },
        findSame: trx => findSameImage(trx, image),
        updateSame: (trx, id) => updateContent(trx, id, { ...image, now }),
        insert: trx => insertImage(trx, image, now),
      })
    },
  )
}

type Three<T> = [T, T, T]

/** As temporary files, which are gone afterwards. */
async function withBlobs<Result>(
  temporary: Temporary,
  contents: Three<Uint8Array>,
  use: (blobs: Three<TemporaryFile>) => Promise<Result>,
): Promise<Result> {
  const paths: string[] = []
  const write = async (bytes: Uint8Array) => {
    const file = await temporary.write([bytes])
    paths.push(file.path)
    return file
  }
  try {
    return await use([await write(contents[0]), await write(contents[1]), await write(contents[2])])
  } finally {
    for (const path of paths) await temporary.discard(path)
  }
}
