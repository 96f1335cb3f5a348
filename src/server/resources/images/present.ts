import type { Image } from '#shared/api/materials.ts'
import type { Db } from '#server/db/connect.ts'
import { refuse } from '#server/http/refusal.ts'
import { linkTo, presentMaterial, type Reader } from '#server/resources/materials/present.ts'
import { findImage, type ImageRow } from './queries.ts'

export async function showImage(db: Db, id: number, reader: Reader): Promise<Image> {
  const row = await findImage(db, reader.user, id)
  if (!row) throw refuse('not_found')
  return presentImage(row, reader)
}

export function presentImage(
  { source_sha256: _source, preview_320: _small, preview_1280: _large, ...row }: ImageRow,
  reader: Reader,
): Image {
  const preview = (size: '320' | '1280') => linkTo({ kind: 'image', id: row.id, size }, reader)
  return {
    ...presentMaterial(row, 'image', reader),
    previews: { 320: preview('320'), 1280: preview('1280') },
  }
}
