import { describe, expect, it } from 'vitest'
import { textOf } from '#server/http/testing/answers.ts'
import { expectRefusal, testApi, type Client } from '#server/http/testing/api.ts'
import { OWNER } from '#server/sheets/testing/sandbox.ts'
import { testService } from '#server/sheets/testing/service.ts'
import { sheetsClient } from '#server/sheets/client.ts'
import { spreadsheetEffects } from './effects.ts'
import { saveSystemUser } from './queries.ts'
import { findWritingSystemUser } from './system-user.ts'
import { chooseSystemUser } from './rules.ts'
import { found, urlOf } from './testing/permission.ts'

const USERS = ['one', 'two', 'three'].map(name => `${name}@reports.iam.gserviceaccount.com`)
const service = await testService({ system_users: USERS })
const api = await testApi({ effects: { spreadsheets: spreadsheetEffects(service.seeking()) } })
api.effects.settings.spreadsheet_origins = [service.origin]

const query = (id: string, more = '') => `?spreadsheet_url=${encodeURIComponent(urlOf(id))}${more}`
const check = (who: Client, id: string, more = '') =>
  who.get(`/api/ad/gs_permission_check/${query(id, more)}`)
const stuckTo = async (spreadsheet_id: string) => {
  const row = await api.db
    .selectFrom('spreadsheet_system_user')
    .select('address')
    .where('spreadsheet_id', '=', spreadsheet_id)
    .executeTakeFirst()
  return row?.address ?? null
}

async function file(shares: Record<string, 'writer' | 'reader'> = {}) {
  const id = await service.owner.create()
  for (const [address, role] of Object.entries(shares)) await service.owner.share(id, address, role)
  return id
}

const owner = () => api.client({ email: OWNER, email_confirmed: true })
const [one = '', two = '', three = ''] = USERS

describe('the permission check of several system users', () => {
  it('accepts whichever of them has access, and stores it', async () => {
    const who = await owner()
    for (const address of USERS) {
      const id = await file({ [address]: 'writer' })
      expect(found(await check(who, id, '&sheet_name=T'))).toMatchObject({
        result: 'ok',
        title: 'Weekly',
        system_user: address,
      })
      expect(await stuckTo(id)).toBe(address)
    }
  })

  it('names one address to one person, with an even distribution', async () => {
    const who = await owner()
    const advice = async (id: string) => found(await check(who, id)).system_user
    const advised = await advice(await file())
    expect(USERS).toContain(advised)
    expect(await advice(await file())).toBe(advised)
    expect(await advice('-')).toBe(advised)
    const colleague = await api.signedIn('external_user')
    await api.db
      .insertInto('advertiser_member')
      .values({ advertiser: who.advertiser, user_id: colleague.user.id })
      .execute()
    expect(found(await check(colleague, await file())).system_user).toBe(advised)
    const id = await file({ [advised]: 'writer' })
    expect(found(await check(who, id))).toMatchObject({ result: 'ok', system_user: advised })
  })

  it('names the one that must become an editor, where one can only read', async () => {
    for (const address of USERS)
      expect(found(await check(await owner(), await file({ [address]: 'reader' })))).toEqual({
        result: 'not_editor',
        system_user: address,
      })
  })

  it('keeps the known one as long as it has access, and changes when it has lost it', async () => {
    const who = await owner()
    const id = await file({ [three]: 'writer' })
    await check(who, id)
    await service.owner.share(id, one)
    await service.owner.share(id, two)
    expect(found(await check(who, id)).system_user).toBe(three)
    await service.owner.unshare(id, three)
    const moved = found(await check(who, id, '&sheet_name=T'))
    expect(moved.result).toBe('ok')
    expect([one, two]).toContain(moved.system_user)
    expect(await stuckTo(id)).toBe(moved.system_user)
    for (const address of [one, two]) await service.owner.unshare(id, address)
    expect(found(await check(who, id)).result).toBe('not_shared')
  })

  it('has the same result for another person’s file as for an unshared one, whichever has access', async () => {
    const outsider = await api.client({ email: 'stranger@example.com', email_confirmed: true })
    const unshared = await file()
    for (const address of USERS) {
      const id = await file({ [address]: 'writer' })
      expect(found(await check(await owner(), id)).result).toBe('ok')
      for (const more of ['', '&sheet_name=T', '&sheet_name=gone'])
        expect(textOf(await check(outsider, id, more))).toBe(textOf(await check(outsider, unshared, more)))
      expectRefusal(
        await outsider.get(`/api/ad/gs_sheet_name_list/${query(id)}`),
        400,
        'spreadsheet_not_shared',
      )
    }
  })

  it('uses the results of the others when the key of one does not work any more', async () => {
    const { system_users, ...seeking } = service.seeking()
    const revoked = {
      ...service.control.serviceAccountKey(one),
      client_email: 'gone@reports.iam.gserviceaccount.com',
    }
    const [any] = system_users
    if (!any) throw new Error('there are three')
    const broken = { client: sheetsClient({ ...service.settings, key: revoked }), limiter: any.limiter }
    const findSystemUser = async (id: string) => {
      const { result, user } = await findWritingSystemUser(api.db, id, {
        ...seeking,
        system_users: [broken, ...system_users],
      })
      return [result, user.client.system_user]
    }
    expect(await findSystemUser(await file({ [two]: 'writer' }))).toEqual(['ok', two])
    expect(await findSystemUser(await file({ [two]: 'reader' }))).toEqual(['not_editor', two])
    const unshared = await file()
    expect((await findSystemUser(unshared))[0]).toBe('not_shared')
    // It may well be that one that has access.
    await saveSystemUser(api.db, unshared, revoked.client_email)
    expect((await findSystemUser(unshared))[0]).toBe('unreachable')
  })

  it('never says that a file is not shared while one that may have access is unavailable', async () => {
    for (const shares of [{}, { [two]: 'reader' }] as Record<string, 'reader'>[]) {
      const id = await file(shares)
      // Two tries of two requests of each of three: the seventh has been tried before.
      service.control.setFaults([{ platform: 'drive', path: id, action: '503', count: 7 }])
      expect(found(await check(await owner(), id)).result).toBe('unreachable')
    }
  })

  it('sends all requests for the file as the one with access', async () => {
    const who = await owner()
    const id = await file({ [two]: 'writer' })
    await check(who, id, '&sheet_name=T')
    expect((await who.get(`/api/ad/gs_sheet_name_list/${query(id)}`)).body).toMatchObject([{ title: 'T' }])
    const spreadsheet_url = `https://docs.google.com/spreadsheets/d/${id}/edit`
    expect((await who.post('/api/ad/gs_sheet/', { spreadsheet_url, title: 'New' })).status).toBe(201)
    expect((await who.get(`/api/ad/gs_place/${query(id, '&sheet_name=New')}`)).status).toBe(200)
    const { control } = service
    expect(control.journal().findLast(each => each.spreadsheet_id === id)?.email).toBe(two)
  })
})

describe('the address that is named to a person', () => {
  const named = (key: string, standing: [string, number][] = []) =>
    chooseSystemUser(USERS, { key, standing: new Map(standing) })

  it('is each for about as many people', () => {
    const advised = Array.from({ length: 600 }, (_, n) => named(`person ${n}`))
    for (const address of USERS) {
      const share = advised.filter(each => each === address).length
      expect(share).toBeGreaterThan(150)
      expect(share).toBeLessThan(250)
    }
  })

  it('stays the same for the first twenty spreadsheets, then rotates', () => {
    const first = named('person 7')
    expect(named('person 7', [[first, 19]])).toBe(first)
    const standing = new Map<string, number>()
    for (let n = 0; n < 120; n++) {
      const next = chooseSystemUser(USERS, { key: 'person 7', standing })
      standing.set(next, (standing.get(next) ?? 0) + 1)
    }
    expect([...standing.values()]).toEqual([40, 40, 40])
  })

  it('is another one only for people whose own has been removed', () => {
    const fewer = USERS.filter(address => address !== two)
    for (let n = 0; n < 60; n++) {
      const key = `person ${n}`
      const now = chooseSystemUser(fewer, { key, standing: new Map() })
      expect(named(key) === two || named(key) === now).toBe(true)
    }
  })
})
