import { hash } from 'node:crypto'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { buffer } from 'node:stream/consumers'
import { afterAll, expect, it } from 'vitest'
import { verdictOf } from '#shared/materials/format-verdicts.ts'
import { buildLink } from '#shared/links/build-link.ts'
import { testDatabase } from '#server/db/testing/database.ts'
import { diskStore } from '#server/files/disk-store.ts'
import { openPictures } from '#server/files/pictures.ts'
import { openTemporary } from '#server/files/temporary.ts'
import { demoAudiences, demoSites } from './audience-list.ts'
import { insertCampaigns } from './campaigns.ts'
import { demoFiles, demoImages } from './material-list.ts'
import { insertMaterials, storeMaterials } from './materials.ts'
import { demoAdvertisers, demoPeople } from './people.ts'

const { db } = await testDatabase()
const folder = await mkdtemp(join(tmpdir(), 'demo-materials-'))
afterAll(() => rm(folder, { recursive: true }))

const store = diskStore(folder)
const now = new Date('2026-11-27T01:00:00Z')

async function idsOf(names: readonly string[], insert: (name: string) => Promise<{ id: number }>) {
  const ids = new Map<string, number>()
  for (const name of names) ids.set(name, (await insert(name)).id)
  return ids
}

const advertisers = await idsOf(demoAdvertisers, name =>
  db.insertInto('advertiser').values({ name }).returning('id').executeTakeFirstOrThrow(),
)
const people = await idsOf(
  demoPeople.map(({ username }) => username),
  username =>
    db
      .insertInto('users')
      .values({ username, identity: 'staff', user_type: 1 })
      .returning('id')
      .executeTakeFirstOrThrow(),
)
const advertiser = (name: string) => advertisers.get(name) ?? 0
const sites = new Map<string, number>()
for (const { name, url, advertiser: owner } of demoSites) {
  const row = { name, url, advertiser: advertiser(owner) }
  sites.set(name, (await db.insertInto('site').values(row).returning('id').executeTakeFirstOrThrow()).id)
}
const audiences = new Map<string, number>()
for (const { name, kind, advertiser: owner } of demoAudiences) {
  const row = { name, kind, advertiser: advertiser(owner) }
  audiences.set(
    name,
    (await db.insertInto('audience').values(row).returning('id').executeTakeFirstOrThrow()).id,
  )
}

const materials = await storeMaterials(
  db,
  { store, temporary: openTemporary(join(folder, 'tmp')), pictures: openPictures() },
  now,
)
await db.transaction().execute(async trx => {
  const images = await insertMaterials(trx, materials, { advertisers, people, now })
  await insertCampaigns(trx, { advertisers, people, sites, audiences, images, now })
})

it('has three target audiences, nine publishers and twelve links, each with a line in the trail', async () => {
  const counts = await Promise.all(
    (['target_audience', 'publisher', 'link', 'image', 'file'] as const).map(async table => {
      const rows = await db.selectFrom(table).select('id').execute()
      const lines = await db.selectFrom('audit').select('id').where('object', '=', table).execute()
      return [table, rows.length, lines.length]
    }),
  )
  expect(counts).toEqual([
    ['target_audience', 3, 3],
    ['publisher', 9, 9],
    ['link', 12, 12],
    ['image', 14, 14],
    ['file', 5, 5],
  ])
})

it('has links as the form would make them, of several channels', async () => {
  const links = await db.selectFrom('link').selectAll().execute()
  for (const row of links) {
    const { link, ga4_channel, problems } = buildLink(row)
    expect({ link, ga4_channel, problems }).toEqual({
      link: row.link,
      ga4_channel: row.ga4_channel,
      problems: {},
    })
  }
  const channels = new Set(links.map(({ ga4_channel }) => ga4_channel))
  for (const channel of [
    'Paid Social',
    'Paid Search',
    'Email',
    'Display',
    'Affiliates',
    'Unassigned',
  ] as const)
    expect(channels).toContain(channel)
})

it('has the content of every image and file, and pictures that meet a format and that miss one', async () => {
  const images = await db.selectFrom('image').selectAll().execute()
  const files = await db.selectFrom('file').selectAll().execute()
  expect(images.map(({ name }) => name)).toEqual(demoImages.map(({ name }) => name))
  expect(files.map(({ name }) => name)).toEqual(demoFiles.map(({ name }) => name))
  const named = [
    ...images.flatMap(({ sha256, preview_320, preview_1280 }) => [sha256, preview_320, preview_1280]),
    ...files.map(({ sha256 }) => sha256),
  ]
  for (const sha256 of named) {
    const { size = 0 } = (await store.find(sha256)) ?? {}
    expect(hash('sha256', await buffer(await store.read(sha256, { start: 0, end: size - 1 })))).toBe(sha256)
  }
  const offer = images.find(({ name }) => name === 'Autumn serum, offer.jpg')
  expect(offer && verdictOf(offer, 'line_card').misses).toMatchObject([{ kind: 'height', by: 1 }])
  expect(offer?.formats).toContain('google_landscape')
  expect(images.filter(({ is_animated }) => is_animated)).toHaveLength(1)
})
