// @vitest-environment happy-dom
import { screen } from '@testing-library/react'
import { describe, expect, it } from 'vitest'
import { useTranslation } from '#web/i18n/use-translation.ts'
import { draw } from '#web/testing/render.tsx'
import { termsText } from '#web/ui/terms-input.tsx'
import { advertiserBody, advertiserDraft, EMPTY_ADVERTISER } from './advertiser-draft.ts'
import { agentBody, agentDraft, EMPTY_AGENT } from './agent-draft.ts'
import { plainTaxId, taxIdFault } from './tax-id-field.tsx'
import { aurora, northern } from './testing/samples.ts'

const nova = { ...EMPTY_ADVERTISER, name: 'Nova' }
const southern = { ...EMPTY_AGENT, name: 'Southern' }

describe('what is sent of an advertiser', () => {
  it('is nothing without a name', () => {
    expect(advertiserBody(EMPTY_ADVERTISER)).toBeNull()
    expect(advertiserBody({ ...EMPTY_ADVERTISER, name: '  ' })).toBeNull()
  })

  it('is a whole advertiser with a name alone', () => {
    expect(advertiserBody(nova)).toEqual({
      name: 'Nova',
      legal_name: '',
      tax_country: 'TW',
      tax_id: '',
      industry: null,
      agent: null,
      website: '',
      address: '',
      contacts: [],
      document_language: 'zh-TW',
      billing_currency: 'TWD',
      tax: 'tw_vat',
      media_billing: 'agency',
      payment_terms: { kind: 'month_end', days: 30 },
      note: '',
    })
  })

  it('is what was read where nothing has changed', () => {
    const { version: _, id: __, ...facts } = aurora
    expect(facts).toMatchObject(Object(advertiserBody(advertiserDraft(aurora))))
  })

  it.each([
    ['terms', { payment_terms: 'invalid' as const }],
    ['a tax id of seven digits', { tax_id: '1234567' }],
    ['a tax id with a wrong check digit', { tax_id: '12345678' }],
    ['one of Japan', { tax_country: 'JP' as const, tax_id: 'T1234567890123' }],
  ])('is nothing with wrong %s', (_, change) => {
    expect(advertiserBody({ ...nova, ...change })).toBeNull()
  })

  it.each([
    ['www.example.com', 'https://www.example.com'],
    [' example.com/shop ', 'https://example.com/shop'],
    ['http://example.com', 'http://example.com'],
    ['HTTPS://example.com', 'HTTPS://example.com'],
    ['', ''],
  ])('has the website %j as %j', (website, sent) => {
    expect(advertiserBody({ ...nova, website })?.website).toBe(sent)
  })

  it('has no contacts that were begun and left empty', () => {
    const empty = { name: ' ', title: '', phone: '', email: '', is_billing: true }
    const amy = { ...empty, name: ' Amy ', email: 'amy@example.com ' }
    expect(advertiserBody({ ...nova, contacts: [empty, amy] })?.contacts).toEqual([
      { ...empty, name: 'Amy', email: 'amy@example.com' },
    ])
  })
})

describe('what is sent of an agent', () => {
  it('is nothing without a name, with a wrong rate or wrong terms', () => {
    expect(agentBody(EMPTY_AGENT)).toBeNull()
    expect(agentBody({ ...southern, commission_rate: 'invalid' })).toBeNull()
    expect(agentBody({ ...southern, payment_terms: 'invalid' })).toBeNull()
    expect(agentBody({ ...southern, tax_id: '1' })).toBeNull()
  })

  it('has a commission of nothing where none is typed', () => {
    expect(agentBody(southern)).toEqual({
      name: 'Southern',
      tax_country: 'TW',
      tax_id: '',
      address: '',
      commission_rate: 0,
      commission_base: 'fee',
      contacts: [],
      payment_terms: { kind: 'month_end', days: 30 },
      note: '',
    })
  })

  it('is what was read where nothing has changed', () => {
    expect(northern).toMatchObject(Object(agentBody(agentDraft(northern))))
  })
})

describe('a tax id', () => {
  it.each([
    ['０４５９５２５２', '04595252'],
    [' 04595252 ', '04595252'],
    ['t7000012050002', 'T7000012050002'],
    ['T7000012050002', 'T7000012050002'],
  ])('%j is sent as %j', (typed, sent) => {
    expect(plainTaxId(typed)).toBe(sent)
  })

  it.each([
    ['TW', '04595252', null],
    ['TW', '10458570', null],
    ['TW', '10458575', null],
    ['TW', '10458571', 'tax_id_checksum'],
    ['TW', '1234567', 'tax_id_format'],
    ['JP', 'T7000012050002', null],
    ['JP', 't7000012050002', null],
    ['JP', '7000012050002', 'tax_id_format'],
    ['JP', 'T1234567890123', 'tax_id_checksum'],
    ['other', 'DE 123', null],
    ['TW', '', null],
    ['JP', ' ', null],
  ] as const)('of %s, %j: %s', (tax_country, tax_id, fault) => {
    expect(taxIdFault({ tax_country, tax_id })).toBe(fault)
  })
})

describe('an advertiser that is edited', () => {
  it.each([
    ['legal_name', '極光股份有限公司'],
    ['tax_country', 'TW'],
    ['industry', 2],
    ['agent', 5],
    ['billing_currency', 'TWD'],
    ['document_language', 'zh-TW'],
    ['media_billing', 'agency'],
    ['tax', 'tw_vat'],
  ] as const)('has its %s', (field, value) => {
    expect(advertiserDraft(aurora)[field]).toBe(value)
  })

  it('has nothing that others work out', () => {
    const derived = [
      'service_fee_rate',
      'open_orders',
      'overdue',
      'accounts',
      'shares_tax_id_with',
      'version',
    ]
    expect(Object.keys(advertiserDraft(aurora)).filter(field => derived.includes(field))).toEqual([])
  })
})

describe('an agent that is edited', () => {
  it.each([
    ['tax_id', '04595252'],
    ['commission_rate', 1000],
    ['commission_base', 'fee'],
    ['is_active', true],
  ] as const)('has its %s', (field, value) => {
    expect(agentDraft(northern)[field]).toBe(value)
  })

  it('has nothing that others work out', () => {
    const derived = ['id', 'version', 'advertisers', 'created_at', 'last_modified_at']
    expect(Object.keys(agentDraft(northern)).filter(field => derived.includes(field))).toEqual([])
  })
})

describe('terms in words', () => {
  it.each([
    ['days', 0, 'On issue'],
    ['days', 1, '1 day after issue'],
    ['days', 30, '30 days after issue'],
    ['month_end', 0, 'At the end of the month'],
    ['month_end', 1, '1 day after the end of the month'],
    ['month_end', 60, '60 days after the end of the month'],
  ] as const)('%s %i: %s', (kind, days, text) => {
    function Terms() {
      const { t } = useTranslation('money')
      return <p>{termsText(t, { kind, days })}</p>
    }
    draw(<Terms />)
    expect(screen.getByText(text).textContent).toBe(text)
  })
})
