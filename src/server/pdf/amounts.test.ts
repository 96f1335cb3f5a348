import { expect, it } from 'vitest'
import { amountText, dayText, monthText, quantityText, rateText } from './amounts.ts'

it.each([
  [296_624_000_000, 'TWD', '296,624'],
  [-351_000_000, 'TWD', '−351'],
  [123_456_780_000, 'TWD', '123,456.78'],
  [3_500_000, 'TWD', '3.50'],
  [1_419_740_000, 'USD', '1,419.74'],
  [185_000_000, 'USD', '185.00'],
  [450_000_000_000, 'JPY', '450,000'],
  [1, 'USD', '0.000001'],
  [0, 'EUR', '0.00'],
  [9_000_000_000_000_000, 'TWD', '9,000,000,000'],
])('%d millionths of %s are %s', (millionths, currency, text) => {
  expect(amountText(millionths, currency)).toBe(text)
})

it('writes rates, quantities, days and months', () => {
  expect([1500, 1250, 0, 10_000].map(rateText)).toEqual(['15 %', '12.5 %', '0 %', '100 %'])
  expect(quantityText(833_333)).toBe('833,333')
  expect([dayText('2026-11-05', 'zh-TW'), dayText('2026-11-05', 'en')]).toEqual(['2026/11/05', '5 Nov 2026'])
  expect([monthText('2026-01', 'zh-TW'), monthText('2026-01', 'en')]).toEqual([
    '2026 年 1 月',
    'January 2026',
  ])
})
