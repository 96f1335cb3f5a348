import { describe, expect, it } from 'vitest'
import { check, unknownDays } from '#web/pages/ec-spend/testing/samples.ts'
import { checkGroups } from './check-groups.ts'
import { isWaived, withWaiver } from './waivers.ts'

describe('the checks of a month', () => {
  it('name the first of several open months, which is the one to lock first', () => {
    const months = ['2026-07', '2026-08', '2026-09']
    const groups = checkGroups(months.map(month => check('earlier_month_open', { month })))
    expect(groups.map(({ check: { month } }) => month)).toEqual(['2026-07'])
  })

  it('are one for an advertiser without an agreement, with its channels', () => {
    const about = { advertiser: 1, advertiser_name: 'Aurora' }
    const groups = checkGroups([
      check('no_agreement', { ...about, channel: 'fb', billing_currency: 'TWD' }),
      check('no_agreement', { ...about, channel: 'fb', billing_currency: 'JPY' }),
      check('no_agreement', { ...about, channel: 'aw', billing_currency: 'TWD' }),
      check('no_agreement', { advertiser: 2, advertiser_name: 'Borealis', channel: 'ln' }),
    ])
    expect(groups.map(({ check: { advertiser }, channels }) => [advertiser, channels])).toEqual([
      [1, ['fb', 'aw']],
      [2, ['ln']],
    ])
  })

  it('are one for each account and each pair of currencies', () => {
    const groups = checkGroups([
      unknownDays,
      { ...unknownDays, ad_account: 32, account_name: 'Aurora Korea' },
      check('rate_missing', { currency: 'USD', billing_currency: 'TWD' }),
      check('rate_missing', { currency: 'JPY', billing_currency: 'TWD' }),
    ])
    expect(groups).toHaveLength(4)
  })
})

describe('a waiver', () => {
  it('needs a reason', () => {
    const reasons = withWaiver(new Map(), 31, 'Access was revoked')
    expect(isWaived(unknownDays, reasons)).toBe(true)
    expect(isWaived(unknownDays, withWaiver(reasons, 31, ' '))).toBe(false)
    expect(isWaived(unknownDays, withWaiver(reasons, 31, null))).toBe(false)
    expect(isWaived(unknownDays, withWaiver(reasons, 32, 'Another one'))).toBe(true)
  })

  it('is for what can be waived', () => {
    const reasons = withWaiver(new Map(), 31, 'Access was revoked')
    expect(isWaived({ ...unknownDays, can_waive: false }, reasons)).toBe(false)
    expect(isWaived(check('rate_missing', { can_waive: true }), reasons)).toBe(false)
  })
})
