import { assert, bigInt, constantFrom, property } from 'fast-check'
import { describe, expect, it } from 'vitest'
import { MAX_DOCUMENT, stepOf } from '#shared/billing/step.ts'
import { languages } from '#shared/language.ts'
import { formatAmount, formatMoney, parseMoney, stepDecimals } from './money.ts'
import { formatPercent, formatRate, parseRate } from './rate.ts'

const currencies = ['TWD', 'JPY', 'KRW', 'VND', 'USD', 'EUR', 'KWD']

describe('an amount that is typed', () => {
  it.each([
    ['1,234.50', 'USD', 1_234_500_000],
    ['1234.5', 'USD', 1_234_500_000],
    [' US$ 1,234.50 ', 'USD', 1_234_500_000],
    ['NT$100,000', 'TWD', 100_000_000_000],
    ['100,000元', 'TWD', 100_000_000_000],
    ['TWD 100000', 'TWD', 100_000_000_000],
    ['１２，３４５', 'TWD', 12_345_000_000],
    ['.5', 'USD', 500_000],
    ['5.', 'USD', 5_000_000],
    ['12.000000000', 'JPY', 12_000_000],
    ['¥12,345', 'JPY', 12_345_000_000],
    ['€0.01', 'EUR', 10_000],
    ['EUR 1.10', 'EUR', 1_100_000],
    ['1 234.50', 'USD', 1_234_500_000],
    ["1'234.50", 'USD', 1_234_500_000],
    ['\t99\n', 'TWD', 99_000_000],
    ['0', 'TWD', 0],
    ['000123', 'TWD', 123_000_000],
    ['0.00', 'USD', 0],
    ['1.500', 'KWD', 1_500_000],
    ['₩1,000', 'KRW', 1_000_000_000],
    ['₫1,000', 'VND', 1_000_000_000],
    ['nt$5', 'TWD', 5_000_000],
    ['9000000000', 'TWD', 9_000_000_000_000_000],
    ['', 'TWD', null],
    ['   ', 'TWD', null],
  ])('%j in %s', (text, currency, amount) => {
    expect(parseMoney(text, currency)).toEqual({ amount, fault: null })
  })

  it.each([
    ['-5', -5_000_000],
    ['−5', -5_000_000],
    ['(1,234)', -1_234_000_000],
    ['7', 7_000_000],
  ])('%j where amounts may be negative', (text, amount) => {
    expect(parseMoney(text, 'TWD', { signed: true })).toEqual({ amount, fault: null })
  })

  it.each([
    ['1,23', 'USD', 'not_an_amount'],
    ['1.234,50', 'EUR', 'not_an_amount'],
    ['12,34,567', 'USD', 'not_an_amount'],
    ['1e9', 'USD', 'not_an_amount'],
    ['(5', 'USD', 'not_an_amount'],
    ['.', 'USD', 'not_an_amount'],
    ['-', 'USD', 'not_an_amount'],
    ['twelve', 'USD', 'not_an_amount'],
    ['1,2345', 'USD', 'not_an_amount'],
    [',123', 'USD', 'not_an_amount'],
    ['1.2.3', 'USD', 'not_an_amount'],
    ['--1', 'USD', 'not_an_amount'],
    ['1-', 'USD', 'not_an_amount'],
    ['5)', 'USD', 'not_an_amount'],
    ['$', 'USD', 'not_an_amount'],
    ['Infinity', 'USD', 'not_an_amount'],
    ['NaN', 'USD', 'not_an_amount'],
    ['0x10', 'USD', 'not_an_amount'],
    ['=1+1', 'USD', 'not_an_amount'],
    ['0.0005', 'KWD', 'off_step'],
    ['0.1', 'JPY', 'off_step'],
    ['9000000000.01', 'USD', 'too_large'],
    ['99999999999999999999', 'TWD', 'too_large'],
    ['0.5', 'TWD', 'off_step'],
    ['0.005', 'USD', 'off_step'],
    ['1.00000001', 'USD', 'off_step'],
    ['9000000001', 'TWD', 'too_large'],
    ['-1', 'TWD', 'negative'],
    ['(1)', 'TWD', 'negative'],
  ])('is refused: %j in %s', (text, currency, fault) => {
    expect(parseMoney(text, currency)).toEqual({ amount: null, fault })
  })

  it('is the one that is written, in every currency and language', () => {
    assert(
      property(
        constantFrom(...currencies),
        constantFrom(...languages),
        bigInt(-MAX_DOCUMENT, MAX_DOCUMENT),
        (currency, language, size) => {
          const amount = Number(size - (size % stepOf(currency)))
          const text = formatAmount(amount, currency, language)
          expect(parseMoney(text, currency, { signed: true }).amount).toBe(amount === 0 ? 0 : amount)
        },
      ),
    )
  })
})

describe('an amount that is written', () => {
  it('has the decimals of what is billed, in both languages', () => {
    expect(formatMoney(296_624_000_000, 'TWD', 'en')).toBe('NT$296,624')
    expect(formatMoney(296_624_000_000, 'TWD', 'zh-TW')).toBe('$296,624')
    expect(formatMoney(1_234_500_000, 'USD', 'en')).toBe('$1,234.50')
    expect(formatMoney(1_234_500_000, 'USD', 'zh-TW')).toBe('US$1,234.50')
    expect(currencies.map(stepDecimals)).toEqual([0, 0, 0, 0, 2, 2, 3])
  })

  it('is exact beyond the safe integers', () => {
    expect(formatMoney(140_000_000_000_123_456n * 10n, 'TWD', 'en')).toBe('NT$1,400,000,000,001')
    expect(formatMoney(90_071_992_547_409_930_000n, 'USD', 'en')).toBe('$90,071,992,547,409.93')
  })

  it('shows what is off the step whole', () => {
    expect(formatAmount(1_500_000, 'TWD', 'en')).toBe('1.5')
  })
})

describe('a rate', () => {
  it.each([
    ['15', 1500],
    ['12.5 %', 1250],
    ['１２．５％', 1250],
    ['0', 0],
    ['100', 10_000],
    ['.25', 25],
    ['', null],
  ])('%j', (text, rate) => {
    expect(parseRate(text, 10_000)).toEqual({ rate, fault: null })
  })

  it.each([
    ['12.345', 'decimals'],
    ['101', 'out_of_range'],
    ['-1', 'not_a_rate'],
    ['1,5', 'not_a_rate'],
    ['.', 'not_a_rate'],
  ])('is refused: %j', (text, fault) => {
    expect(parseRate(text, 10_000)).toEqual({ rate: null, fault })
  })

  it('is written without decimals that say nothing', () => {
    expect([1500, 1250, 5].map(rate => formatRate(rate, 'en'))).toEqual(['15%', '12.5%', '0.05%'])
    expect(formatPercent(1250, 'zh-TW')).toBe('12.5')
  })
})
