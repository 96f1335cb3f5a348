// @vitest-environment happy-dom
import { screen, within } from '@testing-library/react'
import { userEvent } from '@testing-library/user-event'
import { useState } from 'react'
import { describe, expect, it, vi } from 'vitest'
import type { CustomerContact } from '#shared/api/customers.ts'
import { draw } from '#web/testing/render.tsx'
import { ContactList, filledIn } from './contact-list.tsx'
import { MoneyInput } from './money-input.tsx'
import type { TypedAmount } from './money.ts'
import { MonthPicker } from './month-picker.tsx'
import { RateInput } from './rate-input.tsx'
import type { TypedRate } from './rate.ts'
import { TermsInput, type TypedTerms } from './terms-input.tsx'

const field = (label: string) => screen.getByLabelText<HTMLInputElement>(label)

interface MoneyProps {
  currency?: string
  signed?: boolean
  offStep?: boolean
  unread?: string
}

function drawnMoney(first: TypedAmount, props: MoneyProps = {}) {
  const onChange = vi.fn<(value: TypedAmount) => void>()
  function Form() {
    const [value, setValue] = useState(first)
    return (
      <>
        <MoneyInput
          label="Budget"
          currency="TWD"
          {...props}
          value={value}
          onChange={next => {
            setValue(next)
            onChange(next)
          }}
        />
        <button onClick={() => setValue(2_000_000)}>Reset</button>
      </>
    )
  }
  draw(<Form />)
  return onChange
}

describe('a field for money', () => {
  it('shows the amount with separators, and takes another in units', async () => {
    const onChange = drawnMoney(100_000_000_000)
    expect(field('Budget').value).toBe('100,000')
    await userEvent.clear(field('Budget'))
    expect(onChange).toHaveBeenLastCalledWith(null)
    await userEvent.type(field('Budget'), '55555')
    expect(onChange).toHaveBeenLastCalledWith(55_555_000_000)
    expect(field('Budget').value).toBe('55555')
    await userEvent.tab()
    expect(field('Budget').value).toBe('55,555')
  })

  it('takes what is pasted from a spreadsheet', async () => {
    const onChange = drawnMoney(null, { currency: 'USD' })
    await userEvent.click(field('Budget'))
    await userEvent.paste('$1,234.50')
    expect(onChange).toHaveBeenLastCalledWith(1_234_500_000)
    await userEvent.tab()
    expect(field('Budget').value).toBe('1,234.50')
  })

  it('says what is wrong once it is left, and no longer when it is mended', async () => {
    const onChange = drawnMoney(null)
    await userEvent.type(field('Budget'), '99.5')
    expect(onChange).toHaveBeenLastCalledWith('invalid')
    expect(screen.queryByText(/whole units/)).toBeNull()
    await userEvent.tab()
    expect(screen.getByText(/whole units/).textContent).toBe(
      'TWD is billed in whole units. Enter an amount without decimals.',
    )
    expect(field('Budget').value).toBe('99.5')
    await userEvent.type(field('Budget'), '{Backspace}{Backspace}')
    await userEvent.tab()
    expect(screen.queryByText(/whole units/)).toBeNull()
    expect(onChange).toHaveBeenLastCalledWith(99_000_000)
  })

  it('takes a price below what is billed where only what it amounts to is', async () => {
    const onChange = drawnMoney(12_345_678, { offStep: true })
    expect(field('Budget').value).toBe('12.345678')
    await userEvent.clear(field('Budget'))
    await userEvent.type(field('Budget'), '0.5')
    await userEvent.tab()
    expect(onChange).toHaveBeenLastCalledWith(500_000)
    expect(field('Budget').value).toBe('0.5')
    await userEvent.type(field('Budget'), '00000000000001')
    expect(onChange).toHaveBeenLastCalledWith('invalid')
  })

  it('shows a text that was no amount, until it is mended', async () => {
    const onChange = drawnMoney('invalid', { unread: '12k' })
    expect(field('Budget').value).toBe('12k')
    expect(field('Budget').getAttribute('aria-invalid')).toBe('true')
    await userEvent.type(field('Budget'), '{Backspace}')
    await userEvent.tab()
    expect(onChange).toHaveBeenLastCalledWith(12_000_000)
    expect(field('Budget').hasAttribute('aria-invalid')).toBe(false)
  })

  it('names the step of a currency that has cents', async () => {
    drawnMoney(null, { currency: 'USD' })
    await userEvent.type(field('Budget'), '0.005')
    await userEvent.tab()
    expect(screen.getByText(/steps of/).textContent).toBe('Amounts are billed in steps of $0.01.')
  })

  it('shows an amount that was changed elsewhere, also over a text that is none', async () => {
    drawnMoney(1_000_000)
    await userEvent.type(field('Budget'), 'x')
    await userEvent.click(screen.getByRole('button', { name: 'Reset' }))
    expect(field('Budget').value).toBe('2')
  })
})

it('a field for a rate takes per cent and gives basis points', async () => {
  const onChange = vi.fn<(value: TypedRate) => void>()
  function Form() {
    const [rate, setRate] = useState<TypedRate>(1500)
    onChange(rate)
    return <RateInput label="Fee" value={rate} onChange={setRate} />
  }
  draw(<Form />)
  expect(field('Fee').value).toBe('15')
  await userEvent.type(field('Fee'), '.25')
  expect(onChange).toHaveBeenLastCalledWith(1525)
  await userEvent.type(field('Fee'), '5')
  expect(onChange).toHaveBeenLastCalledWith('invalid')
  await userEvent.tab()
  screen.getByText('Enter at most two decimals.')
})

it('a month is found by its number', async () => {
  const onChange = vi.fn<(month: string | null) => void>()
  draw(
    <MonthPicker
      label="Until"
      value={null}
      onChange={onChange}
      from="2026-01"
      to="2027-03"
      none="Until further notice"
    />,
  )
  const month = screen.getByRole<HTMLInputElement>('combobox', { name: 'Until' })
  expect(month.value).toBe('Until further notice')
  await userEvent.click(month)
  await userEvent.clear(month)
  await userEvent.type(month, '2026-11')
  await userEvent.click(await screen.findByRole('option', { name: 'Nov 2026' }))
  expect(onChange).toHaveBeenLastCalledWith('2026-11')
})

it('payment terms of more than 180 days are none', async () => {
  const onChange = vi.fn<(terms: TypedTerms) => void>()
  function Form() {
    const [terms, setTerms] = useState<TypedTerms>({ kind: 'days', days: 30 })
    onChange(terms)
    return <TermsInput label="Terms" value={terms} onChange={setTerms} />
  }
  draw(<Form />)
  await userEvent.type(field('Number of days'), '0')
  expect(onChange).toHaveBeenLastCalledWith('invalid')
  screen.getByText('Enter 0 to 180 days.')
  await userEvent.clear(field('Number of days'))
  await userEvent.type(field('Number of days'), '45')
  await userEvent.click(screen.getByRole('combobox', { name: 'Counted from' }))
  await userEvent.click(await screen.findByRole('option', { name: 'After the end of the month' }))
  expect(onChange).toHaveBeenLastCalledWith({ kind: 'month_end', days: 45 })
})

it('the first contact gets the documents, and empty ones are not sent', async () => {
  const onChange = vi.fn<(contacts: CustomerContact[]) => void>()
  function Form() {
    const [contacts, setContacts] = useState<CustomerContact[]>([])
    onChange(contacts)
    return <ContactList label="Contacts" value={contacts} onChange={setContacts} />
  }
  draw(<Form />)
  const add = screen.getByRole('button', { name: 'Add contact' })
  await userEvent.click(add)
  await userEvent.click(add)
  const first = within(screen.getByRole('group', { name: 'Contact 1' }))
  await userEvent.type(first.getByRole('textbox', { name: 'Name' }), ' Amy Lin ')
  const contacts = onChange.mock.lastCall?.[0] ?? []
  expect(contacts.map(({ is_billing }) => is_billing)).toEqual([true, false])
  expect(filledIn(contacts)).toEqual([{ name: 'Amy Lin', title: '', phone: '', email: '', is_billing: true }])
  await userEvent.click(screen.getByRole('button', { name: 'Remove contact 2' }))
  expect(onChange.mock.lastCall?.[0]).toHaveLength(1)
})
