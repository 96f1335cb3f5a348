import { expect, it } from 'vitest'
import { cellText } from './cell-text.ts'

it('prints days and months of serial numbers', () => {
  expect(cellText(46_327, { kind: 'day' })).toBe('2026-11-01')
  expect(cellText(46_327, { kind: 'month' })).toBe('2026-11')
})

it('groups the thousands of numbers and keeps the digits of their format', () => {
  const number = (digits: number) => ({ kind: 'number', digits }) as const
  expect(cellText(1_234_567, number(0))).toBe('1,234,567')
  expect(cellText(1_234_567.891_23, number(4))).toBe('1,234,567.8912')
  expect(cellText(-1234.5, number(2))).toBe('-1,234.50')
  expect(cellText(1.005, number(2))).toBe('1.01')
  expect(cellText(-0.004, number(2))).toBe('0.00')
  expect(cellText(0.000_000_1, number(2))).toBe('0.00')
})

it('prints ratios as percent', () => {
  expect(cellText(0.07, { kind: 'percent', digits: 2 })).toBe('7.00%')
  expect(cellText(12.345_67, { kind: 'percent', digits: 1 })).toBe('1234.6%')
})

it('leaves texts and empty cells alone', () => {
  expect(cellText('=1+1', { kind: 'text' })).toBe('=1+1')
  expect(cellText('', { kind: 'number', digits: 2 })).toBe('')
})
