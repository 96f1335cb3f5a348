import { afterAll, beforeEach, describe, expect, it } from 'vitest'
import type { Channel } from '#shared/channels/catalogue.ts'
import type { Provider } from '#shared/platforms.ts'
import { FilterValues } from '#shared/api/filter-values.ts'
import { ReportPending, PlatformFailure, sourceOf, type Source } from '#server/connectors/connector.ts'
import { meta } from '#server/connectors/meta/report.ts'
import { startTestSandbox } from '#server/connectors/testing/sandbox.ts'
import { testContext } from '#server/connectors/testing/context.ts'
import { expectRefusal, testApi, type ApiResponse, type Client } from '#server/http/testing/api.ts'
import { createPlatformNames } from './platform-names.ts'
import { deleteOldNames } from './queries.ts'

const NOW = '2026-11-20T01:00:00Z'
const DAY = 24 * 3600_000
const sandbox = await startTestSandbox()
afterAll(() => sandbox.stop())
const real = sourceOf(meta, { access_token: 'sandbox-agency' })
/** The platform that the next requests go to. */
let source: Source | null = real
/** Why its login is unavailable. */
let refusal: PlatformFailure | null = null
const api = await testApi({
  effects: {
    platformNames: createPlatformNames({
      async sourceOf() {
        if (refusal) throw refusal
        return source
      },
      platforms: testContext(sandbox.base_url, NOW),
    }),
  },
})
beforeEach(async () => {
  source = real
  refusal = null
  api.clock.now = new Date(NOW)
  await sandbox.reset(NOW)
  await api.db.deleteFrom('filter_value').execute()
})

const call = (client: Pick<Client, 'get'>, query: Record<string, string | number>) =>
  client.get(`/api/ad/filter-values/?${new URLSearchParams(query as Record<string, string>)}`)
const valuesIn = (response: ApiResponse) => {
  expect(response, JSON.stringify(response.body)).toMatchObject({ status: 200 })
  return FilterValues.parse(response.body)
}
const director = await api.signedIn('director')
const accountAt = async (name: string, facts: object = {}) => {
  const listed = (await Array.fromAsync(real.listAccounts(testContext(sandbox.base_url, NOW)))).flat()
  const found = listed.find(account => account.name === name)
  if (!found) throw new Error(`the sandbox has no ${name}`)
  return await insert({
    channel: 'fb',
    provider: 'meta',
    external_id: found.external_id,
    name,
    timezone: found.timezone,
    ...facts,
  })
}
async function insert(facts: {
  channel: Channel
  provider: Provider
  external_id: string
  name: string
  timezone: string
}) {
  const { id } = await api.db
    .insertInto('ad_account')
    .values({ currency: 'TWD', advertiser: null, ...facts })
    .returning('id')
    .executeTakeFirstOrThrow()
  return id
}
const aurora = await accountAt('Aurora Cosmetics Taiwan', { ecid: 'EC1001' })
const outlet = await accountAt('Aurora Cosmetics Outlet', { ecid: 'EC1002' })
const campaigns = { channel: 'fb', accounts: aurora, field: 'campaign_name' }
const insights = async () => (await sandbox.requests()).filter(({ path }) => path.includes('insights'))

describe('suggestions for the values of a filter', () => {
  it('are the platform’s names of the last 30 days, by name', async () => {
    const { values, complete } = valuesIn(await call(director, campaigns))
    expect(complete).toBe(true)
    expect(values.length).toBeGreaterThan(3)
    expect(values).toEqual(values.toSorted(new Intl.Collator('en', { numeric: true }).compare))
    const { values: ads } = valuesIn(await call(director, { ...campaigns, field: 'ad_name' }))
    expect(ads.length).toBeGreaterThan(values.length)
    expect(ads.length).toBeLessThanOrEqual(50)
  })

  it('contain the search text, ignoring case', async () => {
    const { values } = valuesIn(await call(director, campaigns))
    const [some = ''] = values.filter(value => /[a-z]/.test(value))
    const search = some.slice(1, 6)
    const found = valuesIn(await call(director, { ...campaigns, search: search.toUpperCase() })).values
    expect(found).toContain(some)
    expect(found.every(value => value.toLowerCase().includes(search.toLowerCase()))).toBe(true)
    expect(valuesIn(await call(director, { ...campaigns, search: 'no such name %' })).values).toEqual([])
  })

  it('are cached for a day, and then fetched again', async () => {
    const first = valuesIn(await call(director, campaigns))
    const requestCount = (await insights()).length
    expect(requestCount).toBeGreaterThan(0)
    expect(valuesIn(await call(director, campaigns))).toEqual(first)
    expect(await insights()).toHaveLength(requestCount)
    api.clock.now = new Date(Date.parse(NOW) + DAY + 1)
    valuesIn(await call(director, campaigns))
    expect((await insights()).length).toBeGreaterThan(requestCount)
  })

  it('are from all accounts of the request, each once', async () => {
    const both = { ...campaigns, accounts: `${aurora},${outlet}` }
    const { values } = valuesIn(await call(director, both))
    const of_one = valuesIn(await call(director, campaigns)).values
    const of_other = valuesIn(await call(director, { ...campaigns, accounts: outlet })).values
    const together = new Set([...of_one, ...of_other])
    expect(new Set(values)).toEqual(
      new Set([...together].toSorted(new Intl.Collator('en', { numeric: true }).compare).slice(0, 50)),
    )
  })

  it('of an account without names are fetched once a day, too', async () => {
    const empty: Source = { ...real, async *fetchReport() {} }
    source = empty
    expect(valuesIn(await call(director, campaigns))).toEqual({ values: [], complete: true })
    source = real
    expect(valuesIn(await call(director, campaigns))).toEqual({ values: [], complete: true })
  })

  it('are yesterday’s where the platform does not respond, and say that something is missing', async () => {
    const { values } = valuesIn(await call(director, campaigns))
    api.clock.now = new Date(Date.parse(NOW) + DAY + 1)
    await sandbox.setFaults([{ platform: 'meta', action: 'server_error' }])
    expect(valuesIn(await call(director, campaigns))).toEqual({ values, complete: false })
  })

  it('of a platform that is not connected, or whose login cannot be read, are none', async () => {
    source = null
    expect(valuesIn(await call(director, campaigns))).toEqual({ values: [], complete: false })
    refusal = new PlatformFailure('credential_unreadable')
    expect(valuesIn(await call(director, campaigns))).toEqual({ values: [], complete: false })
  })

  it('come with the next request where the platform prepares reports asynchronously', async () => {
    const requested: string[] = []
    let is_made = false
    source = {
      ...real,
      async prepare(_, { jobs }) {
        await jobs.startOnce('names', async () => {
          requested.push('names')
          return 'job 1'
        })
        if (!is_made) throw new ReportPending(3000)
      },
    }
    expect(valuesIn(await call(director, campaigns))).toEqual({ values: [], complete: false })
    is_made = true
    expect(valuesIn(await call(director, campaigns))).toMatchObject({ complete: true })
    expect(requested).toEqual(['names'])
  })

  it('about accounts come from the database, without any request', async () => {
    const of = async (field: string, search = '') =>
      valuesIn(await call(director, { channel: 'fb', accounts: `${aurora},${outlet}`, field, search })).values
    expect(await of('account_name')).toEqual(['Aurora Cosmetics Outlet', 'Aurora Cosmetics Taiwan'])
    expect(await of('account_name', 'OUT')).toEqual(['Aurora Cosmetics Outlet'])
    expect(await of('ecid')).toEqual(['EC1001', 'EC1002'])
    expect(await insights()).toEqual([])
  })

  it('are deleted when they were not requested for long', async () => {
    valuesIn(await call(director, campaigns))
    await deleteOldNames(api.db, new Date(Date.parse(NOW) + 91 * DAY))
    expect(await api.db.selectFrom('filter_value').selectAll().execute()).toEqual([])
  })
})

describe('suggestions', () => {
  it('are never another advertiser’s: a foreign account is treated like one that does not exist', async () => {
    const client = await api.signedIn('external_user')
    const other = await api.signedIn('external_user')
    const mine = await api.account({
      advertiser: await api.advertiser('Mine', [client.user.id]),
      name: 'Mine',
    })
    const foreign = await api.account({
      advertiser: await api.advertiser('Theirs', [other.user.id]),
      name: 'Theirs',
    })
    const about = (accounts: string) => call(client, { channel: 'fb', accounts, field: 'account_name' })
    expect(valuesIn(await about(`${mine}`)).values).toEqual(['Mine'])
    const refused = [await about(`${mine},${foreign}`), await about(`${mine},987654321`)]
    for (const response of refused)
      expectRefusal(response, 400, 'invalid', { accounts: ['field_not_available'] })
    const [one, missing] = refused.map(({ body }) => ({ ...(body as object), request_id: '' }))
    expect(one).toEqual(missing)
  })

  it('need a field and accounts of the channel', async () => {
    const refused = (query: Record<string, string | number>) => call(director, { ...campaigns, ...query })
    expectRefusal(await refused({ field: 'view_id' }), 400, 'invalid', { field: ['field_invalid'] })
    expectRefusal(await refused({ field: 'nothing' }), 400, 'invalid', { field: ['field_invalid'] })
    expectRefusal(await refused({ accounts: '1,x' }), 400, 'invalid', { accounts: ['field_invalid'] })
    expectRefusal(await refused({ channel: 'zz' }), 400, 'invalid', { channel: ['field_invalid'] })
    const elsewhere = await insert({
      channel: 'aw',
      provider: 'google_ads',
      external_id: '1',
      name: 'Elsewhere',
      timezone: 'Asia/Taipei',
    })
    expectRefusal(await refused({ accounts: elsewhere }), 400, 'invalid', {
      accounts: ['field_not_available'],
    })
  })
})
