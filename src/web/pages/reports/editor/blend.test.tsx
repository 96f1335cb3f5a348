// @vitest-environment happy-dom
import { screen } from '@testing-library/react'
import { describe, expect, it } from 'vitest'
import { catalogueOf } from '#shared/channels/all.ts'
import { whyNotBlends } from '#shared/blend.ts'
import { useTranslation } from '#web/i18n/use-translation.ts'
import { drawFor } from '#web/testing/draw-for.tsx'
import { blendFault } from './blend-fault.ts'
import { blendInWords, blendOperands } from './blend-operands.ts'
import type { DraftBlock } from './draft.ts'
import { testAccount } from './testing/account.ts'
import { testKnown, testMetric } from './testing/known.ts'

const block = (more: Partial<DraftBlock> = {}): DraftBlock => ({
  channel: 'fb',
  label: null,
  accounts: [1],
  metrics: ['cost', 'clicks'],
  filters: [],
  on_error: 'leave_empty',
  ...more,
})
const channels = [block(), block({ channel: 'aw', metrics: ['cost'] })]
const known = testKnown([testAccount(1)], { metrics: [testMetric(7)] })
const operands = (blocks: DraftBlock[]) => blendOperands(blocks, { known, language: 'en' })

/** What is marked in a formula, and why; as the rules judge it. */
function faultIn(formula: string, unit: 'money' | 'ratio' = 'ratio') {
  const [error] = whyNotBlends({
    report: {
      arrangement: 'joined',
      dimensions: ['date'],
      channels,
      blends: [{ name: 'A', formula, unit, decimals: 2 }],
    },
    catalogues: channels.map(({ channel }) => catalogueOf(channel)),
    currencies: [['TWD'], ['TWD']],
  })
  function Fault() {
    const { t } = useTranslation('editing')
    const fault = error && blendFault(formula, error, t)
    return <p>{fault ? `${formula.slice(fault.at, fault.at + fault.length)}| ${fault.why}` : 'none'}</p>
  }
  const { unmount } = drawFor(<Fault />)
  const text = screen.getByText(/^none$|\|/).textContent
  unmount()
  return text
}

describe('what a column over several channels is worked out of', () => {
  it('are the numbers of the channels, first of those that several have', () => {
    expect(operands(channels).map(({ id, channel, metric }) => [id, channel, metric])).toEqual([
      ['all.cost', null, 'Cost'],
      ['1.cost', 'Meta ads', 'Cost'],
      ['1.clicks', 'Meta ads', 'Clicks'],
      ['2.cost', 'Google Ads', 'Cost'],
    ])
    // Neither texts nor what is calculated itself.
    expect(operands([block({ metrics: ['quality_ranking', 'calc:7'] })])).toEqual([])
  })

  it('is read by its names', () => {
    const named = (formula: string) =>
      blendInWords(formula, operands(channels), ({ channel, metric }) => `${channel ?? 'All'} ${metric}`)
    expect(named('(1.cost + 2.cost) / all.cost * 1.5')).toBe(
      '(Meta ads Cost + Google Ads Cost) / All Cost * 1.5',
    )
    expect(named('1.ctr')).toBeNull()
  })
})

describe('a formula over several channels', () => {
  it.each([
    ['all.cost + 2.cost', 'none'],
    ['1.cost +', '| The formula is not finished.'],
    ['1.cost # 2', '#| “#” does not fit here. Use metrics, numbers, + − × ÷ and parentheses.'],
    ['1.cost - ?.cost', '?| Its channel has been removed from the report. Choose another one.'],
    ['cost', 'cost| Say whose cost: that of channel 1 is 1.cost, that of all is all.cost.'],
    ['3.cost', '3.cost| The report has nothing to calculate with under 3.cost.'],
    ['1.cost + 1.clicks', '+| Money cannot be added to or subtracted from other numbers.'],
  ])('is marked where it is wrong: %s', (formula, expected) => {
    expect(faultIn(formula)).toBe(expected)
  })

  it('is marked as a whole where its result is no money', () => {
    expect(faultIn('1.cost / 2.cost', 'money')).toBe(
      '1.cost / 2.cost| The result is no amount of money. Choose another way to show it.',
    )
  })
})
