import { readFile } from 'node:fs/promises'
import {
  ContentQuery,
  Image,
  ImageList,
  ImageQuery,
  MaterialTags,
  UpdateMaterial,
  UploadFields,
} from '#shared/api/materials.ts'
import { IdPath } from '#shared/api/list.ts'
import { OfVersion } from '#shared/api/money.ts'
import { MOST_IMAGE_BYTES } from '#shared/images.ts'
import { withEnding } from '#server/files/file-name.ts'
import { inStorage } from '#server/files/store.ts'
import { csvOf } from '#server/http/csv.ts'
import { batchesOf, pageOf } from '#server/http/list.ts'
import { route } from '#server/http/route.ts'
import type { ServedFile } from '#server/http/send-file.ts'
import { changeMaterial, removeMaterial } from '#server/resources/materials/change.ts'
import { sendContent } from '#server/resources/materials/content.ts'
import { materialColumns } from '#server/resources/materials/csv.ts'
import { listTags } from '#server/resources/materials/queries.ts'
import { sendStored, uploadMaterial } from '#server/resources/materials/upload.ts'
import { fitRoute } from './fit-route.ts'
import { decoded, keepPicture } from './keep-picture.ts'
import { presentImage, showImage } from './present.ts'
import { findContent, findSameImage, listImages, type ImageRow } from './queries.ts'

const PATH = '/api/image/'

const list = route('GET', PATH, {
  summary: 'List the images of your advertisers and of the agency.',
  level: 'staff',
  query: ImageQuery,
  reply: ImageList,
  async run({ query, user, db, request, now, effects: { files } }) {
    const { count, rows } = await listImages(db, user, query)
    const reader = { user, links: files.links, now }
    return pageOf(request.url, query, { count, results: rows.map(row => presentImage(row, reader)) })
  },
  csv: async ({ query, user, db }) =>
    csvOf<ImageRow>(
      { en: 'Images', 'zh-TW': '圖片' },
      [
        ...materialColumns,
        { header: { en: 'Width', 'zh-TW': '寬' }, cell: row => row.width },
        { header: { en: 'Height', 'zh-TW': '高' }, cell: row => row.height },
      ],
      batchesOf(500, page => listImages(db, user, { ...query, ...page })),
    ),
})

const tags = route('GET', `${PATH}tags/`, {
  summary: 'List the tags of the images that you see, by how often they are used.',
  level: 'staff',
  reply: MaterialTags,
  run: async ({ user, db }) => await listTags(db, 'image', user),
})

const read = route('GET', `${PATH}:id/`, {
  summary: 'Get an image.',
  level: 'staff',
  params: IdPath,
  reply: Image,
  run: async ({ params: { id }, user, db, now, effects: { files } }) =>
    await showImage(db, id, { user, links: files.links, now }),
})

const create = route('POST', PATH, {
  summary:
    'Upload an image of up to 5 MB and 50 megapixels: PNG, JPEG, WebP or GIF. The same again is 200 and what is there.',
  level: 'staff',
  kind: 'file',
  transaction: 'own',
  streams_form: UploadFields,
  reply: Image,
  status: 201,
  also_status: 200,
  async run(input) {
    const { db, user, now, reply, effects } = input
    const { pictures, links } = effects.files
    const stored = await uploadMaterial(input, {
      most_bytes: MOST_IMAGE_BYTES,
      too_large: 'image_too_large',
      findSame: (within, { advertiser, sha256 }) =>
        findSameImage(within, { advertiser, source_sha256: sha256 }),
      async keep({ path, sha256 }, described) {
        const picture = await decoded(input, 'file', async () => {
          const bytes = await inStorage('an upload cannot be read', () => readFile(path))
          return await pictures.read(bytes)
        })
        return await keepPicture(input, picture, { ...described, source_sha256: sha256 })
      },
    })
    return await sendStored(reply, stored, await showImage(db, stored.id, { user, links, now }))
  },
})

const update = route('PATCH', `${PATH}:id/`, {
  summary: 'Change the name or the tags of an image.',
  level: 'staff',
  params: IdPath,
  body: UpdateMaterial,
  reply: Image,
  async run({ params: { id }, body, user, db, now, effects: { files } }) {
    const reader = { user, links: files.links, now }
    await changeMaterial(db, 'image', { id, user, now, body, show: trx => showImage(trx, id, reader) })
    return await showImage(db, id, reader)
  },
})

const remove = route('DELETE', `${PATH}:id/`, {
  summary: 'Delete an image that no link has; who has uploaded it, or a manager.',
  level: 'staff',
  params: IdPath,
  body: OfVersion,
  async run({ params: { id }, body: { version }, user, db, now, effects: { files } }) {
    const reader = { user, links: files.links, now }
    await removeMaterial(db, 'image', { id, user, now, version, show: trx => showImage(trx, id, reader) })
  },
})

const content = route('GET', `${PATH}:id/content/`, {
  summary: 'Get the content of an image, or a preview, by one of its links.',
  level: 'public',
  transaction: 'own',
  params: IdPath,
  query: ContentQuery,
  async run({ params: { id }, query, db, ...input }) {
    const { size = 'original' } = query
    await sendContent({ ...input, query }, { kind: 'image', id, size }, async () => {
      const found = await findContent(db, id)
      return found ? servedOf(found, size) : null
    })
  },
})

type Content = NonNullable<Awaited<ReturnType<typeof findContent>>>

function servedOf(image: Content, size: 'original' | '320' | '1280'): ServedFile {
  const { name, mime, sha256 } = image
  if (size === 'original') return { name, mime, sha256, size: image.size, disposition: 'inline' }
  return {
    name: withEnding(name, ['webp']),
    mime: 'image/webp',
    sha256: image[`preview_${size}`],
    size: image[`size_${size}`] ?? 0,
    disposition: 'inline',
  }
}

export const imagesRoutes = [list, tags, read, create, fitRoute, update, remove, content]
