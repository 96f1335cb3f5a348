import { describe, expect, it } from 'vitest'
import { asE164, settleContacts } from './contacts.ts'

describe('a mobile number', () => {
  it.each([
    ['0912-345-678', '+886912345678'],
    ['0912 345 678', '+886912345678'],
    ['(0912)345678', '+886912345678'],
    ['０９１２３４５６７８', '+886912345678'],
    ['912345678', '+886912345678'],
    ['+886 912 345 678', '+886912345678'],
    ['+886 (0)912-345-678', '+886912345678'],
    ['00886912345678', '+886912345678'],
    ['886912345678', '+886912345678'],
    ['+81 90-1234-5678', '+819012345678'],
    ['+81 090 1234 5678', '+819012345678'],
    ['+1 (415) 555-2671', '+14155552671'],
  ])('%s is stored as %s', (typed, stored) => expect(asE164(typed)).toBe(stored))

  it.each(['0912', '02-2345-6789', '091234567x', '+886 2 2345 6789', '090-1234-5678', '+0912345678', 'none'])(
    '%s is none',
    typed => expect(asE164(typed)).toBeNull(),
  )
})

describe('contacts', () => {
  const fieldsOf = (type: number, value: string) => settleContacts([{ type, value }], []).fields

  it.each([
    [0, 'Front desk, ask for Mei'],
    [2, 'mei@agency.example'],
    [3, 'mei.chen.5'],
    [3, '100004321'],
    [4, 'mei_chen-5.tw'],
  ])('of type %i can be %s', (type, value) => expect(fieldsOf(type, value)).toEqual({}))

  it.each([
    [1, 'call me'],
    [2, 'mei@'],
    [3, 'mei chen'],
    [4, 'Mei'],
    [4, 'a'.repeat(21)],
  ])('of type %i cannot be %s', (type, value) =>
    expect(fieldsOf(type, value)).toEqual({ 'contacts.0.value': ['contact_invalid'] }),
  )

  it('that a person already has are kept as they were written', () => {
    const old = { type: 1, value: '0912 (after six)' }
    const both = [old, { type: 1, value: '0912 345 678' }]
    expect(settleContacts(both, [old])).toEqual({
      contacts: [old, { type: 1, value: '+886912345678' }],
      fields: {},
    })
    expect(settleContacts(both, []).fields).toEqual({ 'contacts.0.value': ['contact_invalid'] })
  })
})
