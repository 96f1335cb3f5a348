import { describe, expect, it } from 'vitest'
import { whyNotTaxId } from './tax-id.ts'

describe('a tax id', () => {
  it('of Taiwan has eight digits and a checksum that divides by 5 (A1)', () => {
    for (const id of ['04595252', '10458570', '10458575']) expect(whyNotTaxId('TW', id), id).toBeNull()
    for (const id of ['10458571', '12345678']) expect(whyNotTaxId('TW', id), id).toBe('tax_id_checksum')
    for (const id of ['1234567', '123456789', '1045857５', '', ' 10458570'])
      expect(whyNotTaxId('TW', id), id).toBe('tax_id_format')
  })

  it('with a 7 in seventh place may have the next sum, too', () => {
    // 0 + 0 + 0 + 0 + 0 + 0 + (2 + 8) + last digit
    const valid = Array.from({ length: 10 }, (_, last) => `0000007${last}`).filter(
      id => whyNotTaxId('TW', id) === null,
    )
    expect(valid).toEqual(['00000070', '00000074', '00000075', '00000079'])
    expect(whyNotTaxId('TW', '00000063')).toBe('tax_id_checksum')
  })

  it('of Japan has T, a check digit and twelve digits (A2)', () => {
    expect(whyNotTaxId('JP', 'T7000012050002')).toBeNull()
    expect(whyNotTaxId('JP', 'T1234567890123')).toBe('tax_id_checksum')
    for (const id of ['7000012050002', 'T700001205000', 't7000012050002', 'T70000120500022'])
      expect(whyNotTaxId('JP', id), id).toBe('tax_id_format')
  })

  it('of Japan shows any one digit that is wrong by its check digit, but for 0 and 9', () => {
    const id = '7000012050002'
    for (const [index, right] of [...id].entries())
      for (const wrong of '123456780') {
        if (Number(wrong) % 9 === Number(right) % 9) continue
        const mistyped = `T${id.slice(0, index)}${wrong}${id.slice(index + 1)}`
        expect(whyNotTaxId('JP', mistyped), mistyped).toBe('tax_id_checksum')
      }
  })

  it('of other countries has up to 30 characters', () => {
    expect(whyNotTaxId('other', 'DE 123 456 789')).toBeNull()
    expect(whyNotTaxId('other', '稅'.repeat(30))).toBeNull()
    for (const id of ['', '   ', 'x'.repeat(31)]) expect(whyNotTaxId('other', id)).toBe('tax_id_format')
  })
})
