import { describe, expect, it } from 'vitest'
import type { Block } from './api/reports.ts'
import { ga } from './channels/ga.ts'
import { ga4 } from './channels/ga4.ts'
import { ga_event } from './channels/ga_event.ts'
import { convertToGa4 } from './convert-to-ga4.ts'

const block = (changes: Partial<Block>): Block => ({
  channel: 'ga',
  label: null,
  accounts: [1],
  metrics: ['sessions'],
  filters: [],
  on_error: 'leave_empty',
  ...changes,
})
const properties = new Map([
  [1, 11],
  [2, 12],
  [3, 12],
])

describe('converting a report of Universal Analytics to GA4', () => {
  it('uses what properties have, and lists what differs', () => {
    const { report, conversions } = convertToGa4(
      {
        dimensions: ['date', 'view', 'source_medium', 'device_type'],
        channels: [block({ label: 'Shop', metrics: ['sessions', 'users', 'goal_completions', 'exits'] })],
      },
      properties,
    )
    expect(report).toEqual({
      dimensions: ['date', 'property', 'source_medium', 'device_type'],
      channels: [
        block({
          channel: 'ga4',
          label: 'Shop',
          accounts: [11],
          metrics: ['sessions', 'users', 'conversions'],
        }),
      ],
    })
    expect(conversions).toEqual([
      { block: null, kind: 'dimension', from: 'view', to: 'property', quality: 'different' },
      { block: null, kind: 'dimension', from: 'source_medium', to: 'source_medium', quality: 'close' },
      { block: 0, kind: 'account', from: '1', to: '11', quality: 'different' },
      { block: 0, kind: 'metric', from: 'sessions', to: 'sessions', quality: 'close' },
      { block: 0, kind: 'metric', from: 'users', to: 'users', quality: 'different' },
      { block: 0, kind: 'metric', from: 'goal_completions', to: 'conversions', quality: 'different' },
      { block: 0, kind: 'metric', from: 'exits', to: null, quality: 'dropped' },
    ])
  })

  it('keeps filters that still apply, with their rules and values', () => {
    const filters: Block['filters'] = [
      { field: 'campaign_name', rule: 'NOT_CONTAINS', values: ['test', '測試'] },
      { field: 'view_id', rule: 'EQUAL', values: ['92653581'] },
      { field: 'device_type', rule: 'EQUAL', values: ['mobile'] },
    ]
    const { report, conversions } = convertToGa4(
      { dimensions: [], channels: [block({ channel: 'ga_event', filters })] },
      properties,
    )
    expect(report.channels[0]?.filters).toEqual([filters[0], filters[2]])
    expect(conversions.filter(({ kind }) => kind === 'filter')).toEqual([
      { block: 0, kind: 'filter', from: 'campaign_name', to: 'campaign_name', quality: 'close' },
      { block: 0, kind: 'filter', from: 'view_id', to: null, quality: 'dropped' },
    ])
  })

  it('includes a property once that several views belong to', () => {
    const { report, conversions } = convertToGa4(
      { dimensions: ['property', 'view'], channels: [block({ accounts: [3, 2, 4] })] },
      properties,
    )
    expect(report.dimensions).toEqual(['property'])
    expect(report.channels[0]?.accounts).toEqual([12])
    expect(conversions.filter(({ kind }) => kind === 'account').map(({ from, to }) => [from, to])).toEqual([
      ['3', '12'],
      ['2', '12'],
      ['4', null],
    ])
  })

  it('leaves blocks of other channels, and reports without views, as they are', () => {
    const meta = block({ channel: 'fb', accounts: [1], metrics: ['cost', 'reach'] })
    const beside = convertToGa4({ dimensions: ['campaign'], channels: [meta, block({})] }, properties)
    expect(beside.report.channels[0]).toBe(meta)
    expect(beside.conversions.filter(each => each.block === 0)).toEqual([])
    const alone = { dimensions: ['ad' as const], channels: [meta] }
    expect(convertToGa4(alone, properties)).toEqual({ report: alone, conversions: [] })
  })

  it.each([ga, ga_event])(
    'leads from everything that $names.en has to what GA4 has, or says that there is nothing',
    from => {
      const filters = from.filters.map(field => ({ field, rule: 'EQUAL' as const, values: ['x'] }))
      const { report, conversions } = convertToGa4(
        {
          dimensions: [...from.dimensions],
          channels: [block({ metrics: Object.keys(from.metrics), filters })],
        },
        properties,
      )
      const [converted] = report.channels
      const offered: readonly string[] = ga4.dimensions
      expect(report.dimensions.filter(dimension => !offered.includes(dimension))).toEqual([])
      expect(converted?.metrics.filter(id => !Object.hasOwn(ga4.metrics, id))).toEqual([])
      const fields: readonly string[] = ga4.filters
      expect(converted?.filters.filter(({ field }) => !fields.includes(field))).toEqual([])
      const unsaid = Object.keys(from.metrics).filter(
        id => !conversions.some(each => each.kind === 'metric' && each.from === id),
      )
      expect(unsaid).toEqual([])
    },
  )

  it('drops what is no metric at all', () => {
    const { report, conversions } = convertToGa4(
      { dimensions: [], channels: [block({ accounts: [], metrics: ['constructor', 'reach'] })] },
      properties,
    )
    expect(report.channels[0]?.metrics).toEqual([])
    expect(conversions.map(({ from, quality }) => [from, quality])).toEqual([
      ['constructor', 'dropped'],
      ['reach', 'dropped'],
    ])
  })
})
