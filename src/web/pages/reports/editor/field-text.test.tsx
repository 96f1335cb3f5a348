// @vitest-environment happy-dom
import { screen } from '@testing-library/react'
import { describe, expect, it } from 'vitest'
import { switchLanguage } from '#web/i18n/i18n.ts'
import { drawFor } from '#web/testing/draw-for.tsx'
import type { ConflictPart } from './conflict.ts'
import { newDraft, type Draft } from './draft.ts'
import { useFieldText } from './field-text.ts'
import { testAccount } from './testing/account.ts'
import { testConversion, testKnown, testMetric } from './testing/known.ts'

const known = testKnown([testAccount(1)], {
  conversions: [testConversion(5)],
  metrics: [testMetric(7)],
  labels: [{ advertiser: 1, channel: 'fb', metric: 'cost', label: 'Spend', label_zh: '花費額' }],
})
const draft: Draft = {
  ...newDraft({ name: 'Daily', language: 'en', timezone: 'Asia/Taipei' }),
  channels: [
    {
      channel: 'fb',
      label: null,
      accounts: [1],
      metrics: ['cost', 'cpa', 'calc:7', 'calc:9'],
      filters: [],
      on_error: 'leave_empty',
      conversion: 5,
    },
  ],
  currency: 'TWD',
  comparison: { to: 'last_year', align: 'weekday', show: ['percent', 'value'] },
  blends: [{ name: 'Total', formula: 'all.cost', unit: 'money', decimals: 1 }],
  note: true,
}

/** A part of a draft in words. */
function textOf(part: ConflictPart, of: Draft = draft) {
  function Text() {
    return <pre>{useFieldText(known)(of, part)}</pre>
  }
  const { unmount } = drawFor(<Text />)
  const text = screen.getByText(() => true, {
    selector: 'pre',
    trim: false,
    collapseWhitespace: false,
  }).textContent
  unmount()
  return text?.split('\n')
}

describe('the settings of a report in words', () => {
  it('have the names that the advertiser gives its numbers', () => {
    expect(textOf('channels')).toEqual([
      'Meta ads',
      'Accounts: Account 1',
      'Spend, CPA (Orders), Cost per lead or purchase, calc:9',
      'Conversions: Orders',
      'Leave its cells empty, write the rest',
    ])
    const [block] = draft.channels
    const foreign = block ? [{ ...block, conversion: 8 }] : []
    expect(textOf('channels', { ...draft, channels: foreign })).toContain(
      'Conversions: Definition 8 (not available to you)',
    )
  })

  it('say what money is converted to, and what is compared', () => {
    expect(textOf('currency')).toEqual(['Converted to TWD New Taiwan Dollar'])
    expect(textOf('comparison')).toEqual(['Last year', 'Match days by: Weekday', 'Show: Value, Change %'])
    expect(textOf('blends')).toEqual(['Total = all.cost · Money · 1 decimal'])
    expect(textOf('note')).toEqual(['Yes'])
  })

  it('say what is left as it is', () => {
    const plain = newDraft({ name: 'Daily', language: 'en', timezone: 'Asia/Taipei' })
    const parts = ['currency', 'comparison', 'blends', 'note'] as const
    expect(parts.map(part => textOf(part, plain)?.[0])).toEqual(['Each account’s own', 'Off', '–', 'No'])
  })

  it('are Chinese for who reads that', async () => {
    await switchLanguage('zh-TW')
    try {
      expect(textOf('comparison')).toEqual(['去年同期', '對齊方式: 星期', '顯示欄位: 數值、變化率'])
      expect(textOf('channels')).toContain('轉換定義: 訂單')
    } finally {
      await switchLanguage('en')
    }
  })
})
