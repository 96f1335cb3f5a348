import { describe, expect, it } from 'vitest'
import type { ConvertedReport } from '#shared/convert-to-ga4.ts'
import { testAccount } from '#web/pages/reports/editor/testing/account.ts'
import { testKnown, testMetric } from '#web/pages/reports/editor/testing/known.ts'
import { conversionOf, isComplete, likelyProperty, viewsOf } from './conversion.ts'

const block = (more: Partial<ConvertedReport['channels'][number]>): ConvertedReport['channels'][number] => ({
  channel: 'ga',
  label: null,
  accounts: [1],
  metrics: ['sessions'],
  filters: [],
  on_error: 'leave_empty',
  ...more,
})
const account = (id: number, ga_account_id: string | null, advertiser: number | null = null) =>
  testAccount(id, { channel: 'ga4', provider: 'ga4', ga_account_id, advertiser })
const properties = [account(11, 'a', 7), account(12, 'b', 8), account(13, 'b', 9)]
const known = testKnown(properties, {
  metrics: [
    testMetric(7, { formula: 'pageviews / sessions', unit: 'ratio' }),
    testMetric(8, { formula: 'entrances / sessions', unit: 'ratio' }),
  ],
})

describe('converting a report in the browser', () => {
  it('needs the property of each view once', () => {
    const channels = [
      block({ accounts: [1, 2] }),
      block({ channel: 'ga_event', accounts: [2] }),
      block({ channel: 'fb', accounts: [9] }),
    ]
    expect(viewsOf({ dimensions: [], channels })).toEqual([1, 2])
  })

  it('suggests the only property of the same GA account, else of the same advertiser', () => {
    expect(likelyProperty(account(1, 'a'), properties)).toBe(11)
    expect(likelyProperty(account(1, 'b', 9), properties)).toBe(13)
    expect(likelyProperty(account(1, 'b'), properties)).toBeNull()
    expect(likelyProperty(account(1, null), properties)).toBeNull()
  })

  it('leaves out what GA4 cannot give over several properties, and says so', () => {
    const report = {
      dimensions: ['date' as const],
      channels: [block({ accounts: [1, 2], metrics: ['sessions', 'users'] })],
    }
    const several = new Map([
      [1, 11],
      [2, 12],
    ])
    const { report: converted, conversions } = conversionOf(report, several, known)
    expect(converted.channels[0]).toMatchObject({ channel: 'ga4', accounts: [11, 12], metrics: ['sessions'] })
    expect(conversions).toContainEqual({
      block: 0,
      kind: 'metric',
      from: 'users',
      to: null,
      quality: 'dropped',
    })
    const one = conversionOf(
      report,
      new Map([
        [1, 11],
        [2, 11],
      ]),
      known,
    )
    expect(one.report.channels[0]?.metrics).toEqual(['sessions', 'users'])
  })

  it('keeps the agency’s own metrics as far as GA4 has what they are worked out of', () => {
    const report = { dimensions: ['date' as const], channels: [block({ metrics: ['calc:7', 'calc:8'] })] }
    const { report: converted, conversions } = conversionOf(report, new Map([[1, 11]]), known)
    expect(converted.channels[0]?.metrics).toEqual(['calc:7'])
    const ofMetrics = conversions.filter(({ kind, to }) => kind === 'metric' && to === null)
    expect(ofMetrics.map(({ from }) => from)).toEqual(['calc:8'])
  })

  it('is complete when every block of views has a property', () => {
    const report = { dimensions: [], channels: [block({}), block({ channel: 'fb', accounts: [] })] }
    const without = conversionOf(report, new Map(), known).report
    const whole = conversionOf(report, new Map([[1, 11]]), known).report
    expect([isComplete(report, without), isComplete(report, whole)]).toEqual([false, true])
  })
})
