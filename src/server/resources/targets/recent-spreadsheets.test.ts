import { randomUUID } from 'node:crypto'
import * as fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { identities, mayUseSpreadsheet } from '#shared/access.ts'
import { RecentSpreadsheets } from '#shared/api/spreadsheets.ts'
import { testApi, type Client } from '#server/http/testing/api.ts'
import { advertisersOf } from '#server/resources/people/queries.ts'
import { spreadsheetEffects } from '#server/resources/spreadsheets/effects.ts'
import { testService } from '#server/sheets/testing/service.ts'
import { provenSpreadsheets } from './recent-queries.ts'

const service = await testService()
const api = await testApi({ effects: { spreadsheets: spreadsheetEffects(service.seeking()) } })
const google = api.effects.settings
const builtIn = { ...google, built_in_sheets: { sheets: service.origin, drive: service.origin } }

const recent = async (who: Client, search = '') => {
  const response = await who.get(`/api/ad/gs_spreadsheet/?${new URLSearchParams({ search })}`)
  expect(response.status, JSON.stringify(response.body)).toBe(200)
  return RecentSpreadsheets.parse(response.body)
}
const titles = async (who: Client, search = '') =>
  (await recent(who, search)).results.map(({ title }) => title)

const newId = () => randomUUID().replaceAll('-', '').repeat(2).slice(0, 44)
interface Proven {
  advertiser?: number | null
  proven_by?: number | null
  department?: number | null
  title?: string | null
  verified_at?: Date
  lapsed_at?: Date
}
async function proven(facts: Proven) {
  const spreadsheet_id = newId()
  const scope = { advertiser: null, proven_by: null, department: null }
  await api.db
    .insertInto('spreadsheet_binding')
    .values({ spreadsheet_id, proof: 'permission', title: 'Proven', ...scope, ...facts })
    .execute()
  return spreadsheet_id
}
const urlOf = (id: string) => `https://docs.google.com/spreadsheets/d/${id}/edit`
const at = (minute: number) => new Date(Date.UTC(2030, 0, 1, 9, minute))

describe('the spreadsheets of a person', () => {
  it('are those that they have proven and those of their reports, last used first', async () => {
    const me = await api.client()
    const mine = { advertiser: me.advertiser, proven_by: me.user.id }
    const older = await proven({ ...mine, title: 'Older', verified_at: at(1) })
    await proven({ ...mine, title: 'Newer', verified_at: at(2) })
    await proven({ advertiser: me.advertiser, title: 'Of a colleague who writes there alone' })
    const shared = await proven({ advertiser: me.advertiser, title: 'Of a colleague', verified_at: at(3) })
    await me.report({ name: 'Mine', spreadsheet_url: urlOf(shared) })
    for (const name of ['A', 'B', 'C', 'D']) {
      api.clock.now = new Date(api.clock.now.getTime() + 1000)
      await me.report({ name, spreadsheet_url: urlOf(older) })
    }
    const { results, has_more } = await recent(me)
    expect(results.map(({ title }) => title)).toEqual(['Of a colleague', 'Newer', 'Older'])
    expect(has_more).toBe(false)
    expect(results[0]).toMatchObject({
      spreadsheet_url: urlOf(shared),
      tabs: null,
      last_used_at: at(3).toISOString(),
      reports: [{ name: 'Mine' }],
      report_count: 1,
    })
    expect(results[2]?.reports.map(({ name }) => name)).toEqual(['D', 'C', 'B'])
    expect(results[2]?.report_count).toBe(4)
  })

  it('are found by a part of their title, in any case, and literally', async () => {
    const me = await api.client()
    for (const title of ['Spring 100%', 'Spring 1000', 'Autumn'])
      await proven({ advertiser: me.advertiser, proven_by: me.user.id, title })
    expect((await titles(me, 'SPRING')).toSorted()).toEqual(['Spring 100%', 'Spring 1000'])
    expect(await titles(me, '100%')).toEqual(['Spring 100%'])
  })

  it('are none whose proof is another’s or has ended, whatever a report of theirs names', async () => {
    const [me, outsider] = [await api.client(), await api.client()]
    const files = [
      await proven({ advertiser: outsider.advertiser, proven_by: outsider.user.id }),
      // A member who has left.
      await proven({ advertiser: outsider.advertiser, proven_by: me.user.id }),
      await proven({ advertiser: me.advertiser, proven_by: me.user.id, lapsed_at: at(0) }),
      await proven({ proven_by: me.user.id, department: 2 }),
      newId(),
    ]
    for (const id of files) await me.report({ spreadsheet_url: urlOf(id) })
    expect(await recent(me)).toEqual({ results: [], has_more: false })
  })

  it('name the person’s own reports only', async () => {
    const [me, colleague] = [await api.client(), await api.client()]
    await api.db
      .insertInto('advertiser_member')
      .values({ advertiser: me.advertiser, user_id: colleague.user.id })
      .execute()
    const id = await proven({ advertiser: me.advertiser, proven_by: me.user.id })
    await colleague.report({ name: 'Of a colleague', spreadsheet_url: urlOf(id) })
    expect((await recent(me)).results).toMatchObject([{ reports: [], report_count: 0 }])
  })

  it('are the last fifty, and it says that there are more', async () => {
    const me = await api.client()
    for (let minute = 0; minute < 51; minute++)
      await proven({ advertiser: me.advertiser, proven_by: me.user.id, verified_at: at(minute) })
    const { results, has_more } = await recent(me)
    expect([results.length, has_more, results.at(-1)?.last_used_at]).toEqual([50, true, at(1).toISOString()])
  })

  it('obey the one rule about whose a spreadsheet is, for anybody', async () => {
    const advertisers = [await api.advertiser('One'), await api.advertiser('Two')]
    const departments = [1, 2]
    const people = await Promise.all(
      identities.flatMap(identity =>
        departments.map(async department => {
          const person = await api.signedIn(identity, { department })
          const [advertiser = 0] = advertisers
          if (department === 1)
            await api.db
              .insertInto('advertiser_member')
              .values({ advertiser, user_id: person.user.id })
              .execute()
          return person.user
        }),
      ),
    )
    const scope = fc.record({
      advertiser: fc.option(fc.constantFrom(...advertisers)),
      department: fc.option(fc.constantFrom(...departments)),
    })
    await fc.assert(
      fc.asyncProperty(fc.constantFrom(...people), scope, async (person, facts) => {
        const of = { ...facts, proven_by: person.id }
        const id = await proven(of)
        const found = await provenSpreadsheets(api.db, person, { search: '', limit: 1000 })
        expect(found.some(({ spreadsheet_id }) => spreadsheet_id === id)).toBe(
          mayUseSpreadsheet(person, of, await advertisersOf(api.db, person)),
        )
      }),
      { numRuns: process.env['LONG'] ? 1000 : 60 },
    )
  })
})

describe('with the built-in service', () => {
  const withBuiltIn = async (work: () => Promise<void>) => {
    api.effects.settings = builtIn
    await work().finally(() => (api.effects.settings = google))
  }

  it('those that the person can edit are among them, and no other’s', async () => {
    const email = `${randomUUID()}@people.demo`
    const [me, outsider] = [await api.client({ email, email_confirmed: true }), await api.client()]
    const [mine, owner] = [service.person(email), service.person(`${randomUUID()}@people.demo`)]
    await mine.create()
    const viewed = await owner.create()
    await owner.share(viewed, email, 'reader')
    const edited = await owner.create()
    await owner.share(edited, email)
    const others = await owner.create()
    await owner.share(others, email)
    await api.db
      .insertInto('spreadsheet_binding')
      .values({
        spreadsheet_id: others,
        advertiser: outsider.advertiser,
        proof: 'permission',
        proven_by: null,
      })
      .execute()
    await withBuiltIn(async () => {
      const { results } = await recent(me)
      expect(results).toHaveLength(2)
      expect(results.map(({ spreadsheet_url }) => spreadsheet_url)).toContain(
        `http://localhost:3000/spreadsheets/d/${edited}/edit`,
      )
      expect(await titles(me, 'no such title')).toEqual([])
    })
  })

  it('one that was created for them has its number of tabs', async () => {
    const me = await api.client({ email: `${randomUUID()}@people.demo`, email_confirmed: true })
    await withBuiltIn(async () => {
      await me.post('/api/ad/gs_spreadsheet/', { report_name: 'Counted' })
      expect((await recent(me)).results).toMatchObject([
        { title: `Client ${me.user.username} – Counted`, tabs: 1 },
      ])
    })
  })
})
