import { beforeAll, describe, expect, it } from 'vitest'
import { accountChannelOf } from '#shared/channels/all.ts'
import type { Channel } from '#shared/channels/catalogue.ts'
import { channelIds } from '#shared/channels/ids.ts'
import { filterTest } from '#shared/filter.ts'
import { TEST_NOW } from './testing/effects.ts'
import { everyPlatform } from './testing/every-platform.ts'
import { mixedAgency } from './testing/mixed-agency.ts'
import { openDataset, type Delivery } from './testing/mixed-dataset.ts'
import type { RunEffects } from './run-report.ts'

// Reports over several channels, from discovery over real connections to the cells of a spreadsheet, compared
// with the sandbox's data.

const agency = await mixedAgency()
const { sandbox, service, report, queue, attempt, resume } = agency
const dataset = openDataset(TEST_NOW)
const range = { start: '2026-11-01', end: '2026-11-10' }

/** Of each ad channel an account of the same client in Taiwan. */
const taiwan = {
  fb: 'Aurora Cosmetics Taiwan',
  aw: 'Aurora Cosmetics TW',
  yg: 'Aurora 原生廣告',
  tt: 'Aurora TikTok',
  ln: 'Aurora LINE',
} as const
type AdChannel = keyof typeof taiwan
const adChannels = (Object.keys(taiwan) as AdChannel[]).filter(channel => channelIds.includes(channel))

const ids = new Map<string, number>()
beforeAll(() => {
  for (const { id, channel, name, external_id } of agency.found) {
    ids.set(`${channel} ${name}`, id)
    ids.set(`${channel} ${external_id}`, id)
  }
})

type Block = ReturnType<typeof agency.block>
const block = (channel: Channel, names: string[], more: Partial<Block> = {}): Block => ({
  channel,
  label: null,
  accounts: names.map(name => ids.get(`${accountChannelOf(channel)} ${name}`) ?? missing(channel, name)),
  metrics: ['impressions', 'clicks', 'cost'],
  filters: [],
  on_error: 'fail_report',
  ...more,
})

function missing(channel: string, name: string): never {
  throw new Error(`no ${channel} account ${name} was found`)
}

async function toTheEnd(run_id: string, more: Partial<RunEffects> = {}) {
  const effects = { ...everyPlatform, ...more }
  let done = await attempt(run_id, effects)
  for (let polls = 0; done.status === 'queued' && polls < 20; polls += 1) {
    await resume(run_id)
    done = await attempt(run_id, effects)
  }
  return done
}

/** Runs the report to its end, waiting for reports that platforms prepare, and returns the cells. */
async function cellsOf(fields: Parameters<typeof report>[0]) {
  const { id, spreadsheet_id } = await report(fields)
  const done = await toTheEnd(await queue(id))
  expect({
    code: done.code,
    blocks: done.blocks.map(({ code, platform_message }) => ({ code, platform_message })),
  }).toEqual({
    code: null,
    blocks: done.blocks.map(() => ({ code: null, platform_message: null })),
  })
  return { cells: await service.values(spreadsheet_id), done }
}

const sums = (rows: readonly Delivery[]) => [
  rows.reduce((sum, row) => sum + row.impressions, 0),
  rows.reduce((sum, row) => sum + row.clicks, 0),
  Math.round(rows.reduce((sum, row) => sum + row.cost, 0) * 100) / 100,
]
const rounded = (cell: unknown) => (typeof cell === 'number' ? Math.round(cell * 100) / 100 : cell)
const EPOCH = Date.UTC(1899, 11, 30)
const serialOf = (day: string) => (Date.parse(day) - EPOCH) / 86_400_000

describe('a report over several channels', () => {
  it('is one table by day, with each channel’s own numbers', async () => {
    const blocks = adChannels.map(channel => block(channel, [taiwan[channel]]))
    const { cells, done } = await cellsOf({ blocks, dimensions: JSON.stringify(['date']) })
    const days = Array.from({ length: 10 }, (_, at) => `2026-11-${String(at + 1).padStart(2, '0')}`)
    const deliveries = adChannels.map(channel => dataset.deliveries(channel, taiwan[channel], range))
    const expected = days.map(day => [
      serialOf(day),
      ...deliveries.flatMap(rows => sums(rows.filter(({ date }) => date === day))),
    ])
    expect(cells.slice(1).map(row => row.map(rounded))).toEqual(expected)
    expect(done.blocks.map(({ proof }) => proof)).toEqual(
      blocks.map(() => ({ matches: true, differences: [] })),
    )
  })

  it('is stacked by campaign, each campaign once', async () => {
    const blocks = adChannels.map(channel => block(channel, [taiwan[channel]]))
    const { cells } = await cellsOf({
      blocks,
      arrangement: 'stacked',
      dimensions: JSON.stringify(['campaign']),
    })
    for (const [index, channel] of adChannels.entries()) {
      const label = String(cells[1 + cells.slice(1).findIndex(row => row[0] === labelOf(index))]?.[0])
      const rows = cells.filter(row => row[0] === label).map(([, ...row]) => row.map(rounded))
      const by_id = Map.groupBy(dataset.deliveries(channel, taiwan[channel], range), row => row.campaign_id)
      const expected = [...by_id.values()].map(days => [days[0]?.campaign, ...sums(days)])
      expect([channel, rows.toSorted(byText)]).toEqual([channel, expected.toSorted(byText)])
    }

    function labelOf(index: number) {
      const labels = [...new Set(cells.slice(1).map(row => row[0]))]
      return labels[index]
    }
  })

  it.each([
    { rule: 'CONTAINS' as const, values: ['tWiN', '春夏'] },
    { rule: 'STARTS_WITH' as const, values: ['='] },
    { rule: 'NOT_CONTAINS' as const, values: ['2026', 'sale'] },
    { rule: 'CONTAINS' as const, values: ['100%_OFF [sale] \\ "quoted"'] },
    { rule: 'EQUAL' as const, values: ["' OR '1'='1", 'OLD STOCK'] },
  ])('selects the same campaigns on every channel: $rule $values', async ({ rule, values }) => {
    const filter = { field: 'campaign_name' as const, rule, values }
    for (const channel of adChannels) {
      const passing = dataset
        .deliveries(channel, taiwan[channel], range)
        .filter(row => filterTest(filter)(row.campaign))
      const expected = [...Map.groupBy(passing, row => row.campaign_id).values()].map(days => [
        days[0]?.campaign,
        ...sums(days),
      ])
      if (expected.length === 0) continue
      const blocks = [block(channel, [taiwan[channel]], { filters: [filter] })]
      const { cells } = await cellsOf({ blocks, dimensions: JSON.stringify(['campaign']) })
      const rows = cells.slice(1).map(row => row.map(rounded))
      expect([channel, rows.toSorted(byText)]).toEqual([channel, expected.toSorted(byText)])
    }
  })

  it('has the same channel twice, with filters of their own', async () => {
    const only = (rule: 'CONTAINS' | 'NOT_CONTAINS') => [
      { field: 'campaign_name' as const, rule, values: ['twin'] },
    ]
    const channel = adChannels.at(-1) ?? 'fb'
    const blocks = [
      block(channel, [taiwan[channel]], { filters: only('CONTAINS'), metrics: ['cost'] }),
      block(channel, [taiwan[channel]], { filters: only('NOT_CONTAINS'), metrics: ['cost'] }),
      block(channel, [taiwan[channel]], { metrics: ['cost'] }),
    ]
    const { cells } = await cellsOf({ blocks, dimensions: JSON.stringify(['date']) })
    expect(new Set(cells[0]).size).toBe(4)
    for (const [, twins, others, all] of cells.slice(1).map(row => row.map(cell => Number(cell) || 0)))
      expect((twins ?? 0) + (others ?? 0)).toBeCloseTo(all ?? 0, 2)
  })

  it('keeps currencies apart by account', async () => {
    const names: [AdChannel, string][] = [
      ['fb', 'オーロラ化粧品 Japan'],
      ['fb', 'Borealis Outdoor US'],
      ['tt', 'Fjord Travel TikTok'],
      ['tt', 'Aurora TikTok'],
    ]
    const blocks = (['fb', 'tt'] as const).map(channel =>
      block(
        channel,
        names.filter(([of]) => of === channel).map(([, name]) => name),
        { metrics: ['cost'] },
      ),
    )
    const { cells, done } = await cellsOf({
      blocks,
      dimensions: JSON.stringify(['account_name', 'currency']),
    })
    const found = new Map(cells.slice(1).map(([name, , fb, tt]) => [name, rounded(fb === '' ? tt : fb)]))
    for (const [channel, name] of names)
      expect([name, found.get(name)]).toEqual([name, sums(dataset.deliveries(channel, name, range))[2]])
    expect(done.notes.map(({ code }) => code)).toContain('several_time_zones')
  })

  it('ends at a today that has not begun yet in the zones of the accounts', async () => {
    // 21 November in Auckland, the 20th in Taipei, the 19th in Los Angeles.
    const evening = '2026-11-20T11:30:00Z'
    await sandbox.reset(evening, { keep_files: true })
    const cases = [
      ...adChannels.map(channel => block(channel, [taiwan[channel]], { metrics: ['impressions'] })),
      block('aw_keyword', [taiwan.aw], { metrics: ['impressions'] }),
      block('fb', ['Borealis Outdoor US'], { metrics: ['impressions'] }),
      block('tt', ['Borealis TikTok'], { metrics: ['impressions'] }),
      block('aw', ['Borealis Outdoor'], { metrics: ['impressions'] }),
      block('yg', ['Aurora 検索広告', 'Aurora ディスプレイ'], { metrics: ['impressions'] }),
      block('ga4', ['384626432'], { metrics: ['sessions'] }),
    ]
    for (const each of cases) {
      const { id } = await report({
        blocks: [each],
        timezone: 'Pacific/Auckland',
        dimensions: JSON.stringify(['date']),
        dynamic_range: 1,
        date_start: null,
        date_end: null,
      })
      const done = await toTheEnd(await queue(id), { now: () => new Date(evening) })
      expect([each.channel, done.range_end, done.code, done.status]).toEqual([
        each.channel,
        '2026-11-21',
        null,
        'completed',
      ])
    }
    await sandbox.reset(TEST_NOW, { keep_files: true })
  })

  it('joins analytics and ads by day', async () => {
    const blocks = [
      block('fb', [taiwan.fb], { metrics: ['clicks'] }),
      block('ga4', ['384626431'], { metrics: ['sessions', 'users'] }),
    ]
    const { cells } = await cellsOf({ blocks, dimensions: JSON.stringify(['date']) })
    const wire = await ga4Days('384626431', ['sessions', 'totalUsers'])
    const rows = cells.slice(1)
    expect(rows).toHaveLength(10)
    for (const [serial, , sessions, users] of rows)
      expect([sessions, users]).toEqual(wire.get(Number(serial)))
  })
})

describe('a block without rows', () => {
  const analytics = [
    ['ga4', '384626431', 'sessions'],
    ['ga', '92653581', 'sessions'],
    ['ga_event', '92653581', 'total_events'],
  ] as const

  it('names the filter that removed everything, on every channel', async () => {
    const filter = { field: 'campaign_name', rule: 'CONTAINS', values: ['no campaign is called so'] } as const
    const of = (channel: Channel, name: string, metric: string) =>
      block(channel, [name], { metrics: [metric], filters: [{ ...filter, values: [...filter.values] }] })
    const cases = [
      ...adChannels.map(channel => of(channel, taiwan[channel], 'impressions')),
      ...(channelIds.includes('aw_keyword') ? [of('aw_keyword', taiwan.aw, 'impressions')] : []),
      ...analytics.map(([channel, id, metric]) => of(channel, id, metric)),
    ].map(each => ({ ...each, on_error: 'leave_empty' as const }))
    for (const each of cases) {
      const is_archive = each.channel === 'ga' || each.channel === 'ga_event'
      const { id } = await report({
        blocks: [each],
        dimensions: JSON.stringify(['campaign']),
        ...(is_archive && { date_start: '2022-11-01', date_end: '2022-11-30' }),
      })
      const done = await toTheEnd(await queue(id))
      expect([each.channel, done.blocks[0]?.empty_because]).toEqual([
        each.channel,
        { cause: 'filter', detail: { filter: 'campaign_name', rule: 'CONTAINS', values: filter.values } },
      ])
    }
  })
})

describe('a channel that its platform has switched off', () => {
  it('is reported, keeps its cells, and does not affect the other channels', async () => {
    const { id, spreadsheet_id } = await report({
      blocks: [block('ga', ['92653581'], { metrics: ['sessions'], on_error: 'leave_empty' })],
      dimensions: JSON.stringify(['month']),
      date_start: '2022-11-01',
      date_end: '2022-12-31',
    })
    expect(await toTheEnd(await queue(id))).toMatchObject({ status: 'completed', rows: 2 })
    const before = await service.document(spreadsheet_id)
    await agency.setLimits({ ua_era: 'shutdown' })
    const done = await toTheEnd(await queue(id))
    await agency.setLimits({ ua_era: 'live' })
    expect(done).toMatchObject({
      status: 'error',
      code: 'channel_retired',
      failures: 0,
      spreadsheet_requests: 0,
    })
    expect(await service.document(spreadsheet_id)).toBe(before)
  })
})

/** Fetched by hand: the property's numbers of each day. */
async function ga4Days(property: string, metrics: string[]): Promise<Map<number, number[]>> {
  const response = await fetch(`${sandbox.base_url}/v1beta/properties/${property}:runReport`, {
    method: 'POST',
    headers: { authorization: 'Bearer sandbox-admin', 'content-type': 'application/json' },
    body: JSON.stringify({
      dateRanges: [{ startDate: range.start, endDate: range.end }],
      dimensions: [{ name: 'date' }],
      metrics: metrics.map(name => ({ name })),
    }),
  })
  const page = (await response.json()) as {
    rows: { dimensionValues: { value: string }[]; metricValues: { value: string }[] }[]
  }
  return new Map(
    page.rows.map(({ dimensionValues, metricValues }) => {
      const day = dimensionValues[0]?.value ?? ''
      const iso = `${day.slice(0, 4)}-${day.slice(4, 6)}-${day.slice(6)}`
      return [serialOf(iso), metricValues.map(({ value }) => Number(value))]
    }),
  )
}

const byText = (one: unknown[], other: unknown[]) => (JSON.stringify(one) < JSON.stringify(other) ? -1 : 1)
