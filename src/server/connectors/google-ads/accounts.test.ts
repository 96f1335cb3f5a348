import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import type { AccountRef } from '#server/connectors/connector.ts'
import { sandboxOfFile } from '#server/connectors/testing/sandbox.ts'
import { testContext } from '#server/connectors/testing/context.ts'
import { googleAds } from './report.ts'
import { GoogleAdsLogin, type GoogleAdsIo } from './schema.ts'
import { aurora, closed, direct, japan, login, NOW, takenBack } from './testing/sandbox.ts'

const sandbox = sandboxOfFile(NOW)

const io = (changes: object = {}): GoogleAdsIo => ({
  ...testContext(sandbox.base_url, NOW),
  login: GoogleAdsLogin.parse({ ...login, ...changes }),
})
const listed = async (changes: object = {}) =>
  (await Array.fromAsync(googleAds.listAccounts(io(changes)))).flat()
const ids = async (changes: object = {}) => (await listed(changes)).map(({ external_id }) => external_id)
const total = async (account: AccountRef, changes: object = {}) => {
  const request = {
    channel: 'aw' as const,
    account,
    range: { start: '2026-10-01', end: '2026-10-01' },
    time: 'total' as const,
    dimensions: [],
    metrics: ['impressions'],
    filters: [],
  }
  const pages = await Array.fromAsync(googleAds.fetchReport(request, io(changes)))
  return pages.reduce((rows, { length }) => rows + length, 0)
}

describe('the accounts of a login', () => {
  it('are those below its managers and those it opens itself, each once and no manager among them', async () => {
    const accounts = await listed()
    expect(accounts.map(({ external_id, via }) => [external_id, via])).toEqual([
      ['4203141501', '1110000001'],
      ['4203141502', '1110000001'],
      ['5203141503', '1110000001'],
      ['7203141505', '1110000001'],
      ['8203141506', '1110000001'],
      ['9203141507', '1110000001'],
      ['5203141511', '1110000001'],
      ['6203141504', '1110000002'],
    ])
    expect(accounts.at(-1)).toEqual({
      provider: 'google_ads',
      external_id: '6203141504',
      name: 'Cedar Coffee',
      currency: 'JPY',
      timezone: 'Asia/Tokyo',
      status: 'enabled',
      owner_name: 'Sheetcast Agency 日本 MCC',
      via: '1110000002',
      analytics: null,
    })
  })

  it('have a closed one among them, which goes by its number', async () => {
    const accounts = await listed()
    expect(accounts.find(({ status }) => status === 'disabled')).toMatchObject({
      external_id: closed.external_id,
      name: '520-314-1511',
    })
    await expect(googleAds.checkAccount(closed, io())).rejects.toThrow('account_access_lost')
  })

  it('are no others when access was revoked', async () => {
    expect(await ids()).not.toContain(takenBack.external_id)
    await expect(googleAds.checkAccount(takenBack, io())).rejects.toThrow('account_access_lost')
    await expect(total(takenBack)).rejects.toThrow('account_access_lost')
    expect(await listed({ refresh_token: 'sandbox-admin' })).toContainEqual(
      expect.objectContaining({ external_id: takenBack.external_id, via: null, owner_name: null }),
    )
  })

  it('are those below one manager when the login names it, with or without dashes', async () => {
    const below = ['4203141502', '6203141504']
    expect(await ids({ login_customer_id: '111-000-0002' })).toEqual(below)
    expect(await ids({ login_customer_id: '1110000002' })).toEqual(below)
    expect(await ids({ login_customer_id: '1110000003' })).toEqual(['8203141506', '9203141507'])
    const games = { external_id: '8203141506', owner_name: 'Sheetcast "Games & Travel" 100%_[sub]' }
    const [first] = await listed({ login_customer_id: '1110000003' })
    if (!first) throw new Error('no account')
    expect(first).toMatchObject({ ...games, via: '1110000001' })
    expect(await googleAds.checkAccount(first, io({ login_customer_id: '1110000003' }))).toEqual(first)
    expect(await total(first, { login_customer_id: '1110000003' })).toBe(1)
    await expect(ids({ login_customer_id: '9990000009' })).rejects.toThrow('account_access_lost')
  })

  it('go on when one manager cannot be opened any more', async () => {
    const gone = { family: 'authorizationError', code: 'CUSTOMER_NOT_ENABLED', status: 403 }
    await sandbox.setFaults([{ platform: 'google_ads', action: 'error', account: '1110000001', ...gone }])
    expect(await ids()).toEqual(['4203141502', '6203141504', '7203141505'])
    await sandbox.setFaults([{ platform: 'google_ads', action: 'server_error', account: '1110000001' }])
    await expect(ids()).rejects.toThrow('platform_unavailable')
  })
})

describe('an account', () => {
  it('is found again through whichever manager leads to it', async () => {
    const moved = { ...aurora, via: '1110000002' }
    expect(await googleAds.checkAccount(moved, io())).toMatchObject({ via: '1110000001' })
    expect(await googleAds.checkAccount({ ...aurora, via: null }, io())).toMatchObject({ via: '1110000001' })
    expect(await googleAds.checkAccount({ ...direct, via: null }, io())).toMatchObject({
      via: null,
      owner_name: null,
    })
    expect(await googleAds.checkAccount({ ...japan, via: '1110000002' }, io())).toMatchObject({
      via: '1110000002',
      owner_name: 'Sheetcast Agency 日本 MCC',
    })
  })

  it('is read through the manager of the login, or none, when its own does not lead to it any more', async () => {
    const moved = { ...aurora, via: '1110000002' }
    await expect(total(moved)).rejects.toThrow('account_access_lost')
    expect(await total(moved, { login_customer_id: '1110000001' })).toBe(1)
    expect(await total({ ...direct, via: '1110000002' })).toBe(1)
  })

  it('has an id of ten digits, or nothing is requested', async () => {
    for (const external_id of ['420-314-1501', '1/../2', '', 'act_1']) {
      await expect(total({ ...aurora, external_id })).rejects.toThrow('account_access_lost')
    }
    expect(await sandbox.requests()).toEqual([])
  })
})

describe('a login', () => {
  it('is a consent or the key of a service account, with or without what is optional', async () => {
    expect(GoogleAdsLogin.safeParse({ ...login, refresh_token: '' }).success).toBe(false)
    expect(GoogleAdsLogin.safeParse({ ...login, login_customer_id: 'x' }).success).toBe(false)
    expect(GoogleAdsLogin.safeParse({ service_account_key: '{}' }).success).toBe(false)
    expect(await ids({ developer_token: 'of-long-ago' })).toHaveLength(8)
  })

  it('of a service account sees what its address was invited to', async () => {
    const service_account_key = readFileSync(join(sandbox.folder, 'service-account.json'), 'utf8')
    const invited = {
      ...testContext(sandbox.base_url, NOW),
      login: GoogleAdsLogin.parse({ service_account_key }),
    }
    // What is signed is checked against the hour of the day, which no test stops.
    const context = { ...invited, now: () => new Date() }
    const accounts = (await Array.fromAsync(googleAds.listAccounts(context))).flat()
    expect(accounts.map(({ external_id }) => external_id)).toEqual(await ids())
  })

  it('that has expired says so', async () => {
    await expect(ids({ refresh_token: 'sandbox-expired' })).rejects.toThrow('credential_expired')
    await expect(ids({ client_secret: 'guessed' })).rejects.toThrow('credential_expired')
  })
})
