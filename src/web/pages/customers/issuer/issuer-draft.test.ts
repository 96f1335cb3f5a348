import { describe, expect, it } from 'vitest'
import { issuerBody, issuerDraft, validDays, type IssuerDraft } from './issuer-draft.ts'

const draft = issuerDraft({
  name: 'Sheetcast',
  tax_id: '04595252',
  jp_tax_id: 'T7000012050002',
  address: '',
  phone: '',
  bank: '',
  terms: { en: 'Terms', 'zh-TW': '條款' },
  base_currency: 'TWD',
  valid_days: 14,
  logo: null,
  version: 1,
  last_modified_at: '2026-11-01T08:00:00.000Z',
})
const bodyOf = (changes: Partial<IssuerDraft>) => issuerBody({ ...draft, ...changes }, changes)

describe('the days that a quotation is valid', () => {
  it.each([
    ['1', 1],
    [' 30 ', 30],
    ['３０', 30],
    ['365', 365],
  ])('are in %j', (text, days) => {
    expect(validDays(text)).toBe(days)
  })

  it.each(['', '0', '366', '-1', '1.5', '1e2', 'ten', '0x1'])('are not in %j', text => {
    expect(validDays(text)).toBeNull()
  })
})

describe('what is sent of the agency', () => {
  it('is nothing where nothing has changed', () => {
    expect(bodyOf({})).toEqual({})
  })

  it('is the changed field alone, as the server has it', () => {
    expect(bodyOf({ tax_id: '１０４５８５７５' })).toEqual({ tax_id: '10458575' })
    expect(bodyOf({ jp_tax_id: ' t7000012050002 ' })).toEqual({ jp_tax_id: 'T7000012050002' })
    expect(bodyOf({ valid_days: '60' })).toEqual({ valid_days: 60 })
    expect(bodyOf({ tax_id: '' })).toEqual({ tax_id: '' })
    expect(bodyOf({ base_currency: 'JPY' })).toEqual({ base_currency: 'JPY' })
  })

  it.each([
    [{ terms_en: '' }, { en: '', 'zh-TW': '條款' }],
    [{ terms_zh: '' }, { en: 'Terms', 'zh-TW': '' }],
    [
      { terms_en: 'a', terms_zh: 'b' },
      { en: 'a', 'zh-TW': 'b' },
    ],
  ])('has both languages where %j changes', (changes, terms) => {
    expect(bodyOf(changes)).toEqual({ terms })
  })

  it.each([
    { tax_id: '04595253' },
    { tax_id: 'T7000012050002' },
    { jp_tax_id: '04595252' },
    { valid_days: '' },
  ])('is not there with %j', changes => {
    expect(bodyOf(changes)).toBeNull()
  })
})
