// @vitest-environment happy-dom
import { screen } from '@testing-library/react'
import { userEvent } from '@testing-library/user-event'
import { useState } from 'react'
import { describe, expect, it, vi } from 'vitest'
import type { CustomerContact } from '#shared/api/customers.ts'
import { draw } from '#web/testing/render.tsx'
import { ContactList } from './contact-list.tsx'
import { MoneyInput } from './money-input.tsx'
import type { TypedAmount } from './money.ts'
import { MonthPicker } from './month-picker.tsx'
import { RateInput } from './rate-input.tsx'
import { TermsInput, type TypedTerms } from './terms-input.tsx'

const user = userEvent
const field = (label: string) => screen.getByLabelText<HTMLInputElement>(label)

function MoneyForm({ signed = false }: { signed?: boolean }) {
  const [value, setValue] = useState<TypedAmount>(null)
  const [currency, setCurrency] = useState('USD')
  return (
    <>
      <MoneyInput label="Amount" {...{ value, currency, signed }} onChange={setValue} required />
      <button onClick={() => setCurrency('TWD')}>TWD</button>
      <output>{String(value)}</output>
    </>
  )
}

describe('a field for money', () => {
  const value = () => screen.getByRole('status').textContent

  it.each([
    ['1.234,50', 'Enter an amount such as 1,234.00.'],
    ['-5', 'Enter an amount of 0 or more.'],
    ['9000000001', 'The most is $9,000,000,000.00.'],
    ['1.001', 'Amounts are billed in steps of $0.01.'],
  ])('says what is wrong with %s', async (text, message) => {
    draw(<MoneyForm />)
    await user.type(screen.getByRole('textbox'), text)
    await user.tab()
    expect(screen.getByText(message).textContent).toBe(message)
    expect(screen.getByRole('textbox').getAttribute('aria-invalid')).toBe('true')
    expect(value()).toBe('invalid')
  })

  it('takes an amount below zero where it may be one', async () => {
    draw(<MoneyForm signed />)
    await user.type(screen.getByRole('textbox'), '(1,234.5)')
    await user.tab()
    expect(screen.getByRole<HTMLInputElement>('textbox').value).toBe('-1,234.50')
    expect(value()).toBe('-1234500000')
  })

  it('says it when an amount is off the step of another currency', async () => {
    draw(<MoneyForm />)
    await user.type(screen.getByRole('textbox'), '1.5')
    await user.tab()
    await user.click(screen.getByRole('button', { name: 'TWD' }))
    expect(screen.getByText(/^TWD is billed in whole units/).textContent).not.toBe('')
  })

  it('names its currency beside it, unless a column does', () => {
    const props = { value: 1_000_000, currency: 'EUR', onChange: () => {} }
    draw(
      <>
        <MoneyInput aria-label="Named" {...props} />
        <MoneyInput aria-label="Unnamed" {...props} withoutCurrency />
      </>,
    )
    expect(screen.getAllByText('EUR')).toHaveLength(1)
    expect(field('Unnamed').value).toBe('1.00')
  })

  it('shows what the server says where the text itself is right', () => {
    const props = { value: 1_000_000, currency: 'TWD', onChange: () => {} }
    draw(<MoneyInput label="Amount" {...props} error="More than the order." hint="Each month" />)
    expect(screen.getByText('More than the order.').id).not.toBe('')
    expect(field('Amount').getAttribute('aria-invalid')).toBe('true')
  })
})

describe('a field for a rate', () => {
  it.each([
    ['150', 'Enter a rate from 0 to 100%.'],
    ['1.234', 'Enter at most two decimals.'],
    ['a', 'Enter a rate such as 12.5.'],
  ])('says what is wrong with %s', async (text, message) => {
    draw(<RateInput label="Fee" value={null} onChange={() => {}} />)
    await user.type(field('Fee'), text)
    expect(screen.queryByText(message)).toBeNull()
    await user.tab()
    expect(screen.getByText(message).textContent).toBe(message)
  })

  it('has another highest rate where one is given', async () => {
    draw(<RateInput aria-label="Fee" value={null} onChange={() => {}} most={9999} />)
    await user.type(field('Fee'), '100')
    await user.tab()
    expect(screen.getByText('Enter a rate from 0 to 99.99%.').textContent).not.toBe('')
  })
})

describe('a choice of months', () => {
  const options = async () => {
    await user.click(screen.getByRole('combobox'))
    return (await screen.findAllByRole('option')).map(({ textContent }) => textContent)
  }

  it('has them in their order, the latest first where that is asked for', async () => {
    const props = { value: null, onChange: () => {}, from: '2026-11', to: '2027-01' }
    draw(<MonthPicker label="From" {...props} />).unmount()
    draw(<MonthPicker label="From" {...props} latestFirst />)
    expect(await options()).toEqual(['Jan 2027', 'Dec 2026', 'Nov 2026'])
  })

  it('keeps one that could not be chosen now', async () => {
    draw(<MonthPicker label="From" value="2024-02" onChange={() => {}} from="2026-11" to="2026-12" />)
    expect(screen.getByRole<HTMLInputElement>('combobox').value).toBe('Feb 2024')
    expect(await options()).toEqual(['Feb 2024', 'Nov 2026', 'Dec 2026'])
  })

  it('has one for no month at all', async () => {
    const onChange = vi.fn<(month: string | null) => void>()
    draw(
      <MonthPicker
        label="Until"
        value="2026-11"
        onChange={onChange}
        from="2026-11"
        to="2026-11"
        none="Until further notice"
      />,
    )
    await options()
    await user.click(screen.getByRole('option', { name: 'Until further notice' }))
    expect(onChange).toHaveBeenLastCalledWith(null)
  })
})

function TermsForm() {
  const [terms, setTerms] = useState<TypedTerms>({ kind: 'days', days: 30 })
  return (
    <>
      <TermsInput label="Terms" value={terms} onChange={setTerms} />
      <button onClick={() => setTerms({ kind: 'month_end', days: 60 })}>Reset</button>
    </>
  )
}

describe('payment terms', () => {
  it('follow what is set elsewhere', async () => {
    draw(<TermsForm />)
    await user.type(field('Number of days'), '00')
    expect(screen.getByText('Enter 0 to 180 days.').textContent).not.toBe('')
    await user.click(screen.getByRole('button', { name: 'Reset' }))
    expect(field('Number of days').value).toBe('60')
    expect(screen.getByRole<HTMLInputElement>('combobox').value).toBe('After the end of the month')
  })

  it.each(['', '181', '-1', '1.5', 'x'])('of %j days are none', async text => {
    const onChange = vi.fn<(terms: TypedTerms) => void>()
    draw(<TermsInput label="Terms" value={{ kind: 'days', days: 7 }} onChange={onChange} />)
    await user.clear(field('Number of days'))
    if (text !== '') await user.type(field('Number of days'), text)
    expect(onChange.mock.calls.some(([terms]) => terms === 'invalid')).toBe(true)
  })
})

describe('a list of contacts', () => {
  const contact: CustomerContact = { name: 'Amy', title: '', phone: '', email: '', is_billing: false }

  it('has at most twenty', () => {
    const all = Array.from({ length: 20 }, () => contact)
    draw(<ContactList label="Contacts" value={all} onChange={() => {}} />)
    expect(screen.getAllByRole('group')).toHaveLength(20)
    expect(screen.queryByRole('button', { name: 'Add contact' })).toBeNull()
  })

  it('shows what is wrong with which field', () => {
    const errorOf = (path: string) => path === '1.name' && 'Please fill this in.'
    draw(<ContactList label="Contacts" value={[contact, contact]} onChange={() => {}} errorOf={errorOf} />)
    const names = screen.getAllByRole('textbox', { name: 'Name' })
    expect(names.map(name => name.getAttribute('aria-invalid'))).toEqual([null, 'true'])
  })

  it('changes one of them alone', async () => {
    const onChange = vi.fn<(contacts: CustomerContact[]) => void>()
    draw(<ContactList label="Contacts" value={[contact, { ...contact, name: 'Ben' }]} onChange={onChange} />)
    const [, second] = screen.getAllByRole('checkbox', { name: 'Receives documents about money' })
    if (second) await user.click(second)
    expect(onChange).toHaveBeenLastCalledWith([contact, { ...contact, name: 'Ben', is_billing: true }])
  })

  it('cannot be changed while it is disabled', () => {
    draw(<ContactList label="Contacts" value={[contact]} onChange={() => {}} disabled />)
    expect(screen.queryAllByRole('button')).toEqual([])
    expect(screen.getAllByRole<HTMLInputElement>('textbox').every(({ disabled }) => disabled)).toBe(true)
  })
})
