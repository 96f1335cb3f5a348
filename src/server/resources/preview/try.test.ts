import { afterAll, beforeEach, describe, expect, it } from 'vitest'
import { TriedFormula } from '#shared/api/insight-settings.ts'
import { Preview } from '#shared/api/preview.ts'
import { sourceOf } from '#server/connectors/connector.ts'
import { meta } from '#server/connectors/meta/report.ts'
import { startTestSandbox } from '#server/connectors/testing/sandbox.ts'
import { sandboxHosts } from '#server/connectors/testing/context.ts'
import { createTokenCache } from '#server/connectors/kit/tokens.ts'
import { expectRefusal, testApi, type ApiResponse } from '#server/http/testing/api.ts'
import { createPreviews } from './create-previews.ts'

const PATH = '/api/insight-setting/metrics/try/'
const NOW = '2026-11-20T02:00:00Z'
const TAIWAN = '10150357160960121'

const sandbox = await startTestSandbox()
afterAll(() => sandbox.stop())
const api = await testApi()
const staff = await api.signedIn('staff')
const advertiser = await api.advertiser('Aurora', [staff.user.id])
const account = await api.account({ advertiser, external_id: TAIWAN, name: 'Aurora Taiwan' })
const others = await api.account({ advertiser: await api.advertiser('Others', []), external_id: '1' })

beforeEach(async () => {
  api.clock.now = new Date(NOW)
  await sandbox.reset(NOW)
  api.effects.preview = createPreviews(
    {
      sourceOf: async () => sourceOf(meta, { access_token: 'sandbox-agency' }),
      hosts: sandboxHosts(sandbox.base_url),
      tokens: createTokenCache(() => new Date(NOW)),
      limiter: { acquire: async () => {}, report: async () => {} },
      fetch,
    },
    { stopping: new AbortController().signal },
  )
})

const tried = (response: ApiResponse) => {
  expect(response.status, JSON.stringify(response.body)).toBe(200)
  return TriedFormula.parse(response.body)
}
const facts = { unit: 'ratio', decimals: 2, ad_account: account }

describe('a formula that is tried', () => {
  it('has the last 30 days of the account and their total', async () => {
    const clicks = tried(await staff.post(PATH, { ...facts, formula: 'clicks', unit: 'count' }))
    const half = tried(await staff.post(PATH, { ...facts, formula: 'clicks / (clicks + clicks)' }))
    expect(clicks).toMatchObject({ channel: 'fb', currency: 'TWD', code: null })
    expect(clicks.days).toHaveLength(30)
    expect(clicks.days.map(({ day }) => day).at(-1)).toBe('2026-11-19')
    expect(clicks.total).toBe(clicks.days.reduce((sum, { value }) => sum + (value ?? 0), 0))
    expect(half.total).toBe(0.5)
    expect(new Set(half.days.map(({ value }) => value))).toEqual(new Set([0.5]))
  })

  it('says where it is wrong', async () => {
    expectRefusal(await staff.post(PATH, { ...facts, formula: 'cost ** 2' }), 400, 'invalid', {
      formula: ['formula_syntax'],
    })
    const refused = await staff.post(PATH, { ...facts, formula: 'cost + clicks' })
    expectRefusal(refused, 400, 'invalid', { formula: ['formula_units'] })
    expect(refused.body).toMatchObject({ details: { formula: { at: 5 } } })
  })

  it('is not worked out of the account of another advertiser', async () => {
    const refused = await staff.post(PATH, { ...facts, formula: 'cost', ad_account: others })
    expectRefusal(refused, 400, 'invalid', { ad_account: ['field_not_available'] })
  })
})

describe('a preview of what numbers mean', () => {
  const range = { start: '2026-11-01', end: '2026-11-10', dynamic_range: 0 }
  const body = (more: object) => ({ dimensions: [], date_range: range, ...more })
  const preview = async (more: object) => {
    const response = await staff.post('/api/gs-template-setting/preview/', body(more))
    expect(response.status, JSON.stringify(response.body)).toBe(200)
    return Preview.parse(response.body)
  }
  const block = (metrics: string[], more: object = {}) => [
    { channel: 'fb', accounts: [account], metrics, ...more },
  ]

  it('has calculated metrics, definitions and labels of the accounts’ advertiser', async () => {
    const of = (path: string, facts_: object) => staff.post(`/api/insight-setting/${path}/`, facts_)
    const metric = await of('metrics', { advertiser, name: 'Half', name_zh: '一半', formula: 'clicks / 2' })
    const definition = await of('conversions', {
      advertiser,
      name: 'Leads',
      name_zh: '名單',
      entries: [{ channel: 'fb', action: 'lead' }],
    })
    await of('labels', { advertiser, metric: 'clicks', label: 'Taps', label_zh: '點按' })
    const id = (response: ApiResponse) => Number((response.body as { id: number }).id)
    const metrics = ['clicks', `calc:${id(metric)}`, 'leads', 'conversions']
    const { columns, rows } = await preview({ channels: block(metrics, { conversion: id(definition) }) })
    expect(columns.map(({ title }) => title)).toEqual(['Taps', 'Half', 'Leads', 'Conversions (Leads)'])
    const [[clicks, half, leads, conversions] = []] = rows
    expect([half, conversions]).toEqual([Number(clicks) / 2, leads])
    // Of another advertiser's accounts none of it is known.
    const manager = await api.signedIn('director')
    const foreign = body({ channels: [{ channel: 'fb', accounts: [others], metrics: [metrics[1]] }] })
    const refused = await manager.post('/api/gs-template-setting/preview/', foreign)
    expectRefusal(refused, 400, 'combination_not_allowed', {
      'channels.0.metrics': ['combination_not_allowed'],
    })
  })

  it('is converted and compared', async () => {
    await api.db
      .insertInto('rate')
      .values(
        ['2026-10-01', '2026-11-01'].map(month => ({
          month,
          currency: 'USD',
          rate: '32',
          kind: 'final' as const,
        })),
      )
      .execute()
    const comparison = { to: 'previous_period', align: 'date', show: ['value', 'change', 'percent'] }
    const plain = await preview({ channels: block(['cost']) })
    const made = await preview({ channels: block(['cost']), currency: 'USD', comparison })
    expect(made.columns.map(({ title }) => title)).toEqual([
      'Cost (USD)',
      'Cost (USD) previous period',
      'Cost (USD) change',
      'Cost (USD) change %',
    ])
    const [[now, before, change, percent] = []] = made.rows
    expect(Number(now)).toBeCloseTo(Number(plain.rows[0]?.[0]) / 32, 6)
    expect(Number(change)).toBeCloseTo(Number(now) - Number(before), 6)
    expect(Number(percent)).toBeCloseTo(Number(change) / Number(before), 12)
  })

  it('says which rate is missing', async () => {
    const { blocks } = await preview({ channels: block(['cost']), currency: 'EUR' })
    expect(blocks).toMatchObject([{ status: 'error', code: 'rate_missing' }])
  })

  it('refuses a week by date, a blend of nothing and a fee that is not one rate', async () => {
    const refused = async (more: object, field: string, code: string) => {
      const response = await staff.post('/api/gs-template-setting/preview/', body(more))
      expect(response.status).toBe(400)
      expect(response.body).toMatchObject({ codes: { [field]: [code] } })
    }
    const channels = block(['clicks'])
    const comparison = { to: 'last_year', align: 'date', show: ['value'] }
    await refused({ channels, comparison, dimensions: ['week'] }, 'comparison', 'comparison_not_allowed')
    const blends = [{ name: 'Blend', formula: '2.cost', unit: 'money', decimals: 2 }]
    await refused({ channels, blends }, 'blends.0.formula', 'formula_unknown')
    await api.db
      .insertInto('fee_agreement')
      .values({
        advertiser,
        currency: 'TWD',
        from_month: '2026-01-01',
        amount: 20_000_000_000,
        tiers: JSON.stringify([{ up_to: null, rate: 500 }]),
      })
      .execute()
    await refused({ channels: block(['client_cost']) }, 'channels.0.metrics', 'fee_not_flat')
  })
})
