import { describe, expect, it } from 'vitest'
import { sources } from '#server/connectors/all.ts'
import type { PlatformAccount } from '#server/connectors/connector.ts'
import { saveAccounts } from '#server/resources/ad-accounts/queries.ts'
import { discoverAccounts } from '#server/resources/ad-accounts/import.ts'
import { listAudiences } from '#server/resources/audiences/queries.ts'
import { LTA } from '#server/resources/audiences/testing/members.ts'
import { sharesAtSandbox } from '#server/resources/audiences/testing/share-sandbox.ts'
import type { AudienceList } from '#shared/api/audiences.ts'
import type { z } from 'zod'
import { demoAudiences } from './audience-list.ts'
import { findAudiencePlaces, type AudiencePlace } from './audience-places.ts'
import { insertAudiences } from './audiences.ts'
import { demoLogins } from './logins.ts'
import { demoAdvertisers, demoPeople } from './people.ts'

const at = await sharesAtSandbox()
const { db, clock, boss, sandbox } = at
const { now: _now, ...platforms } = at.shareEffects()
const log: string[] = []

const accounts: PlatformAccount[] = []
for (const platform of ['meta', 'google_ads', 'tiktok', 'line'] as const)
  accounts.push(...(await discoverAccounts(sources[platform](demoLogins[platform]), platforms)))
const places = await findAudiencePlaces(accounts, { platforms, log: message => log.push(message) })

/** Advertisers, people and accounts with names of their own, and the audiences of the demo. */
async function insertDemo(known: ReadonlyMap<string, AudiencePlace> = places) {
  const own = (name: string) => `${name} ${crypto.randomUUID()}`
  const advertisers = new Map<string, number>()
  for (const name of demoAdvertisers) {
    const row = { name: own(name) }
    const { id } = await db.insertInto('advertiser').values(row).returning('id').executeTakeFirstOrThrow()
    advertisers.set(name, id)
  }
  const people = new Map<string, number>()
  for (const { username, identity, user_type } of demoPeople) {
    const row = { username: own(username), identity, user_type }
    const { id } = await db.insertInto('users').values(row).returning('id').executeTakeFirstOrThrow()
    people.set(username, id)
  }
  const now = clock.now
  await db.deleteFrom('audience').execute()
  await saveAccounts(db, accounts, { public_account: null, now })
  const rows = await db.selectFrom('ad_account').select(['id', 'channel', 'name']).execute()
  const account_ids = new Map(rows.map(({ id, channel, name }) => [`${channel} ${name}`, id]))
  for (const { advertiser, accounts: names } of demoAudiences)
    for (const name of names)
      await db
        .updateTable('ad_account')
        .set({ advertiser: advertisers.get(advertiser) ?? null })
        .where('id', '=', account_ids.get(name) ?? 0)
        .execute()
  const { vault } = at.effects
  await db
    .transaction()
    .execute(trx => insertAudiences(trx, { advertisers, people, account_ids, places: known, vault, now }))
}

const listed = async () => (await boss.get(`${LTA}?limit=50`)).body as z.output<typeof AudienceList>

/** By name: how the list stands, and its shares in the words of the platforms. */
const states = async () =>
  Object.fromEntries(
    (await listed()).results.map(({ name, status, rows, shares }) => [
      name,
      [
        status,
        rows,
        ...shares.map(share => [share.channel, share.mode, share.state, share.size, share.code]),
      ],
    ]),
  )

describe('the audiences of the demo', () => {
  it('come to every state at the platforms', async () => {
    await insertDemo()
    expect(log).toEqual([])
    await at.settle()
    expect(await states()).toEqual({
      'Aurora VIP 2026': [
        'ready',
        5000,
        ['fb', 'home', 'ready', '3400–3600', null],
        ['fb', 'shared', 'ready', '3400–3600', null],
        ['aw', 'copy', 'ready', '3000', null],
        ['tt', 'home', 'ready', '2500', null],
        ['ln', 'copy', 'ready', '4000', null],
      ],
      'Aurora VIP 2026, 1% TW': ['ready', 0, ['fb', 'home', 'ready', '176400–183600', null]],
      'Aurora sample 120': [
        'ready',
        120,
        ['fb', 'home', 'too_small', '0–100', null],
        ['tt', 'home', 'too_small', '60', null],
        ['ln', 'copy', 'ready', '100 or fewer', null],
      ],
      'Cedar cart 30 days': ['ready', 0, ['fb', 'home', 'ready', expect.stringMatching(/^\d+–\d+$/), null]],
      'Delta members': ['ready', 2400, ['fb', 'home', 'failed', null, 'terms_not_accepted']],
      'Borealis 2025': ['expired', 800],
    })
  })

  it('are what a person could have entered, with their lines in the trail', async () => {
    await insertDemo()
    const { results } = await listed()
    for (const { kind, basis, confirmed_by, last_upload } of results) {
      if (kind !== 'customer_file') continue
      expect([basis, confirmed_by]).not.toContain(null)
      expect(last_upload).toMatchObject({ state: 'taken', action: 'add' })
    }
    const sites = await db.selectFrom('site').select(['name', 'pixels']).orderBy('id').execute()
    const withPixels = sites.filter(({ pixels }) => pixels.length > 0)
    expect(new Set(sites.map(({ name }) => name)).size).toBe(demoAdvertisers.length)
    expect(new Set(withPixels.map(({ name }) => name))).toEqual(new Set(['Aurora shop', 'Cedar shop']))
    const sample = results.find(({ name }) => name === 'Aurora sample 120')
    const { body: history } = await boss.get(`/api/lta/${sample?.id}/history/`)
    expect(history).toMatchObject([
      { action: 'audience.share', ad_accounts: ['Aurora Cosmetics Taiwan', 'Aurora TikTok', 'Aurora LINE'] },
      { action: 'audience.upload', upload_action: 'add', rows: 120 },
      { action: 'audience.create' },
    ])
  })

  it('are stored sealed, and are nobody’s any more where their time is over', async () => {
    await insertDemo()
    const { results } = await listed()
    const chunks = await db.selectFrom('audience_chunk').select(['audience', 'rows']).orderBy('id').execute()
    expect(chunks.map(({ rows }) => rows)).toEqual([5000, 120, 2400])
    const expired = results.find(({ status }) => status === 'expired')
    expect(chunks.map(({ audience }) => audience)).not.toContain(expired?.id)
  })

  it('are there without shares where the platforms are others', async () => {
    await insertDemo(new Map())
    const { rows } = await listAudiences(db, boss.user, { limit: 50, offset: 0, ordering: 'id' })
    expect(rows).toHaveLength(demoAudiences.length)
    expect(await db.selectFrom('audience_share').select('id').execute()).toEqual([])
  })

  it('are not shared in an account that cannot be asked about', async () => {
    await sandbox.setFaults([{ platform: 'meta', path: 'adspixels', action: 'expired_token' }])
    const said: string[] = []
    const found = await findAudiencePlaces(accounts, { platforms, log: message => said.push(message) })
    await sandbox.setFaults([])
    expect([...found.keys()].filter(name => name.startsWith('fb'))).toEqual([])
    expect(said).toContainEqual(expect.stringContaining('the demo shares nothing in fb Cedar Coffee Tokyo'))
  })
})
