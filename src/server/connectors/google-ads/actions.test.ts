import { describe, expect, it } from 'vitest'
import { z } from 'zod'
import { sourceOf, type ReportRequest } from '#server/connectors/connector.ts'
import { sandboxOfFile } from '#server/connectors/testing/sandbox.ts'
import { keyOf, rowsOf, summed, testContext, type ComparableRow } from '#server/connectors/testing/context.ts'
import { API_VERSION } from './fields.ts'
import { googleAds } from './report.ts'
import { closed, direct, fault, japan, login, NOW, pageSize } from './testing/sandbox.ts'

const PURCHASE = 'Purchase (web)'
const LEAD = 'Lead form "資料請求" 100%_[new]'
const ODD = ["it's \\ 100%", "x' OR campaign.id > 0 --", '\\', 'Sign-up\\', '轉'.repeat(200), 'sign-up']
const source = sourceOf(googleAds, login)
const sandbox = sandboxOfFile(NOW, pageSize(100))
const context = () => testContext(sandbox.base_url, NOW)

const requestOf = (changes: Partial<ReportRequest> = {}): ReportRequest => ({
  channel: 'aw',
  account: japan,
  range: { start: '2026-10-01', end: '2026-10-31' },
  time: 'date',
  dimensions: ['campaign'],
  metrics: ['conversions', 'conversion_value'],
  filters: [],
  ...changes,
})
const fetchRows = (changes: Partial<ReportRequest> = {}) =>
  rowsOf(source.fetchReport(requestOf(changes), context()))
const searches = async () =>
  (await sandbox.requests()).filter(({ path }) => path.includes('googleAds:search')).length

describe('conversions of Google Ads by action', () => {
  it('are the sum of the actions, each day and campaign once', async () => {
    const rows = await fetchRows({ actions: [PURCHASE, LEAD] })
    const byHand = (await rowsByHand()).filter(({ labels: [name] }) => name === PURCHASE || name === LEAD)
    expect(new Set(byHand.map(({ labels: [name] }) => name)).size).toBe(2)
    expect(byHand.length).toBeGreaterThan(rows.length)
    expect(summed(rows, keyOf)).toEqual(summed(byHand, keyOf))
    expect(new Set(rows.map(keyOf)).size).toBe(rows.length)
  })

  it('count actions that are not primary, and of all actions are all conversions', async () => {
    const signUps = await fetchRows({ actions: ['Sign-up'] })
    expect(signUps.length).toBeGreaterThan(0)
    const every = await fetchRows({ actions: [PURCHASE, LEAD, 'App install', 'Sign-up'], time: 'month' })
    const all = await fetchRows({ metrics: ['all_conversions', 'all_conversion_value'], time: 'month' })
    expect(summed(every, keyOf)).toEqual(
      summed(
        all.filter(({ values }) => values.some(value => value > 0)),
        keyOf,
      ),
    )
  })

  it.each(['total', 'week', 'month_week'] as const)('add up to the same by %s', async time => {
    const request = { actions: [PURCHASE, LEAD], dimensions: ['device_type' as const] }
    const byDevice = ({ keys }: ComparableRow) => keys.join()
    expect(summed(await fetchRows({ ...request, time }), byDevice)).toEqual(
      summed(await fetchRows(request), byDevice),
    )
  })

  it('are in the same rows whichever of their numbers is requested', async () => {
    for (const time of ['date', 'total'] as const) {
      const both = await fetchRows({ actions: [LEAD, PURCHASE], time })
      const values = await fetchRows({ actions: [LEAD, PURCHASE], time, metrics: ['conversion_value'] })
      expect(values.map(keyOf)).toEqual(both.map(keyOf))
      expect(values.map(row => row.values[0])).toEqual(both.map(row => row.values[1]))
      expect(values.some(row => row.values[0] === 0)).toBe(time === 'date')
    }
  })

  it('of actions that do not exist are none, whatever they are called, and case matters', async () => {
    expect(await fetchRows({ actions: ODD })).toEqual([])
    expect(await fetchRows({ actions: [...ODD, LEAD, LEAD] })).toEqual(await fetchRows({ actions: [LEAD] }))
  })

  it('say the same of a month that Google had no time for as a whole', async () => {
    const request = { actions: [PURCHASE], time: 'month' as const }
    const undisturbed = await fetchRows(request)
    await sandbox.setFaults([
      { ...fault('server_error', { status: 504 }), count: 3, path: 'googleAds:search' },
    ])
    expect(await fetchRows(request)).toEqual(undisturbed)
  })

  it('take one request, with the filters of the report', async () => {
    await sandbox.setLimits(pageSize(10_000))
    const filters = [{ field: 'campaign_name' as const, rule: 'CONTAINS' as const, values: ['2026'] }]
    const rows = await fetchRows({ actions: [PURCHASE], filters })
    expect(await searches()).toBe(1)
    expect(rows.length).toBeGreaterThan(0)
    expect(rows.filter(({ labels: [name] }) => !name?.includes('2026'))).toEqual([])
  })

  it('are refused beside anything else, and of keywords, before anything is sent', async () => {
    for (const request of [
      { metrics: ['cost', 'conversions'] },
      { metrics: ['conversion_value', 'all_conversions'] },
      { channel: 'aw_keyword' as const },
    ])
      await expect(fetchRows({ ...request, actions: [LEAD] })).rejects.toThrow('combination_not_allowed')
    expect(await searches()).toBe(0)
    // Of what is no conversion the actions say nothing.
    expect(await fetchRows({ metrics: ['cost'], actions: [LEAD] })).toEqual(
      await fetchRows({ metrics: ['cost'] }),
    )
  })
})

describe('the actions of an account of Google Ads', () => {
  it('are those of the last 90 days, most conversions first, from one request', async () => {
    const listed = await source.listActions(japan, context())
    expect(await searches()).toBe(1)
    const byHand = await rowsByHand({ start: '2026-08-24', end: '2026-11-21' })
    const sums = summed(byHand, ({ labels: [name] }) => name ?? '')
    expect(Object.fromEntries(listed.map(each => [each.name, [each.conversions, each.value]]))).toEqual(sums)
    const counts = listed.map(({ conversions }) => conversions)
    expect(counts).toEqual(counts.toSorted((one, other) => other - one))
  })

  it('are looked for through every manager, and their refusal is the account’s', async () => {
    expect((await source.listActions({ ...direct, via: '9990000009' }, context())).length).toBeGreaterThan(0)
    expect(await searches()).toBe(2)
    await expect(source.listActions(closed, context())).rejects.toThrow('account_access_lost')
  })
})

/** What Google says, action by action. */
async function rowsByHand(range = { start: '2026-10-01', end: '2026-10-31' }): Promise<ComparableRow[]> {
  await sandbox.setLimits(pageSize(10_000))
  const response = await fetch(
    `${sandbox.base_url}/${API_VERSION}/customers/${japan.external_id}/googleAds:search`,
    {
      method: 'POST',
      headers: {
        authorization: 'Bearer sandbox-agency',
        'login-customer-id': '1110000001',
        'content-type': 'application/json',
      },
      body: JSON.stringify({
        query: `SELECT campaign.id, segments.date, segments.conversion_action_name, metrics.all_conversions,
          metrics.all_conversions_value FROM campaign
          WHERE segments.date BETWEEN '${range.start}' AND '${range.end}'`,
      }),
    },
  )
  await sandbox.setLimits(pageSize(100))
  return ActionDays.parse(await response.json()).results.map(({ campaign, segments, metrics }) => ({
    date: segments.date,
    keys: [campaign.id],
    labels: [segments.conversionActionName],
    values: [metrics.allConversions, Math.round(metrics.allConversionsValue * 1e6)],
  }))
}

const ActionDays = z.object({
  nextPageToken: z.undefined().optional(),
  results: z.array(
    z.object({
      campaign: z.object({ id: z.string() }),
      segments: z.object({ date: z.string(), conversionActionName: z.string() }),
      metrics: z.object({
        allConversions: z.number().default(0),
        allConversionsValue: z.number().default(0),
      }),
    }),
  ),
})
