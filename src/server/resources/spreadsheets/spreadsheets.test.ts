import { beforeEach, describe, expect, it } from 'vitest'
import { TabList } from '#shared/api/spreadsheets.ts'
import { Report } from '#shared/api/reports.ts'
import { spreadsheetEffects } from '#server/resources/spreadsheets/effects.ts'
import { textOf } from '#server/http/testing/answers.ts'
import { expectRefusal, testApi, type Client } from '#server/http/testing/api.ts'
import { OWNER } from '#server/sheets/testing/sandbox.ts'
import { testService } from '#server/sheets/testing/service.ts'
import { found, urlOf } from './testing/permission.ts'

const service = await testService()
const spreadsheets = spreadsheetEffects(service.seeking())
const api = await testApi({ effects: { spreadsheets } })
api.effects.settings.spreadsheet_origins = [service.origin]

const check = (who: Client, id: string, sheet_name = '') =>
  who.get(
    `/api/ad/gs_permission_check/?spreadsheet_url=${encodeURIComponent(urlOf(id))}&sheet_name=${encodeURIComponent(sheet_name)}`,
  )
const tabs = (who: Client, id: string) =>
  who.get(`/api/ad/gs_sheet_name_list/?spreadsheet_url=${encodeURIComponent(urlOf(id))}`)

/** A file with a tab "T"; shared with the system user by default. */
async function file({ role = 'writer' }: { role?: 'writer' | 'reader' | null } = {}) {
  const id = await service.owner.create()
  if (role) await service.owner.share(id, service.system_user, role)
  return id
}

const owner = () => api.client({ email: OWNER, email_confirmed: true })

beforeEach(() => {
  api.clock.now = new Date('2026-11-20T03:00:00Z')
})

describe('the permission check', () => {
  it('has the problem, and the system user to share with', async () => {
    const who = await owner()
    const { system_user } = service
    expect(found(await check(who, await file({ role: null })))).toEqual({ result: 'not_shared', system_user })
    expect(found(await check(who, await file({ role: 'reader' })))).toEqual({
      result: 'not_editor',
      system_user,
    })
    expect(found(await check(who, 'x'.repeat(44)))).toEqual({ result: 'not_shared', system_user })
    for (const url of ['', 'hello', 'https://evil.example/spreadsheets/d/1AbCdEfGhIjKlMnOpQrStUvWxYz'])
      expect(
        found(await who.get(`/api/ad/gs_permission_check/?spreadsheet_url=${encodeURIComponent(url)}`))
          .result,
      ).toBe('not_a_spreadsheet')
  })

  it('reads the tab once the file is proven', async () => {
    const who = await owner()
    const id = await file()
    expect(found(await check(who, id, 'T'))).toMatchObject({ result: 'ok', title: 'Weekly' })
    expect(found(await check(who, id, 'gone')).result).toBe('sheet_name_mismatch')
    expect(found(await check(who, id, 'a:b')).result).toBe('sheet_name_colon')
  })

  it('is needed for the list of tabs', async () => {
    const who = await owner()
    const id = await file()
    expect(TabList.parse((await tabs(who, id)).body)).toMatchObject([
      { title: 'T', sheet_id: 0, hidden: false },
    ])
    expectRefusal(await tabs(who, await file({ role: null })), 400, 'spreadsheet_not_shared')
    expectRefusal(await tabs(await api.client(), await file()), 400, 'proof_required')
  })
})

describe('proof of control', () => {
  it('is the confirmed e-mail of the asking person among the file’s editors', async () => {
    const id = await file()
    const unconfirmed = await api.client({ email: OWNER, email_confirmed: false })
    expect(found(await check(unconfirmed, id)).result).toBe('proof_required')
    expect(found(await check(await owner(), id)).result).toBe('ok')
  })

  it('is else a code in any cell, which may be deleted afterwards', async () => {
    const who = await api.client()
    const id = await file()
    const response = found(await check(who, id, 'T'))
    expect(response).toEqual({
      result: 'proof_required',
      system_user: service.system_user,
      code: expect.any(String),
    })
    expect(found(await check(who, id)).code).toBe(response.code)
    await service.owner.put(id, "'T'!D7", [[`no ${response.code}`]])
    expect(found(await check(who, id)).result).toBe('proof_required')
    await service.owner.put(id, "'T'!D7", [[response.code]])
    expect(found(await check(who, id, 'T'))).toMatchObject({ result: 'ok', title: 'Weekly' })
    await service.owner.put(id, "'T'!D7", [['']])
    expect(found(await check(who, id, 'T')).result).toBe('ok')
  })

  it('is worth nothing when the code is another person’s or a day old', async () => {
    const [who, other] = [await api.client(), await api.client()]
    const id = await file()
    const { code } = found(await check(who, id))
    await service.owner.put(id, "'T'!A1", [[code]])
    const theirs = found(await check(other, id))
    expect(theirs.result).toBe('proof_required')
    expect(theirs.code).not.toBe(code)
    await api.db
      .updateTable('spreadsheet_code')
      .set({ expires_at: api.clock.now })
      .where('spreadsheet_id', '=', id)
      .execute()
    const again = found(await check(who, id))
    expect(again.result).toBe('proof_required')
    expect(again.code).not.toBe(code)
  })

  it('of another person makes the file exactly like one that is not shared', async () => {
    const id = await file()
    expect(found(await check(await owner(), id)).result).toBe('ok')
    const outsider = await api.client({ email: 'stranger@example.com', email_confirmed: true })
    const unshared = await file({ role: null })
    expect(textOf(await check(outsider, id, 'T'))).toBe(textOf(await check(outsider, unshared, 'T')))
    expect(textOf(await check(outsider, id, 'gone'))).toBe(textOf(await check(outsider, unshared, 'gone')))
    expect(textOf(await tabs(outsider, id))).toBe(textOf(await tabs(outsider, unshared)))
  })

  it('is valid for everybody of the advertiser and those who serve it, and nobody else', async () => {
    const id = await file()
    const who = await owner()
    expect(found(await check(who, id)).result).toBe('ok')
    const [colleague, staff, other] = [
      await api.client(),
      await api.signedIn('staff'),
      await api.signedIn('staff'),
    ]
    const join = (user_id: number) =>
      api.db.insertInto('advertiser_member').values({ advertiser: who.advertiser, user_id }).execute()
    await join(colleague.user.id)
    await join(staff.user.id)
    expect(found(await check(colleague, id)).result).toBe('ok')
    expect(found(await check(staff, id)).result).toBe('ok')
    expect(found(await check(other, id)).result).toBe('not_shared')
    expect(found(await check(await api.signedIn('director'), id)).result).toBe('ok')
  })

  it('is won by one of many concurrent tries', async () => {
    const id = await file()
    const people = await Promise.all(Array.from({ length: 8 }, owner))
    const results = await Promise.all(people.map(async who => found(await check(who, id)).result))
    expect(results.toSorted()).toEqual([...Array.from({ length: 7 }, () => 'not_shared'), 'ok'])
  })

  it('is released by a superuser alone', async () => {
    const id = await file()
    const [first, second] = [await owner(), await owner()]
    await check(first, id)
    expect(found(await check(second, id)).result).toBe('not_shared')
    const path = `/api/ad/gs_binding/?spreadsheet_url=${encodeURIComponent(urlOf(id))}`
    expectRefusal(await first.delete(path), 403, 'forbidden')
    const superuser = await api.signedIn('superuser')
    expect((await superuser.delete(path)).status).toBe(204)
    expectRefusal(await superuser.delete(path), 404, 'not_found')
    expect(found(await check(second, id)).result).toBe('ok')
  })
})

describe('the result of a check', () => {
  it('is stored in the asking person’s reports: a usable target starts them, an unusable one stops them', async () => {
    const who = await owner()
    const account = await api.account({ advertiser: who.advertiser })
    const id = await file()
    const { id: report } = await who.report({
      spreadsheet_url: urlOf(id),
      sheet_name: 'T',
      channels: [{ channel: 'fb', accounts: [account], metrics: ['cost'] }],
      update_frequency: 2,
    })
    const now = async () => Report.parse((await who.get(`/api/gs-template-setting/${report}/`)).body)
    expect(await now()).toMatchObject({ target_state: null, gaps: ['permission_not_set'], status: 0 })
    await check(who, id, 'T')
    expect(await now()).toMatchObject({
      target_state: 'ok',
      gaps: [],
      status: 1,
      next_run_at: '2026-11-21T01:00:00.000Z',
    })
    await service.owner.batch(id, {
      updateSheetProperties: { properties: { sheetId: 0, title: 'U' }, fields: 'title' },
    })
    await check(who, id)
    expect(await now()).toMatchObject({ target_state: 'ok' })
    await check(who, id, 'T')
    expect(await now()).toMatchObject({
      target_state: 'sheet_name_mismatch',
      gaps: ['permission_not_set'],
      status: 0,
      next_run_at: null,
    })
    await check(who, id)
    expect(await now()).toMatchObject({ target_state: 'sheet_name_mismatch' })
    await who.patch(`/api/gs-template-setting/${report}/`, { version: 1, sheet_name: 'U' })
    expect(await now()).toMatchObject({ target_state: 'ok', gaps: [], status: 1 })
  })

  it('applies to a report that is created after the proof', async () => {
    const who = await owner()
    const id = await file()
    await check(who, id, 'T')
    const { id: report } = await who.report({ spreadsheet_url: urlOf(id), sheet_name: 'T' })
    expect((await who.get(`/api/gs-template-setting/${report}/`)).body).toMatchObject({
      target_state: 'ok',
      gaps: ['channels_not_set'],
    })
  })
})
