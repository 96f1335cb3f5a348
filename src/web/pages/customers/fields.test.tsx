// @vitest-environment happy-dom
import { screen } from '@testing-library/react'
import { userEvent } from '@testing-library/user-event'
import { useState } from 'react'
import { describe, expect, it, vi } from 'vitest'
import type { TaxCountry } from '#shared/billing/tax-id.ts'
import { Problem } from '#web/client/problem.ts'
import { CurrencyField } from '#web/ui/currency-field.tsx'
import { draw } from '#web/testing/render.tsx'
import { EMPTY_ADVERTISER } from './advertiser-draft.ts'
import { EMPTY_AGENT } from './agent-draft.ts'
import { drawFor } from '#web/testing/draw-for.tsx'
import { listOf, serve } from '#web/testing/fake-server.ts'
import { aurora, beauty, northern, travel } from './testing/samples.ts'
import { TaxIdField } from './tax-id-field.tsx'
import { AgentFields } from './agent-fields.tsx'
import { BillingFields, FurtherFields, IdentityFields } from './advertiser-fields.tsx'

const user = userEvent
const box = (name: string) => screen.getByRole<HTMLInputElement>('textbox', { name })
const combobox = (name: string) => screen.getByRole<HTMLInputElement>('combobox', { name })
const choose = async (field: string, option: string | RegExp) => {
  await user.click(combobox(field))
  await user.click(await screen.findByRole('option', { name: option }))
}
const served = () =>
  serve({
    'GET /api/industry/': listOf([beauty, travel]),
    'GET /api/agent/': listOf([northern, { ...northern, id: 6, name: 'Closed', is_active: false }]),
    'GET /api/advertiser/': listOf([aurora]),
  })

function drawnTaxId(tax_country: TaxCountry = 'TW') {
  function Form() {
    const [value, setValue] = useState({ tax_country, tax_id: '' })
    return <TaxIdField value={value} onChange={setValue} />
  }
  draw(<Form />)
}

describe('a field for a tax id', () => {
  const wrong = 'This tax ID has a typing error: its check digit does not match.'
  const isValid = () => screen.queryByRole('img', { name: 'The check digit is right' }) !== null

  it('says nothing while there are digits to come', async () => {
    drawnTaxId()
    await user.type(box('Tax ID'), '0459525')
    expect(box('Tax ID').getAttribute('aria-invalid')).toBeNull()
    await user.tab()
    expect(box('Tax ID').getAttribute('aria-invalid')).toBe('true')
  })

  it('says at once that the last digit is wrong, and that it is right', async () => {
    drawnTaxId()
    await user.type(box('Tax ID'), '04595253')
    expect(screen.getByText(wrong).textContent).toBe(wrong)
    expect(isValid()).toBe(false)
    await user.type(box('Tax ID'), '{Backspace}2')
    expect(screen.queryByText(wrong)).toBeNull()
    expect(isValid()).toBe(true)
  })

  it('has the name and the rule of the country', async () => {
    drawnTaxId()
    await choose('Country', 'Japan')
    await user.type(box('Registration number'), 't7000012050002')
    expect(isValid()).toBe(true)
    await choose('Country', 'Other')
    expect(box('Tax ID').getAttribute('aria-invalid')).toBeNull()
    expect(isValid()).toBe(false)
  })
})

function BillingForm() {
  const [draft, setDraft] = useState(EMPTY_ADVERTISER)
  return <BillingFields draft={draft} onChange={setDraft} tried={false} problem={null} />
}

describe('the fields of an advertiser', () => {
  const refusal = (field: string) =>
    new Problem({ code: 'invalid', status: 400, fields: { [field]: ['field_invalid'] } })
  const fieldsFor = (problem: Problem | null) => {
    const props = { draft: EMPTY_ADVERTISER, onChange: () => {}, tried: false, problem }
    return (
      <>
        <IdentityFields {...props} />
        <BillingFields {...props} />
        <FurtherFields {...props} />
      </>
    )
  }

  it.each([
    'name',
    'tax_id',
    'industry',
    'agent',
    'billing_currency',
    'tax',
    'media_billing',
    'payment_terms',
    'legal_name',
    'address',
    'website',
    'note',
  ])('have a place for what the server says of %s', async field => {
    served()
    drawFor(fieldsFor(refusal(field)))
    expect(screen.getAllByText('This value is not valid.')).toHaveLength(1)
  })

  it('say of a contact which of its fields is wrong', () => {
    served()
    const contact = { name: 'Amy', title: '', phone: '', email: 'amy', is_billing: false }
    const problem = refusal('contacts.1.email')
    const draft = { ...EMPTY_ADVERTISER, contacts: [{ ...contact, email: '' }, contact] }
    drawFor(<FurtherFields {...{ draft, problem }} onChange={() => {}} tried={false} />)
    const emails = screen.getAllByRole('textbox', { name: 'E-mail' })
    expect(emails.map(email => email.getAttribute('aria-invalid'))).toEqual([null, 'true'])
  })

  it('offer an inactive agent only to whom it belongs', async () => {
    served()
    const draft = { ...EMPTY_ADVERTISER, agent: null }
    drawFor(<IdentityFields draft={draft} onChange={() => {}} tried={false} problem={null} />)
    await user.click(combobox('Agent'))
    await screen.findByRole('option', { name: 'Northern Media' })
    expect(screen.queryByRole('option', { name: 'Closed' })).toBeNull()
  })

  it('find an industry by its name in either language', async () => {
    served()
    drawFor(<IdentityFields draft={EMPTY_ADVERTISER} onChange={() => {}} tried={false} problem={null} />)
    await user.click(combobox('Industry'))
    await screen.findByRole('option', { name: 'Travel' })
    await user.clear(combobox('Industry'))
    await user.type(combobox('Industry'), '旅遊')
    await expect
      .poll(() => screen.getAllByRole('option').map(({ textContent }) => textContent))
      .toEqual(['Travel'])
  })

  it('say what each way of billing the media means', async () => {
    served()
    drawFor(<BillingForm />)
    expect(screen.getByText('Media and service fee are on the invoice and taxed.').id).not.toBe('')
    await choose('Media', 'The agency advances the media')
    expect(screen.getByText('The media is charged untaxed, the service fee is taxed.').id).not.toBe('')
    await choose('Media', 'The customer pays the platforms')
    expect(screen.getByText('Only the service fee is charged.').id).not.toBe('')
  })
})

describe('the fields of an agent', () => {
  it.each(['name', 'tax_id', 'address', 'commission_rate', 'payment_terms', 'note'])(
    'have a place for what the server says of %s',
    field => {
      const problem = new Problem({ code: 'invalid', status: 400, fields: { [field]: ['field_invalid'] } })
      draw(<AgentFields draft={EMPTY_AGENT} onChange={() => {}} tried={false} problem={problem} />)
      expect(screen.getAllByText('This value is not valid.')).toHaveLength(1)
    },
  )

  it('mark a missing name once somebody has tried to send them', () => {
    draw(<AgentFields draft={EMPTY_AGENT} onChange={() => {}} tried problem={null} />)
    expect(screen.getAllByText('Please fill this in.')).toHaveLength(1)
  })
})

describe('a field for a currency', () => {
  it('is found by its code or its name, the frequent ones first', async () => {
    const onChange = vi.fn<(currency: string | null) => void>()
    draw(<CurrencyField label="Currency" value={null} onChange={onChange} none="Each account’s own" />)
    await user.click(combobox('Currency'))
    const options = await screen.findAllByRole('option')
    expect(options.slice(0, 3).map(({ textContent }) => textContent)).toEqual([
      'Each account’s own',
      'TWD New Taiwan Dollar',
      'USD US Dollar',
    ])
    await user.clear(combobox('Currency'))
    await user.type(combobox('Currency'), 'yen')
    await user.click(await screen.findByRole('option', { name: 'JPY Japanese Yen' }))
    expect(onChange).toHaveBeenLastCalledWith('JPY')
  })

  it('is none again', async () => {
    const onChange = vi.fn<(currency: string | null) => void>()
    draw(<CurrencyField label="Currency" value="EUR" onChange={onChange} none="None" />)
    expect(combobox('Currency').value).toBe('EUR Euro')
    await choose('Currency', 'None')
    expect(onChange).toHaveBeenLastCalledWith(null)
  })
})
