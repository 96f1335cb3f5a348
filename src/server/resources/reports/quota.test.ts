import { beforeEach, describe, expect, it } from 'vitest'
import { expectRefusal, testApi, type Client } from '#server/http/testing/api.ts'

const REPORTS = '/api/gs-template-setting/'
const FOLDERS = '/api/gs-template-folder/'
const api = await testApi()
const { quotas } = api.effects.settings

beforeEach(() => Object.assign(quotas, { reports: 20, folders: 20 }))

const countOf = async (table: 'report' | 'folder', { user }: Client) =>
  (await api.db.selectFrom(table).select('id').where('owner', '=', user.id).execute()).length
const statusesOf = async (responses: readonly Promise<{ status: number }>[]) =>
  Map.groupBy(
    (await Promise.all(responses)).map(({ status }) => status),
    status => status,
  )
const times = <T>(count: number, work: (nth: number) => T) =>
  Array.from({ length: count }, (_, nth) => work(nth))

describe('the reports of one person', () => {
  it('end exactly at their number, however many are made at once', async () => {
    const person = await api.signedIn('external_user')
    const responses = times(50, () => person.post(REPORTS, { name: 'One of many' }))
    const by_status = await statusesOf(responses)
    expect([...by_status.keys()].toSorted()).toEqual([201, 409])
    expect(by_status.get(201)).toHaveLength(20)
    expect(await countOf('report', person)).toBe(20)
    const refused = await person.post(REPORTS, {})
    expectRefusal(refused, 409, 'too_many_reports')
    expect(refused.body).toMatchObject({ limit: 20, detail: expect.stringContaining('20 reports') })
  })

  it('end there in every way of creating them: made, copied, sent, imported', async () => {
    const [person, sender] = [await api.signedIn('staff'), await api.signedIn('staff')]
    const [mine, theirs] = [await person.report(), await sender.report()]
    const yaml = { headers: { 'content-type': 'application/yaml' } }
    const file = (await person.get(`${REPORTS}${mine.id}/export/`)).body
    await Promise.all(
      times(40, nth => {
        if (nth % 4 === 0) return person.post(REPORTS, {})
        if (nth % 4 === 1) return person.post(`${REPORTS}${mine.id}/copy/`, {})
        if (nth % 4 === 2) return sender.post(`${REPORTS}${theirs.id}/copy/`, { to_user: person.user.id })
        return person.post(`${REPORTS}import/`, file, yaml)
      }),
    )
    expect(await countOf('report', person)).toBe(20)
    expect(await countOf('report', sender)).toBe(1)
    expectRefusal(await person.post(`${REPORTS}${mine.id}/copy/`, {}), 409, 'too_many_reports')
    const sent = await sender.post(`${REPORTS}${theirs.id}/copy/`, { to_user: person.user.id })
    expectRefusal(sent, 400, 'invalid', { to_user: ['too_many_reports'] })
    const bulk = await person.post(`${REPORTS}bulk/`, { ids: [mine.id], action: 'copy' })
    expect(bulk.body).toMatchObject({ results: [{ status: 'refused', code: 'too_many_reports' }] })
    const imported = await person.post(`${REPORTS}import/`, file, yaml)
    expect(imported).toMatchObject({
      status: 400,
      body: { problems: [{ path: '', code: 'too_many_reports' }] },
    })
  })

  it('can be filled by one sender of copies to a tenth, however many are sent at once', async () => {
    const [person, sender, other] = await Promise.all([1, 2, 3].map(() => api.signedIn('staff')))
    if (!person || !sender || !other) throw new Error('nobody is signed in')
    const send = async (from: Client) => {
      const { id } = await from.report()
      return times(8, () => from.post(`${REPORTS}${id}/copy/`, { to_user: person.user.id }))
    }
    expect((await statusesOf(await send(sender))).get(201)).toHaveLength(2)
    const [received] = await api.db
      .selectFrom('report')
      .select('id')
      .where('owner', '=', person.user.id)
      .execute()
    await person.delete(`${REPORTS}${received?.id}/`)
    for (const response of await Promise.all(await send(sender)))
      expectRefusal(response, 400, 'invalid', { to_user: ['too_many_reports'] })
    expect((await statusesOf(await send(other))).get(201)).toHaveLength(2)
    expect((await person.post(REPORTS, {})).status).toBe(201)
  })

  it('are cloned as far as the limit allows, as in the dry run', async () => {
    const person = await api.signedIn('staff')
    const [from, to] = await Promise.all(
      ['From', 'To'].map(name => api.advertiser(`${name} ${person.user.id}`, [person.user.id])),
    )
    const account = await api.account({ advertiser: from ?? 0 })
    const block = { channel: 'fb', accounts: [account], metrics: ['cost'] }
    for (let nth = 0; nth < 12; nth++) await person.report({ name: `Report ${nth}`, channels: [block] })
    const clone = async (dry_run: boolean) =>
      await person.post(`${REPORTS}care/clone/`, { source: { advertiser: from }, advertiser: to, dry_run })
    const tried = await clone(true)
    expect(tried.status, JSON.stringify(tried.body)).toBe(200)
    const codesIn = ({ body }: { body: unknown }) =>
      (body as { results: { code: string | null }[] }).results.map(({ code }) => code).toSorted()
    expect(codesIn(tried).filter(code => code === 'too_many_reports')).toHaveLength(4)
    expect(codesIn(await clone(false))).toEqual(codesIn(tried))
    expect(await countOf('report', person)).toBe(20)
  })

  it('count while they can be restored, so that restoring never exceeds them', async () => {
    const person = await api.signedIn('external_user')
    const made = await Promise.all(times(20, () => person.report()))
    const [first] = made
    expect((await person.delete(`${REPORTS}${first?.id}/`)).status).toBe(200)
    expectRefusal(await person.post(REPORTS, {}), 409, 'too_many_reports')
    expect((await person.post(`${REPORTS}${first?.id}/restore/`)).status).toBe(200)
    expect(await countOf('report', person)).toBe(20)
  })

  it('are nobody else’s', async () => {
    const [full, other] = [await api.signedIn('external_user'), await api.signedIn('external_user')]
    quotas.reports = 1
    await full.report()
    expectRefusal(await full.post(REPORTS, {}), 409, 'too_many_reports')
    await other.report()
  })
})

describe('the folders of one person', () => {
  it('end exactly at their number, however many are made at once; deleted ones count', async () => {
    const person = await api.signedIn('external_user')
    const by_status = await statusesOf(times(50, nth => person.post(FOLDERS, { name: `Folder ${nth}` })))
    expect([...by_status.keys()].toSorted()).toEqual([201, 409])
    expect(by_status.get(201)).toHaveLength(20)
    expect(await countOf('folder', person)).toBe(20)
    const { id } = await api.db
      .selectFrom('folder')
      .select('id')
      .where('owner', '=', person.user.id)
      .limit(1)
      .executeTakeFirstOrThrow()
    expect((await person.delete(`${FOLDERS}${id}/`, {})).status).toBe(200)
    const refused = await person.post(FOLDERS, { name: 'One more' })
    expectRefusal(refused, 409, 'too_many_folders')
    expect(refused.body).toMatchObject({ limit: 20 })
    expect((await person.post(`${FOLDERS}${id}/restore/`)).status).toBe(200)
  })
})
