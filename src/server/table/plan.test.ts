import { describe, expect, it } from 'vitest'
import { testAccount, testPlan } from './testing/table.ts'

describe('a plan', () => {
  it('requests each account of each block at the grain of the table', () => {
    const accounts = [testAccount(1), testAccount(2)]
    const plan = testPlan({
      dimensions: ['campaign', 'week', 'account_name', 'device_type'],
      accounts,
      blocks: [{ accounts: [2, 1] }, { accounts: [1], metrics: ['CPM', 'Cost', 'CTR'] }],
    })
    const requests = plan.requests.map(({ block, request }) => ({
      block,
      ...request,
    }))
    expect(requests).toMatchObject([
      { block: 0, account: { external_id: '1002' }, time: 'week', metrics: ['Clicks'] },
      { block: 0, account: { external_id: '1001' }, dimensions: ['campaign', 'device_type'] },
      {
        block: 1,
        metrics: ['Cost', 'Impressions', 'Clicks'],
        range: { start: '2026-11-01', end: '2026-11-03' },
      },
    ])
    expect(structuredClone(plan)).toEqual(plan)
  })

  it('requests nothing of accounts that its filters leave out, and does not send those filters to the platform', () => {
    const accounts = [testAccount(1, { ecid: 'EC-7' }), testAccount(2), testAccount(3, { ecid: 'ec-70' })]
    const filters = [
      { field: 'ecid' as const, rule: 'STARTS_WITH' as const, values: ['ec-7'] },
      { field: 'account_name' as const, rule: 'NOT_CONTAINS' as const, values: ['3'] },
      { field: 'campaign_name' as const, rule: 'EQUAL' as const, values: ['x'] },
    ]
    const plan = testPlan({ accounts, blocks: [{ accounts: [1, 2, 3], filters }] })
    expect(plan.requests.map(({ account }) => account.id)).toEqual([1])
    expect(plan.requests[0]?.request.filters).toEqual(filters.slice(2))
    expect(plan.requests[0]?.request.dimensions).toEqual(['campaign'])
  })

  it('refuses a block, not the report, for an account that may not be used', () => {
    const plan = testPlan({ blocks: [{ accounts: [1, 9] }, {}] })
    expect(plan.blocks.map(block => block.refusal?.code)).toEqual(['account_access_lost', undefined])
    expect(plan.requests.map(({ block }) => block)).toEqual([1])
  })

  it('refuses a block whose combination the platform does not support', () => {
    const plan = testPlan({ dimensions: ['device_type'], blocks: [{ metrics: ['Reach'] }] })
    expect(plan.blocks[0]?.refusal).toMatchObject({
      code: 'combination_not_allowed',
      detail: { metric: 'Reach' },
    })
    expect(plan.requests).toEqual([])
  })
})
