import { describe, expect, it } from 'vitest'
import type { Filter } from '#shared/channels/catalogue.ts'
import type { AccountRef, ReportRequest } from '#server/connectors/connector.ts'
import { slicesOf } from '#server/connectors/kit/slices.ts'
import { columnsOf } from './columns.ts'
import { classify } from './failures.ts'
import { clausesOf } from './filters.ts'
import { layoutOf, queryOf, type Layout } from './query.ts'
import type { Report } from './schema.ts'

// What the sandbox does not give or cannot distinguish: odd responses, odd refusals, and what exactly is
// requested.

const account: AccountRef = {
  provider: 'universal_analytics',
  external_id: '1',
  currency: 'TWD',
  timezone: 'Asia/Taipei',
  via: null,
}
const request: ReportRequest = {
  channel: 'ga',
  account,
  range: { start: '2023-05-01', end: '2023-05-02' },
  time: 'date',
  dimensions: ['campaign'],
  metrics: ['sessions', 'revenue'],
  filters: [],
}

function layoutFor(changes: Partial<ReportRequest> = {}): Layout {
  const query = queryOf({ ...request, ...changes })
  const [first, ...others] = slicesOf(query.time === 'total' ? request.range : request.range, query.time)
  if (!first) throw new Error('no slices')
  return layoutOf(query, [first, ...others], query.groups[0] ?? [])
}

function reportOf(rows: unknown[], header: Partial<Report['columnHeader']> = {}): Report {
  return {
    columnHeader: {
      dimensions: ['ga:date', 'ga:campaign'],
      metricHeader: { metricHeaderEntries: [{ name: 'ga:sessions' }, { name: 'ga:transactionRevenue' }] },
      ...header,
    },
    data: { rows },
  }
}
const row = (values: unknown[], dimensions: unknown = ['20230501', 'brand']) => ({
  dimensions,
  metrics: [{ values }],
})
const moneyOf = (text: string) => columnsOf(reportOf([row(['1', text])]), layoutFor()).metrics[1]?.[0]

describe('a response of Universal Analytics', () => {
  it.each([
    ['12345.5', 12_345_500_000],
    ['0.0', 0],
    ['-3', -3_000_000],
    ['1.23456789E7', 12_345_678_900_000],
    ['1E3', 1_000_000_000],
    ['-2.5E-3', -2500],
    ['1.0E-4', 100],
  ])('has money exactly, however it writes %s', (text, millionths) => {
    expect(moneyOf(text)).toBe(millionths)
  })

  it.each([
    [row(['1', '1,000']), 'rows[0].metrics[0].values[1]'],
    [row(['', '1']), 'rows[0].metrics[0].values[0]'],
    [row(['1', '1E']), 'rows[0].metrics[0].values[1]'],
    [row(['1E400', '1']), 'rows[0].metrics[0].values[0]'],
    [row(['1']), 'rows[0].metrics'],
    [row([1, 2]), 'rows[0].metrics'],
    [row(['1', '1'], ['20230501']), 'rows[0].dimensions'],
    [row(['1', '1'], ['20230501', null]), 'rows[0].dimensions'],
    [row(['1', '1'], ['20230503', 'brand']), 'rows[0].dimensions[0]'],
    [row(['1', '1'], ['(other)', '(other)']), 'rows[0].dimensions[0]'],
    [null, 'rows[0]'],
  ])('with the row %j is unreadable, and never 0', (odd, path) => {
    expect(() => columnsOf(reportOf([odd]), layoutFor())).toThrow(`unreadable answer, ${path}`)
  })

  it('with other columns than were requested is unreadable', () => {
    const other = reportOf([row(['1', '1'])], { dimensions: ['ga:campaign', 'ga:date'] })
    expect(() => columnsOf(other, layoutFor())).toThrow('unreadable answer, columnHeader')
  })
})

describe('a query to Universal Analytics', () => {
  it('requests weeks and months as the calendar has them, over the ends of years', () => {
    const range = { start: '2020-12-31', end: '2021-01-04' }
    const { starts } = layoutOf(
      queryOf({ ...request, range, time: 'month_week' }),
      [
        { start: '2020-12-31', end: '2020-12-31' },
        { start: '2021-01-01', end: '2021-01-03' },
        { start: '2021-01-04', end: '2021-01-04' },
      ],
      ['sessions'],
    )
    expect([...starts]).toEqual([
      ['202012 202053', '2020-12-31'],
      ['202101 202053', '2021-01-01'],
      ['202101 202101', '2021-01-04'],
    ])
  })

  it('requests source and medium once when the two together are requested, too', () => {
    const { body, positions } = layoutFor({ dimensions: ['source_medium', 'medium', 'source'] })
    expect(body.dimensions.map(({ name }) => name)).toEqual(['ga:date', 'ga:medium', 'ga:source'])
    expect(positions).toEqual([[2, 1], [1], [2]])
  })

  it('requests ten metrics at most, and items apart from events and ads', () => {
    const groups = (metrics: string[]) => queryOf({ ...request, metrics }).groups
    expect(groups(['item_revenue', 'sessions'])).toEqual([['item_revenue', 'sessions']])
    expect(groups(['item_revenue', 'cost', 'sessions'])).toEqual([['cost', 'sessions'], ['item_revenue']])
    const goals = Array.from({ length: 20 }, (_, at) => `goal_${at + 1}_completions`)
    expect(groups(['sessions', ...goals]).map(({ length }) => length)).toEqual([10, 10, 1])
    expect(layoutFor({ metrics: [] }).body.metrics).toEqual([{ expression: 'ga:sessions' }])
  })
})

describe('a filter', () => {
  const sent = (rule: Filter['rule'], ...values: string[]) =>
    clausesOf([{ field: 'campaign_name', rule, values }]).map(({ filters }) =>
      filters.map(({ operator, expressions, caseSensitive }) => [operator, ...expressions, caseSensitive]),
    )

  it('is sent with its operator, so that text is never a pattern', () => {
    expect(sent('EQUAL', '.*', '(a|b)')).toEqual([
      [
        ['EXACT', '.*', false],
        ['PARTIAL', '(a', false],
      ],
    ])
    expect(sent('STARTS_WITH', '^brand')).toEqual([[['PARTIAL', 'brand', false]]])
    expect(sent('ENDS_WITH', '2023')).toEqual([[['ENDS_WITH', '2023', false]]])
    expect(sent('CONTAINS', '"},{"x":"')).toEqual([[['PARTIAL', '"},{"x":"', false]]])
  })

  it('is sent as the part that every rule of comparing reads alike, and not at all without one', () => {
    expect(sent('EQUAL', 'Task force')).toEqual([[['PARTIAL', 'force', false]]])
    expect(sent('CONTAINS', 'ＦＵＬＬ')).toEqual([])
    expect(sent('CONTAINS', 'brand', 'sk')).toEqual([])
    expect(sent('NOT_CONTAINS', 'brand')).toEqual([])
    expect(sent('EQUAL', ' brand')).toEqual([[['PARTIAL', 'brand', false]]])
    expect(sent('EQUAL', 'x'.repeat(200))).toEqual([[['PARTIAL', 'x'.repeat(128), false]]])
  })

  it('on accounts is no matter of the platform', () => {
    expect(clausesOf([{ field: 'view_id', rule: 'EQUAL', values: ['1'] }])).toEqual([])
  })
})

describe('a refusal of Universal Analytics', () => {
  const verdict = (status: number, message: string | null, reason: string | null = null) =>
    classify({ status, message, reason })

  it.each([
    [403, 'Universal Analytics has been shut down.'],
    [403, null],
    [403, 'This API is no longer available.'],
    [404, null],
    [404, 'Requested entity was not found.'],
    [410, 'Gone'],
  ])('by %s (%s) is the end of the platform', (status, message) => {
    expect(verdict(status, message)).toEqual({ kind: 'final', code: 'channel_retired' })
  })

  it.each([
    [429, 'Quota exceeded for … limit USER-100s', null, 'credential', 100_000],
    [429, 'Quota exceeded: Requests per day per view', null, 'account', 3_600_000],
    [429, 'Quota exceeded: Concurrent requests per view', null, 'account', 10_000],
    [429, 'Quota exceeded for the project', null, 'app', 100_000],
    [403, 'Daily limit', 'dailyLimitExceeded', 'app', 3_600_000],
    [403, 'User rate limit exceeded', 'userRateLimitExceeded', 'credential', 100_000],
    [403, 'Quota', 'quotaExceeded', 'app', 3_600_000],
    [403, 'Rate limit', 'rateLimitExceeded', 'app', 100_000],
  ])('by %s (%s, %s) is a matter of waiting', (status, message, reason, scope, wait_ms) => {
    expect(verdict(status, message, reason)).toEqual({ kind: 'quota', pauses: scope, wait_ms })
  })

  it('of a query is no end of the platform, whatever text of ours it repeats', () => {
    const invalid = verdict(400, 'Invalid value: "Sunset sale, shut down"')
    expect(invalid).toEqual({ kind: 'final', code: 'platform_error' })
  })

  it('of rights is no matter of waiting', () => {
    const lost = verdict(403, 'User does not have sufficient permissions', 'insufficientPermissions')
    expect(lost).toEqual({ kind: 'final', code: 'account_access_lost' })
  })

  it('that is a trouble of its own passes, even when it talks of shutting down', () => {
    expect(verdict(503, 'The server is shutting down: shut down in progress')).toEqual({
      kind: 'retry',
      code: 'platform_unavailable',
    })
  })
})
