import { describe, expect, it } from 'vitest'
import { z } from 'zod'
import { sourceOf, type AccountRef, type ReportRequest } from '#server/connectors/connector.ts'
import { sandboxOfFile } from '#server/connectors/testing/sandbox.ts'
import { keyOf, rowsOf, summed, testContext } from '#server/connectors/testing/context.ts'
import { ga4 } from './report.ts'
import { answerOf, fetchFrom, type Body } from './testing/responses.ts'

const NOW = '2026-11-21T04:00:00Z'
const ODD = ['it\'s "50%" \\ 轉換', 'Purchase', '.*', 'x'.repeat(200), 'add_to_cart']
const aurora: AccountRef = {
  provider: 'ga4',
  external_id: '384626431',
  currency: 'TWD',
  timezone: 'Asia/Taipei',
  via: null,
}
const source = sourceOf(ga4, {
  client_id: '100000000000-sandbox.apps.googleusercontent.com',
  client_secret: 'GOCSPX-sandbox-client-secret',
  refresh_token: 'sandbox-agency',
})
const sandbox = sandboxOfFile(NOW)
const context = () => testContext(sandbox.base_url, NOW)

const requestOf = (changes: Partial<ReportRequest> = {}): ReportRequest => ({
  channel: 'ga4',
  account: aurora,
  range: { start: '2026-10-01', end: '2026-10-14' },
  time: 'date',
  dimensions: ['campaign'],
  metrics: ['sessions', 'conversions', 'conversion_value'],
  filters: [],
  ...changes,
})
const fetchRows = (changes: Partial<ReportRequest> = {}) =>
  rowsOf(source.fetchReport(requestOf(changes), context()))
const reports = async () =>
  (await sandbox.requests()).filter(({ path }) => path.includes(':runReport')).length

describe('conversions of GA4 by key event', () => {
  it('are what GA4 says of each key event, added up, beside the sessions', async () => {
    const rows = await fetchRows({ actions: ['purchase', 'generate_lead'] })
    const byHand = await reportByHand(
      ['date', 'sessionCampaignName'],
      ['sessions', 'keyEvents:purchase', 'keyEvents:generate_lead'],
    )
    expect(rows.map(({ date, keys, values }) => [date, ...keys, ...values.slice(0, 2)]).toSorted()).toEqual(
      byHand
        .map(([date = '', campaign, sessions, purchases, leads]) => [
          date.replace(/(\d{4})(\d{2})(\d{2})/, '$1-$2-$3'),
          campaign,
          Number(sessions),
          Number(purchases) + Number(leads),
        ])
        .toSorted(),
    )
    expect(rows.some(({ values }) => Number(values[1]) > 0)).toBe(true)
  })

  it('are worth what these events carry', async () => {
    const byHand = await reportByHand(['sessionCampaignName', 'eventName'], ['keyEvents', 'eventValue'])
    for (const name of ['purchase', 'generate_lead']) {
      const rows = await fetchRows({
        actions: [name],
        time: 'total',
        metrics: ['conversion_value', 'conversions'],
      })
      expect(Object.fromEntries(rows.map(({ keys, values }) => [keys[0], values]))).toEqual(
        Object.fromEntries(
          byHand
            .filter(([, event]) => event === name)
            .map(([campaign, , events, value]) => [
              campaign,
              [Math.round(Number(value) * 1e6), Number(events)],
            ]),
        ),
      )
    }
  })

  it('of events that do not exist, or are no key events, are none', async () => {
    expect(await fetchRows({ actions: ODD, metrics: ['conversions', 'conversion_value'] })).toEqual([])
    const beside = await fetchRows({ actions: ODD })
    expect(beside.length).toBeGreaterThan(0)
    expect(beside.filter(({ values }) => values[1] !== 0 || values[2] !== 0)).toEqual([])
    const purchases = await fetchRows({ actions: ['purchase'] })
    expect(await fetchRows({ actions: [...ODD, 'purchase', 'purchase'] })).toEqual(purchases)
  })

  it('add up to the same whatever the grain, and obey the filters of the report', async () => {
    const actions = ['purchase']
    const metrics = ['conversions', 'conversion_value']
    const days = await fetchRows({ actions, metrics, dimensions: ['source', 'medium'] })
    const total = await fetchRows({ actions, metrics, time: 'total', dimensions: ['source', 'medium'] })
    expect(summed(total, ({ keys }) => keys.join())).toEqual(summed(days, ({ keys }) => keys.join()))
    expect(new Set(days.map(keyOf)).size).toBe(days.length)
    const filters = [{ field: 'medium' as const, rule: 'EQUAL' as const, values: ['cpc'] }]
    const filtered = await fetchRows({ actions, metrics, dimensions: ['source', 'medium'], filters })
    expect(filtered).toEqual(days.filter(({ keys }) => keys[1] === 'cpc'))
  })

  it('take one request by themselves, and one more beside others, of ten metrics as before', async () => {
    await fetchRows({ actions: ['purchase', 'generate_lead'], metrics: ['conversions', 'conversion_value'] })
    expect(await reports()).toBe(1)
    const metrics = ['sessions', 'conversions', 'revenue', 'transactions', 'tax', 'shipping', 'users']
    const others = ['new_users', 'pageviews', 'add_to_carts', 'checkouts', 'conversion_value']
    const sent: Body[] = []
    await fetchFrom(
      body => {
        sent.push(body)
        return answerOf(body, [])
      },
      { metrics: [...metrics, ...others], actions: ['b', 'a'] },
    )
    expect(sent.map(body => body.metrics.length).toSorted((one, other) => one - other)).toEqual([2, 10])
    const filter = { inListFilter: { values: ['a', 'b'], caseSensitive: true }, fieldName: 'eventName' }
    expect(sent.flatMap(body => body.dimensionFilter ?? [])).toEqual([
      { andGroup: { expressions: [expect.anything(), { filter }] } },
    ])
  })
})

describe('the key events of a property', () => {
  it('are those that happened in 90 days, most first, with their value, from one request', async () => {
    const listed = await source.listActions(aurora, context())
    expect(await reports()).toBe(1)
    const range = { startDate: '2026-08-24', endDate: '2026-11-21' }
    const byHand = await reportByHand(['eventName'], ['keyEvents', 'eventValue'], range)
    const expected = byHand
      .map(([name, events, value]) => ({
        name,
        conversions: Number(events),
        value: Math.round(Number(value) * 1e6),
      }))
      .filter(({ conversions }) => conversions > 0)
    expect(expected.length).toBe(2)
    expect(listed).toEqual(expected.toSorted((one, other) => other.conversions - one.conversions))
  })

  it('are none of a property without visits', async () => {
    expect(await source.listActions({ ...aurora, external_id: '384626444' }, context())).toEqual([])
  })
})

const Report = z.object({
  rows: z.array(
    z.object({
      dimensionValues: z.array(z.object({ value: z.string() })),
      metricValues: z.array(z.object({ value: z.string() })),
    }),
  ),
})

/** What GA4 says: the values of each row. */
async function reportByHand(
  dimensions: string[],
  metrics: string[],
  range = { startDate: '2026-10-01', endDate: '2026-10-14' },
): Promise<string[][]> {
  const url = `${sandbox.base_url}/v1beta/properties/${aurora.external_id}:runReport`
  const response = await fetch(url, {
    method: 'POST',
    headers: { authorization: 'Bearer sandbox-admin', 'content-type': 'application/json' },
    body: JSON.stringify({
      dateRanges: [range],
      dimensions: dimensions.map(name => ({ name })),
      metrics: metrics.map(name => ({ name })),
      limit: '100000',
    }),
  })
  return Report.parse(await response.json()).rows.map(row =>
    [...row.dimensionValues, ...row.metricValues].map(({ value }) => value),
  )
}
