import {
  ContentQuery,
  File,
  FileList,
  FileQuery,
  MaterialTags,
  StorageQuery,
  StorageUse,
  UpdateMaterial,
  UploadFields,
} from '#shared/api/materials.ts'
import { IdPath } from '#shared/api/list.ts'
import { OfVersion } from '#shared/api/money.ts'
import type { Db } from '#server/db/connect.ts'
import { kindOfFile } from '#server/files/file-kind.ts'
import { usedBytes } from '#server/files/quota-queries.ts'
import { storageLimits } from '#server/files/quota.ts'
import { inStorage } from '#server/files/store.ts'
import { csvOf } from '#server/http/csv.ts'
import { batchesOf, pageOf } from '#server/http/list.ts'
import type { ReceivedFile } from '#server/http/receive-upload.ts'
import { refuse } from '#server/http/refusal.ts'
import { route } from '#server/http/route.ts'
import { findUsableAdvertiser } from '#server/resources/advertisers/queries.ts'
import { changeMaterial, removeMaterial } from '#server/resources/materials/change.ts'
import { sendContent } from '#server/resources/materials/content.ts'
import { materialColumns } from '#server/resources/materials/csv.ts'
import { presentMaterial, type Reader } from '#server/resources/materials/present.ts'
import { listTags } from '#server/resources/materials/queries.ts'
import {
  keepMaterial,
  sendStored,
  uploadMaterial,
  type Described,
  type UploadInput,
} from '#server/resources/materials/upload.ts'
import { findContent, findFile, findSameFile, insertFile, listFiles } from './queries.ts'

const PATH = '/api/file/'

const list = route('GET', PATH, {
  summary: 'List the files of your advertisers and of the agency.',
  level: 'staff',
  query: FileQuery,
  reply: FileList,
  async run({ query, user, db, request, now, effects: { files } }) {
    const { count, rows } = await listFiles(db, user, query)
    const reader = { user, links: files.links, now }
    return pageOf(request.url, query, {
      count,
      results: rows.map(row => presentMaterial(row, 'file', reader)),
    })
  },
  csv: async ({ query, user, db }) =>
    csvOf(
      { en: 'Files', 'zh-TW': '檔案' },
      materialColumns,
      batchesOf(500, page => listFiles(db, user, { ...query, ...page })),
    ),
})

const tags = route('GET', `${PATH}tags/`, {
  summary: 'List the tags of the files that you see, by how often they are used.',
  level: 'staff',
  reply: MaterialTags,
  run: async ({ user, db }) => await listTags(db, 'file', user),
})

const usage = route('GET', `${PATH}usage/`, {
  summary: 'How many bytes the images and files of an advertiser take, or of the agency, and how many may.',
  level: 'staff',
  query: StorageQuery,
  reply: StorageUse,
  async run({ query: { advertiser }, user, db }) {
    if (advertiser === undefined)
      return { used: await usedBytes(db, null), allowed: storageLimits.agency_bytes }
    if (!(await findUsableAdvertiser(db, user, advertiser))) throw refuse('not_found')
    return { used: await usedBytes(db, advertiser), allowed: storageLimits.advertiser_bytes }
  },
})

const read = route('GET', `${PATH}:id/`, {
  summary: 'Get a file.',
  level: 'staff',
  params: IdPath,
  reply: File,
  run: async ({ params: { id }, user, db, now, effects: { files } }) =>
    await show(db, id, { user, links: files.links, now }),
})

const create = route('POST', PATH, {
  summary:
    'Upload a file of up to 50 MB: anything but programs and scripts. The same again is 200 and what is there.',
  level: 'staff',
  kind: 'file',
  transaction: 'own',
  streams_form: UploadFields,
  reply: File,
  status: 201,
  also_status: 200,
  async run(input) {
    const stored = await uploadMaterial(input, {
      most_bytes: storageLimits.file_bytes,
      too_large: 'upload_too_large',
      findSame: findSameFile,
      keep: (file, described) => keepFile(input, file, described),
    })
    const { db, user, now, reply, effects } = input
    return await sendStored(
      reply,
      stored,
      await show(db, stored.id, { user, links: effects.files.links, now }),
    )
  },
})

async function keepFile(input: UploadInput, { path, size, sha256 }: ReceivedFile, described: Described) {
  const kind = await inStorage('an upload cannot be read', () => kindOfFile(path, described.name || 'file'))
  if (kind === 'file_type') throw refuse('invalid', { fields: { file: ['file_type'] } })
  const { user, now } = input
  const facts = { ...described, ...kind, size, sha256, uploaded_by: user.id }
  const { advertiser, name, mime } = facts
  return await keepMaterial(input, {
    kind: 'file',
    advertiser,
    blobs: [{ path, sha256, size }],
    size,
    detail: { name, advertiser, tags: facts.tags.length, mime, size },
    findSame: trx => findSameFile(trx, facts),
    insert: trx => insertFile(trx, facts, now),
  })
}

const update = route('PATCH', `${PATH}:id/`, {
  summary: 'Change the name or the tags of a file.',
  level: 'staff',
  params: IdPath,
  body: UpdateMaterial,
  reply: File,
  async run({ params: { id }, body, user, db, now, effects: { files } }) {
    const reader = { user, links: files.links, now }
    await changeMaterial(db, 'file', { id, user, now, body, show: trx => show(trx, id, reader) })
    return await show(db, id, reader)
  },
})

const remove = route('DELETE', `${PATH}:id/`, {
  summary: 'Delete a file that no link has; who has uploaded it, or a manager.',
  level: 'staff',
  params: IdPath,
  body: OfVersion,
  async run({ params: { id }, body: { version }, user, db, now, effects: { files } }) {
    const reader = { user, links: files.links, now }
    await removeMaterial(db, 'file', { id, user, now, version, show: trx => show(trx, id, reader) })
  },
})

const content = route('GET', `${PATH}:id/content/`, {
  summary: 'Download a file by one of its links, whole or a range of it.',
  level: 'public',
  transaction: 'own',
  params: IdPath,
  query: ContentQuery.omit({ size: true }),
  async run({ params: { id }, db, ...input }) {
    await sendContent(input, { kind: 'file', id, size: 'original' }, async () => {
      const file = await findContent(db, id)
      return file ? { ...file, disposition: 'attachment' } : null
    })
  },
})

async function show(db: Db, id: number, reader: Reader): Promise<File> {
  const row = await findFile(db, reader.user, id)
  if (!row) throw refuse('not_found')
  return presentMaterial(row, 'file', reader)
}

export const materialFilesRoutes = [list, tags, usage, read, create, update, remove, content]
