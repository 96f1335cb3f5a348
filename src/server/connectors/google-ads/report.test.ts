import { describe, expect, it } from 'vitest'
import { z } from 'zod'
import { awMetrics } from '#shared/channels/aw-metrics.ts'
import { awKeywordMetrics } from '#shared/channels/aw_keyword.ts'
import type { Filter, Metric } from '#shared/channels/catalogue.ts'
import type { ReportRequest, RunNote } from '#server/connectors/connector.ts'
import { sandboxOfFile } from '#server/connectors/testing/sandbox.ts'
import {
  inOrder,
  rowsOf,
  summed,
  testContext,
  type RequestFields,
} from '#server/connectors/testing/context.ts'
import { API_VERSION, metricFields } from './fields.ts'
import { googleAds } from './report.ts'
import { GoogleAdsLogin, type GoogleAdsIo } from './schema.ts'
import { aurora, fault, japan, login, NOW, pageSize } from './testing/sandbox.ts'

const sandbox = sandboxOfFile(NOW, pageSize(100))

const io = (changes: Partial<GoogleAdsIo> = {}): GoogleAdsIo => ({
  ...testContext(sandbox.base_url, NOW),
  login: GoogleAdsLogin.parse(login),
  ...changes,
})

const October = { start: '2026-10-01', end: '2026-10-31' }
const defaults: RequestFields = {
  range: October,
  time: 'date',
  dimensions: [],
  metrics: ['impressions', 'cost'],
  filters: [],
}
const fetchRows = (request: Partial<ReportRequest> = {}, changes: Partial<GoogleAdsIo> = {}) =>
  rowsOf(googleAds.fetchReport({ channel: 'aw', account: aurora, ...defaults, ...request }, io(changes)))
const searches = async () =>
  (await sandbox.requests()).filter(({ path }) => path.includes('googleAds:search')).length

describe('Google Ads', () => {
  it('has the numbers of a query written by hand', async () => {
    await sandbox.setLimits(pageSize(10_000))
    const response = await asksGoogle(`customers/${japan.external_id}/googleAds:search`, {
      query: `SELECT campaign.id, campaign.name, segments.date, segments.device, metrics.clicks, metrics.cost_micros,
        metrics.conversions, metrics.conversions_value, metrics.video_watch_time_duration_millis
        FROM campaign WHERE segments.date BETWEEN '2026-10-01' AND '2026-10-31' AND metrics.impressions > 0`,
    })
    const byHand = CampaignDays.parse(response).results.map(({ campaign, segments, metrics }) => ({
      date: segments.date,
      keys: [campaign.id, segments.device],
      labels: [campaign.name, segments.device],
      values: [
        Number(metrics.clicks),
        Number(metrics.costMicros),
        metrics.conversions,
        Math.round(metrics.conversionsValue * 1e6),
        Number(metrics.videoWatchTimeDurationMillis) / 1000,
      ],
    }))
    const metrics = ['clicks', 'cost', 'conversions', 'conversion_value', 'video_watch_time']
    const rows = await fetchRows({ account: japan, dimensions: ['campaign', 'device_type'], metrics })
    expect(rows.length).toBeGreaterThan(1000)
    expect(rows).toEqual(inOrder(byHand))
  })

  it('reads ads and ad groups, which add up to campaigns but for Performance Max, and notes it', async () => {
    const notes: RunNote[] = []
    const changes = { note: (note: RunNote) => void notes.push(note) }
    const metrics = ['impressions', 'cost', 'conversions']
    const campaigns = await fetchRows({ dimensions: ['campaign'], metrics }, changes)
    expect(notes).toEqual([])
    const groups = await fetchRows({ dimensions: ['campaign', 'ad_group'], metrics }, changes)
    expect(notes).toEqual([{ code: 'no_performance_max', detail: { account: aurora.external_id } }])
    const ads = await fetchRows({ dimensions: ['campaign', 'ad'], metrics })
    const byCampaign = ({ date, keys: [campaign] }: { date: string; keys: string[] }) => `${date} ${campaign}`
    expect(summed(ads, byCampaign)).toEqual(summed(groups, byCampaign))
    const ofCampaigns = summed(campaigns, byCampaign)
    const ofGroups = summed(groups, byCampaign)
    const alike = Object.keys(ofGroups)
    expect(ofGroups).toEqual(Object.fromEntries(alike.map(key => [key, ofCampaigns[key]])))
    expect(alike.length).toBeLessThan(Object.keys(ofCampaigns).length)
  })

  it('says nothing of Performance Max where the filters leave it out', async () => {
    const notes: RunNote[] = []
    const filters: Filter[] = [{ field: 'campaign_name', rule: 'EQUAL', values: ['春夏彩妝'] }]
    const dimensions = ['ad_group', 'campaign'] as const
    const changes = { note: (note: RunNote) => void notes.push(note) }
    expect(await fetchRows({ dimensions: [...dimensions], filters }, changes)).not.toEqual([])
    expect(notes).toEqual([])
  })

  it('yields every ad once, whatever passes by at any of its requests', async () => {
    const fortnight = { start: '2026-10-01', end: '2026-10-14' }
    const request = { dimensions: ['ad' as const], range: fortnight }
    const undisturbed = await fetchRows(request)
    const requests = await searches()
    expect(requests).toBeGreaterThan(8)
    for (const transient of [fault('expired_page_token'), fault('server_error', { status: 504 })]) {
      for (let skip = 0; skip < requests; skip += 1) {
        await sandbox.setFaults([{ ...transient, skip, count: 1, path: 'googleAds:search' }])
        expect(await fetchRows(request), `${transient.action} at ${skip}`).toEqual(undisturbed)
      }
    }
  })

  it('says the same of a month that Google had no time for as a whole', async () => {
    const request = {
      range: { start: '2026-09-16', end: '2026-10-25' },
      metrics: ['impressions', 'cost', 'conversion_value', 'video_p50'],
    }
    for (const query of [
      { dimensions: ['campaign' as const], time: 'month' as const },
      { dimensions: ['keyword' as const], time: 'week' as const, channel: 'aw_keyword' as const },
    ]) {
      const undisturbed = await fetchRows({ ...request, ...query })
      await sandbox.setFaults([
        { ...fault('server_error', { status: 504 }), count: 3, path: 'googleAds:search' },
      ])
      expect(await fetchRows({ ...request, ...query })).toEqual(undisturbed)
    }
  })

  it('names ads by their headline where they have no name, and by what they are where they have none either', async () => {
    const rows = await fetchRows({ dimensions: ['ad'], time: 'total' })
    expect(rows.filter(({ labels: [label] }) => label === '')).toEqual([])
    expect(rows.map(({ labels: [label] }) => label)).toContain('[50%] off_now A')
    const dropped = await fetchRows({ dimensions: ['ad'], time: 'total' }, { fetch: withoutHeadlines })
    const nameless = dropped.filter(({ labels: [label = ''] }) =>
      label.startsWith('RESPONSIVE_SEARCH_AD 1202'),
    )
    expect(nameless.length).toBeGreaterThan(3)
  })

  it('gives reach as Google says it for each grain: less than the sum of its parts', async () => {
    const metrics = ['reach', 'impressions']
    const [total] = await fetchRows({ metrics, time: 'total' })
    const days = await fetchRows({ metrics })
    const reaches = days.map(({ values: [reach = 0] }) => reach)
    expect(total?.values[0]).toBeGreaterThan(Math.max(...reaches))
    expect(total?.values[0]).toBeLessThan(reaches.reduce((people, more) => people + more, 0))
    const [month] = await fetchRows({ metrics, time: 'month' })
    expect(month?.values).toEqual(total?.values)
  })

  it('requests people in as many parts as it takes, and refuses a row that is too long', async () => {
    const range = { start: '2026-03-10', end: '2026-10-31' }
    const before = await searches()
    const weeks = await fetchRows({ range, time: 'week', metrics: ['reach'] })
    expect((await searches()) - before).toBe(3)
    expect(weeks.length).toBe(34)
    const often = await fetchRows({ range, time: 'week', metrics: ['reach', 'reach_2plus'] })
    expect((await searches()) - before).toBe(3 + 9)
    expect(often.map(({ date, values }) => [date, values[0]])).toEqual(
      weeks.map(({ date, values }) => [date, values[0]]),
    )
    await expect(fetchRows({ range, time: 'total', metrics: ['reach'] })).rejects.toThrow('too_large')
    await expect(fetchRows({ range, time: 'total' })).resolves.toHaveLength(1)
  })

  it('leaves people empty where Google does not know them', async () => {
    const rows = await fetchRows({ time: 'total', dimensions: ['campaign'], metrics: ['reach', 'clicks'] })
    const unknown = rows.filter(({ values: [reach] }) => Number.isNaN(reach))
    expect(unknown.length).toBeGreaterThan(2)
    expect(unknown.length).toBeLessThan(rows.length)
    expect(rows.filter(({ values: [, clicks] }) => Number.isNaN(clicks))).toEqual([])
  })

  it('leaves out what never delivered, whatever the grain and the metrics', async () => {
    const keysOf = async (request: Partial<ReportRequest>) => [
      ...new Set((await fetchRows({ dimensions: ['campaign'], ...request })).map(({ keys: [key] }) => key)),
    ]
    const keys = await keysOf({})
    expect((await keysOf({ time: 'total' })).toSorted()).toEqual(keys.toSorted())
    expect((await keysOf({ time: 'total', metrics: ['phone_calls'] })).toSorted()).toEqual(keys.toSorted())
    expect((await keysOf({ metrics: ['conversions'] })).toSorted()).toEqual(keys.toSorted())
  })

  it('keeps removed campaigns', async () => {
    const range = { start: '2026-09-01', end: '2026-09-30' }
    const rows = await fetchRows({ range, time: 'total', dimensions: ['campaign'] })
    expect(rows.map(({ labels: [name] }) => name)).toEqual(
      expect.arrayContaining(['Old stock', 'Deleted by mistake']),
    )
  })

  it('adds match types and ad groups of a keyword up, and leaves empty in what they differ', async () => {
    const notes: RunNote[] = []
    const changes = { note: (note: RunNote) => void notes.push(note) }
    const metrics = ['impressions', 'quality_score', 'search_impression_share']
    const dimensions: ReportRequest['dimensions'] = ['campaign', 'ad_group', 'keyword']
    const request = { channel: 'aw_keyword', time: 'total', metrics } as const
    const rows = await fetchRows({ ...request, dimensions }, changes)
    expect(notes).toEqual([{ code: 'keywords_only', detail: {} }])
    const scores = rows.map(({ values: [, score] }) => score ?? 0)
    expect(scores.filter(score => Number.isNaN(score)).length).toBeGreaterThan(2)
    expect(scores.filter(score => score >= 1 && score <= 10).length).toBeGreaterThan(8)
    const texts = await fetchRows({ ...request, metrics: ['impressions'], dimensions: ['keyword'] })
    const sums = summed(rows, ({ keys }) => keys[2] ?? '')
    for (const { keys, values } of texts) expect(sums[keys[0] ?? '']?.[0]).toBe(values[0])
  })

  it('reads every metric of the catalogue, each at a grain that has it', async () => {
    const unsaid = async (channel: 'aw' | 'aw_keyword', metrics: Record<string, Metric>) => {
      const never: string[] = []
      for (const [id, { kind, only_with = [] }] of Object.entries(metrics)) {
        if (kind === 'derived') continue
        const dimensions = only_with as ReportRequest['dimensions']
        const rows = await fetchRows({ channel, dimensions, metrics: [id], time: 'total' })
        // Few people are met ten times: that Google says 0 is a response, too.
        const isSaid = (value = 0) => (kind === 'additive' ? value > 0 : !Number.isNaN(value))
        if (!rows.some(({ values: [value] }) => isSaid(value))) never.push(id)
      }
      return never
    }
    expect(await unsaid('aw', awMetrics)).toEqual([])
    // Search ads have no videos.
    const videos = Object.keys(awKeywordMetrics).filter(id => /^video_(views|watch_time|p\d+)$/.test(id))
    expect(await unsaid('aw_keyword', awKeywordMetrics)).toEqual(videos)
  })

  it('reads each field as the type that Google says it has', async () => {
    const query = 'SELECT name, data_type, selectable, selectable_with'
    const said = FieldList.parse(await asksGoogle('googleAdsFields:search', { query })).results
    const types = new Map(said.map(field => [field.name, field]))
    for (const [metric, { read, field }] of Object.entries(metricFields)) {
      const { dataType, selectableWith = [] } = types.get(field) ?? {}
      const asText = read === 'whole' || read === 'milliseconds'
      expect(asText ? ['INT64'] : ['DOUBLE', 'INT32'], metric).toContain(dataType)
      if (!isOf(awMetrics, metric)) continue
      // The catalogue combines a metric with devices, ad groups and ads just where Google does.
      const { not_with = [] }: Metric = awMetrics[metric]
      const apart = (['ad_group', 'ad', 'device_type'] as const).filter(
        dimension => !selectableWith.includes(besides[dimension]),
      )
      expect([metric, [...not_with].toSorted()]).toEqual([metric, apart.toSorted()])
    }
  })

  it('may request each metric beside every dimension that the catalogue combines with it', async () => {
    const range = { start: '2026-10-10', end: '2026-10-10' }
    for (const [channel, metrics, finest] of [
      ['aw', awMetrics, ['campaign', 'ad_group', 'ad', 'device_type']],
      ['aw_keyword', awKeywordMetrics, ['campaign', 'ad_group', 'keyword', 'device_type']],
    ] as const) {
      const every: [string, Metric][] = Object.entries(metrics)
      for (const dimension of finest) {
        const dimensions = [
          ...finest.slice(
            0,
            finest.findIndex(each => each === dimension),
          ),
          dimension,
        ]
        const ids = every
          .filter(([, { kind }]) => kind !== 'derived')
          .filter(([, { only_with = [], not_with = [] }]) => {
            const own: readonly string[] = dimensions
            return only_with.every(each => own.includes(each)) && !not_with.some(each => own.includes(each))
          })
          .map(([id]) => id)
        const rows = await fetchRows({ channel, range, dimensions, metrics: ids, account: japan })
        expect(rows.length, `${channel} ${dimensions}`).toBeGreaterThan(0)
      }
    }
  })

  it('knows no field that the version before does not know', async () => {
    const older: typeof fetch = (url, init) => fetch(String(url).replace('/v26/', '/v25/'), init)
    const ids = Object.entries(awMetrics).filter(([, { kind }]) => kind !== 'derived')
    const metrics = ids.map(([id]) => id).filter(id => !id.startsWith('phone_'))
    expect(await fetchRows({ metrics }, { fetch: older })).toEqual(await fetchRows({ metrics }))
    const dimensions: ReportRequest['dimensions'] = ['ad']
    expect(await fetchRows({ dimensions }, { fetch: older })).toEqual(await fetchRows({ dimensions }))
    expect((await sandbox.requests()).some(({ path }) => path.startsWith('/v25/'))).toBe(true)
  })

  it('refuses what Google cannot give before anything is sent', async () => {
    const refused = async (request: Partial<ReportRequest>) =>
      expect(fetchRows(request)).rejects.toThrow('combination_not_allowed')
    await refused({ metrics: ['reach'], dimensions: ['device_type'] })
    await refused({ metrics: ['search_lost_is_budget'], dimensions: ['ad_group'] })
    await refused({ metrics: ['phone_calls'] })
    await refused({ dimensions: ['keyword'] })
    await refused({ metrics: ['sessions'] })
    await refused({ channel: 'aw_keyword', metrics: ['quality_score'], dimensions: ['keyword'] })
    await refused({ channel: 'aw_keyword', metrics: ['reach'] })
    await refused({ channel: 'aw_keyword', dimensions: ['ad'] })
    const tooOld = { ...October, start: '2023-10-20' }
    await expect(fetchRows({ range: tooOld })).rejects.toThrow('history_limit')
    expect(await sandbox.requests()).toEqual([])
    expect((await fetchRows({ range: { ...October, start: '2023-10-21' }, time: 'month' })).length).toBe(37)
  })

  it('reads money to the millionth, whole yen among it', async () => {
    const [row] = await fetchRows({
      account: japan,
      time: 'total',
      metrics: ['cost', 'conversion_value', 'revenue'],
    })
    expect(row?.values.every(value => Number.isSafeInteger(value) && value > 0)).toBe(true)
    expect((row?.values[0] ?? 0) % 1_000_000).toBe(0)
  })
})

async function asksGoogle(path: string, body: object): Promise<unknown> {
  const response = await fetch(`${sandbox.base_url}/${API_VERSION}/${path}`, {
    method: 'POST',
    headers: {
      authorization: 'Bearer sandbox-agency',
      'login-customer-id': '1110000001',
      'content-type': 'application/json',
    },
    body: JSON.stringify(body),
  })
  return response.json()
}

/** Zeros may be left out of any row. */
const CampaignDays = z.object({
  results: z.array(
    z.object({
      campaign: z.object({ id: z.string(), name: z.string() }),
      segments: z.object({ date: z.string(), device: z.string() }),
      metrics: z.object({
        clicks: z.string().default('0'),
        costMicros: z.string().default('0'),
        conversions: z.number().default(0),
        conversionsValue: z.number().default(0),
        videoWatchTimeDurationMillis: z.string().default('0'),
      }),
    }),
  ),
})
const FieldList = z.object({
  results: z.array(
    z.object({ name: z.string(), dataType: z.string(), selectableWith: z.array(z.string()).optional() }),
  ),
})
const besides = { ad_group: 'ad_group', ad: 'ad_group_ad', device_type: 'segments.device' }
const isOf = <Metrics extends object>(metrics: Metrics, id: string): id is string & keyof Metrics =>
  Object.hasOwn(metrics, id)

const withoutHeadlines: typeof fetch = async (url, init) => {
  const response = await fetch(url, init)
  if (!String(init?.body).includes('headlines')) return response
  return Response.json(JSON.parse((await response.text()).replaceAll('"headlines"', '"descriptions"')))
}
