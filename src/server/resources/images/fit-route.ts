import { createHash } from 'node:crypto'
import { buffer } from 'node:stream/consumers'
import { FitImage, Image } from '#shared/api/materials.ts'
import { IdPath } from '#shared/api/list.ts'
import { imageTypes, MOST_IMAGE_BYTES } from '#shared/images.ts'
import { fitBox, formatRules, verdictOf } from '#shared/materials/format-verdicts.ts'
import type { ImageFormat } from '#shared/materials/image-formats.ts'
import { refuse } from '#server/http/refusal.ts'
import { route } from '#server/http/route.ts'
import { isStored, sendStored } from '#server/resources/materials/upload.ts'
import { decoded, keepPicture } from './keep-picture.ts'
import { findImage, findSameImage } from './queries.ts'
import { showImage } from './present.ts'

export const fitRoute = route('POST', '/api/image/:id/fit/', {
  summary:
    'Make a copy of an image that meets a format: cut from the middle, never enlarged. One that is there already, such as the image itself, is 200.',
  level: 'staff',
  transaction: 'own',
  params: IdPath,
  body: FitImage,
  reply: Image,
  status: 201,
  also_status: 200,
  async run({ params: { id }, body: { format }, ...input }) {
    const { db, user, now, reply, effects } = input
    const { files } = effects
    const reader = { user, links: files.links, now }
    const image = await findImage(db, user, id)
    if (!image) throw refuse('not_found')
    const source = sourceOfCopy(image, format)
    const same = await findSameImage(db, { ...image, source_sha256: source })
    const met = verdictOf(image, format).met ? id : same && (await isStored(input, same)) ? same.id : null
    if (met !== null)
      return await sendStored(reply, { id: met, is_new: false }, await showImage(db, met, reader))
    const box = fitBox(image, format)
    if (!box) throw refuse('invalid', { fields: { format: ['image_too_small'] } })
    const types = formatRules[format].types ?? imageTypes
    const picture = await decoded(input, 'format', async () => {
      const content = await buffer(await files.store.read(image.sha256, { start: 0, end: image.size - 1 }))
      return await files.pictures.cut({ ...image, content }, { box, types })
    })
    if (picture.content.length > MOST_IMAGE_BYTES)
      throw refuse('invalid', { fields: { format: ['image_too_large'] } })
    const name = `${image.name.replace(/\.[^.]*$/, '')} ${picture.width}×${picture.height}`
    const { advertiser, tags } = image
    const stored = await keepPicture(input, picture, { name, advertiser, tags, source_sha256: source })
    return await sendStored(reply, stored, await showImage(db, stored.id, reader))
  },
})

/** By which a copy is known again: no upload has it. */
const sourceOfCopy = ({ sha256 }: { sha256: string }, format: ImageFormat): string =>
  createHash('sha256').update(`${format} of ${sha256}`).digest('hex')
