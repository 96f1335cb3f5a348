import { describe, expect, it } from 'vitest'
import { z } from 'zod'
import {
  countingSource,
  sourceOf,
  type AccountRef,
  type ReportRequest,
} from '#server/connectors/connector.ts'
import { sandboxOfFile } from '#server/connectors/testing/sandbox.ts'
import { fetchPages, rowsOf, testContext } from '#server/connectors/testing/context.ts'
import { meta } from './report.ts'

const NOW = '2026-11-21T04:00:00Z'
const PURCHASE = 'offsite_conversion.fb_pixel_purchase'
const OWN = /^offsite_conversion\.custom\.\d+$/
const aurora: AccountRef = {
  provider: 'meta',
  external_id: '10150357160960121',
  currency: 'TWD',
  timezone: 'Asia/Taipei',
  via: null,
}
const source = sourceOf(meta, { access_token: 'sandbox-admin', app_secret: 'sandbox-app-secret' })
const sandbox = sandboxOfFile(NOW)
const context = () => testContext(sandbox.base_url, NOW)

const requestOf = (changes: Partial<ReportRequest> = {}): ReportRequest => ({
  channel: 'fb',
  account: aurora,
  range: { start: '2026-10-01', end: '2026-10-14' },
  time: 'date',
  dimensions: ['campaign'],
  metrics: ['cost', 'conversions', 'conversion_value'],
  filters: [],
  ...changes,
})
const fetchRows = (changes: Partial<ReportRequest> = {}, to = context()) =>
  rowsOf(fetchPages(source, requestOf(changes), to))
const requestsSent = async () => (await sandbox.requests()).filter(({ path }) => path.includes('insights'))

describe('conversions of Meta by action', () => {
  it('are the sum of the actions of each row, beside the cost', async () => {
    const actions = ['lead', PURCHASE]
    const byHand = await insightsByHand({ level: 'campaign', time_increment: '1' })
    const rows = await fetchRows({ actions })
    expect(rows.length).toBe(byHand.length)
    const expected = byHand.map(row => [
      `${row.date_start} ${row.campaign_id}`,
      sumOf(row.actions, actions),
      Math.round(sumOf(row.action_values, actions) * 1e6),
    ])
    expect(rows.map(({ date, keys, values }) => [`${date} ${keys[0]}`, values[1], values[2]])).toEqual(
      expected.toSorted(([one], [other]) => (String(one) < String(other) ? -1 : 1)),
    )
    expect(rows.some(({ values }) => Number(values[1]) > 0 && Number(values[2]) > 0)).toBe(true)
  })

  it('leave all other numbers as they are, and take no further request', async () => {
    const metrics = ['cost', 'purchases', 'leads']
    const before = await fetchRows({ metrics })
    const requests = (await requestsSent()).length
    const after = await fetchRows({ metrics: [...metrics, 'conversions'], actions: ['lead'] })
    expect((await requestsSent()).length).toBe(2 * requests)
    expect(after.map(({ values }) => values.slice(0, 3))).toEqual(before.map(({ values }) => values))
    expect(after.map(({ values }) => values[3])).toEqual(after.map(({ values }) => values[2]))
  })

  it('of actions that do not exist are none, whatever they are called, and nothing counts twice', async () => {
    const odd = ['it\'s "50%" \\ 轉換', '__proto__', '"}],"x":[{"', 'x'.repeat(200)]
    const none = await fetchRows({ actions: odd })
    expect(none.length).toBe((await fetchRows()).length)
    expect(none.filter(({ values }) => values[1] !== 0 || values[2] !== 0)).toEqual([])
    const leads = await fetchRows({ actions: ['lead'] })
    expect(await fetchRows({ actions: ['lead', ...odd, 'lead'] })).toEqual(leads)
  })

  it('come from one and the same job, whichever actions are counted', async () => {
    const to = context()
    const month = { range: { start: '2026-10-01', end: '2026-10-31' }, dimensions: ['device_type' as const] }
    const leads = await fetchRows({ ...month, actions: ['lead'] }, to)
    const purchases = await fetchRows({ ...month, actions: [PURCHASE] }, to)
    const both = await fetchRows({ ...month, actions: [PURCHASE, 'lead'] }, to)
    expect(both.map(({ values }) => values[1])).toEqual(
      leads.map(({ values }, at) => Number(values[1]) + Number(purchases[at]?.values[1])),
    )
    const submitted = (await requestsSent()).filter(({ method }) => method === 'POST')
    expect(submitted.length).toBe(1)
  })
})

describe('the actions of an account of Meta', () => {
  it('are those of 90 days that may be conversions, most first, from one request', async () => {
    let calls = 0
    const counted = countingSource(source, () => void (calls += 1))
    const listed = await counted.listActions(aurora, context())
    expect([calls, (await requestsSent()).length]).toEqual([1, 1])
    const [total] = await insightsByHand({ level: 'account' }, { since: '2026-08-24', until: '2026-11-21' })
    const names = listed.map(({ name }) => name)
    expect(names).toEqual(expect.arrayContaining(['lead', PURCHASE, expect.stringMatching(OWN)]))
    expect(names).not.toEqual(expect.arrayContaining(['link_click']))
    expect(names.filter(name => /engagement|reaction|video_view|^(like|post|comment)$/.test(name))).toEqual(
      [],
    )
    for (const { name, conversions, value } of listed) {
      expect([name, conversions]).toEqual([name, sumOf(total?.actions, [name])])
      expect([name, value ?? 0]).toEqual([name, Math.round(sumOf(total?.action_values, [name]) * 1e6)])
    }
    const counts = listed.map(({ conversions }) => conversions)
    expect(counts).toEqual(counts.toSorted((one, other) => other - one))
    expect(listed.find(({ name }) => name === 'lead')?.value).toBeNull()
  })

  it('are none where nothing was delivered', async () => {
    const empty = { ...aurora, external_id: '10150622911041012' }
    expect(await source.listActions(empty, context())).toEqual([])
  })
})

const List = z.array(z.object({ action_type: z.string(), value: z.string() })).optional()
const Insights = z.object({
  data: z.array(
    z.object({
      date_start: z.string(),
      campaign_id: z.string().optional(),
      actions: List,
      action_values: List,
    }),
  ),
})

/** What Meta says, with all its actions. */
async function insightsByHand(
  params: Record<string, string>,
  range: { since: string; until: string } = { since: '2026-10-01', until: '2026-10-14' },
) {
  const query = new URLSearchParams({
    fields: `${params['level'] === 'campaign' ? 'campaign_id,' : ''}spend,actions,action_values`,
    time_range: JSON.stringify(range),
    limit: '1000',
    ...params,
  })
  const url = `${sandbox.base_url}/v25.0/act_${aurora.external_id}/insights?${query}`
  const response = await fetch(url, { headers: { authorization: 'Bearer sandbox-admin' } })
  return Insights.parse(await response.json()).data
}

const sumOf = (list: z.infer<typeof List>, types: string[]) =>
  (list ?? [])
    .filter(({ action_type }) => types.includes(action_type))
    .reduce((sum, { value }) => sum + Number(value), 0)
