// @vitest-environment happy-dom
import { screen, within } from '@testing-library/react'
import { userEvent } from '@testing-library/user-event'
import { afterEach, describe, expect, it, onTestFinished, vi } from 'vitest'
import { client } from '#web/client/client.ts'
import { Problem } from '#web/client/problem.ts'
import { toasts } from '#web/client/toasts.ts'
import { drawFor } from '#web/testing/draw-for.tsx'
import { InvoiceForm } from './invoice-form.tsx'
import { openOf } from './payment-table.tsx'
import { Receipts } from './receipts.tsx'
import { paymentOf, receiptOf, UNIT } from './testing/example-payment.ts'

afterEach(() => vi.restoreAllMocks())

const field = (label: string, within_ = screen.getAllByRole('textbox')) =>
  within_.find((input): input is HTMLInputElement => labelOf(input) === label) ??
  document.createElement('input')
const labelOf = (input: Element) =>
  (input as HTMLInputElement).labels?.[0]?.textContent?.replace(/ \*$/, '') ?? null
const press = (name: string) => userEvent.click(screen.getByRole('button', { name }))

async function retype(label: string, text: string) {
  await userEvent.clear(field(label))
  if (text !== '') await userEvent.type(field(label), text)
}

describe('a receipt', () => {
  it('is of what is left, until something else is typed', async () => {
    drawFor(<Receipts payment={paymentOf({ received: 50_000 * UNIT })} />)
    await press('Add receipt')
    expect(field('Amount received').value).toBe('38,988')
    expect(screen.getByText('It would be paid.')).toBeTruthy()
  })

  it('pays together with the fee that the bank has kept (B8)', async () => {
    const post = vi.spyOn(client, 'post').mockResolvedValue(paymentOf({ status: 'paid' }))
    drawFor(<Receipts payment={paymentOf()} />)
    await press('Add receipt')
    await retype('Amount received', '88958')
    expect(screen.getByText('NT$30 would be left')).toBeTruthy()
    await retype('Bank fee', '30')
    expect(screen.getByText('It would be paid.')).toBeTruthy()
    await userEvent.type(field('Reference'), '12345')
    await press('Add receipt')
    const [path, request] = post.mock.calls[0] ?? []
    expect(path).toBe('/api/ad_insertion/payment/5/receipt/')
    expect(request?.body).toMatchObject({
      version: 2,
      amount: 88_958 * UNIT,
      bank_fee: 30 * UNIT,
      method: 'transfer',
      reference: '12345',
    })
    await expect.poll(() => toasts.get().at(-1)?.message).toBe('Payment P2026-0001 is paid')
  })

  it('is more than what is left where a dollar is too much', async () => {
    vi.spyOn(client, 'post').mockRejectedValue(
      new Problem({ code: 'invalid', status: 400, fields: { amount: ['receipt_too_large'] } }),
    )
    drawFor(<Receipts payment={paymentOf()} />)
    await press('Add receipt')
    await retype('Amount received', '88959')
    await retype('Bank fee', '30')
    expect(screen.getByText('It is NT$1 more than what is left.')).toBeTruthy()
    await press('Add receipt')
    await expect.poll(() => field('Amount received').getAttribute('aria-invalid')).toBe('true')
  })

  it('begins with the day that it is at the agency, wherever the browser is', async () => {
    vi.setSystemTime('2026-11-26T20:00:00Z')
    onTestFinished(() => void vi.useRealTimers())
    drawFor(<Receipts payment={paymentOf()} />)
    await press('Add receipt')
    expect(screen.getByLabelText<HTMLInputElement>(/^Received on/).value).toBe('2026-11-27')
  })

  it('is not sent while an amount is none', async () => {
    const post = vi.spyOn(client, 'post')
    drawFor(<Receipts payment={paymentOf()} />)
    await press('Add receipt')
    await retype('Bank fee', 'x')
    await press('Add receipt')
    expect(post).not.toHaveBeenCalled()
  })

  it('is refused when somebody has changed the payment meanwhile', async () => {
    vi.spyOn(client, 'post').mockRejectedValue(new Problem({ code: 'conflict', status: 409 }))
    drawFor(<Receipts payment={paymentOf()} />)
    await press('Add receipt')
    await press('Add receipt')
    expect(await screen.findByText(/Somebody has changed this payment/)).toBeTruthy()
  })
})

describe('the receipts of a payment', () => {
  it('name day, way, reference and fee, and cross out what was reversed', () => {
    drawFor(
      <Receipts
        payment={paymentOf({
          receipts: [
            receiptOf({ bank_fee: 30 * UNIT, reference: '98765' }),
            receiptOf({
              id: 4,
              method: 'cheque',
              reversed_at: '2026-11-21T01:00:00.000Z',
              reason: 'Bounced',
            }),
          ],
        })}
      />,
    )
    const [first, second] = screen.getAllByRole('listitem')
    expect(first?.textContent).toContain('2026-11-20 · Bank transfer · 98765')
    expect(first?.textContent).toContain('with NT$30 bank fee')
    expect(second?.textContent).toContain('Reversed: Bounced')
    expect(within(second ?? document.body).queryByRole('button')).toBeNull()
  })

  it('are reversed with a reason', async () => {
    const post = vi.spyOn(client, 'post').mockResolvedValue(paymentOf())
    drawFor(<Receipts payment={paymentOf({ receipts: [receiptOf()] })} />)
    await press('Reverse')
    const dialog = await screen.findByRole('dialog', { name: 'Reverse this receipt?' })
    await userEvent.type(within(dialog).getByRole('textbox'), 'Bounced')
    await userEvent.click(within(dialog).getByRole('button', { name: 'Reverse' }))
    expect(post.mock.calls[0]).toMatchObject([
      '/api/ad_insertion/payment/5/receipt/3/reverse/',
      { body: { version: 2, reason: 'Bounced' } },
    ])
  })

  it('are only read by whoever may not change them', () => {
    drawFor(<Receipts payment={paymentOf({ may: [], receipts: [receiptOf()] })} />)
    expect(screen.queryByRole('button')).toBeNull()
  })

  it('get no more once everything has come, though they may be reversed', () => {
    drawFor(<Receipts payment={paymentOf({ status: 'paid', may: ['edit'], receipts: [receiptOf()] })} />)
    expect(screen.queryByRole('button', { name: 'Add receipt' })).toBeNull()
    expect(screen.getByRole('button', { name: 'Reverse' })).toBeTruthy()
  })
})

describe('the invoice of a payment', () => {
  it('is noted with its number and day', async () => {
    const patch = vi.spyOn(client, 'patch').mockResolvedValue(paymentOf())
    drawFor(<InvoiceForm payment={paymentOf()} />)
    expect(screen.getByRole('button', { name: 'Save' }).hasAttribute('disabled')).toBe(true)
    await userEvent.type(field('Invoice number'), 'AB12345678')
    await press('Save')
    expect(patch.mock.calls[0]).toMatchObject([
      '/api/ad_insertion/payment/5/',
      { body: { version: 2, invoice_number: 'AB12345678', invoice_on: null, note: '' } },
    ])
    expect(patch.mock.calls[0]?.[1]?.body).not.toHaveProperty('due_on')
  })

  it('is none any more when its number is cleared', async () => {
    const patch = vi.spyOn(client, 'patch').mockResolvedValue(paymentOf())
    drawFor(<InvoiceForm payment={paymentOf({ invoice_number: 'AB12345678', invoice_on: '2026-11-20' })} />)
    await retype('Invoice number', '')
    await press('Save')
    expect(patch.mock.calls[0]?.[1]?.body).toMatchObject({ invoice_number: null })
  })

  it('says that the number belongs to another payment', async () => {
    vi.spyOn(client, 'patch').mockRejectedValue(
      new Problem({ code: 'invalid', status: 400, fields: { invoice_number: ['invoice_number_taken'] } }),
    )
    drawFor(<InvoiceForm payment={paymentOf()} />)
    await userEvent.type(field('Invoice number'), 'AB12345678')
    await press('Save')
    await expect.poll(() => field('Invoice number').getAttribute('aria-invalid')).toBe('true')
  })

  it('is only read by whoever may not change it', () => {
    drawFor(<InvoiceForm payment={paymentOf({ may: [] })} />)
    expect(field('Invoice number').disabled).toBe(true)
    expect(screen.queryByRole('button')).toBeNull()
  })
})

it('is owed in full until something comes, and not at all once it is void', () => {
  expect(openOf(paymentOf()) / UNIT).toBe(88_988)
  expect(openOf(paymentOf({ received: 80_000 * UNIT })) / UNIT).toBe(8988)
  expect(openOf(paymentOf({ status: 'void' }))).toBe(0)
})
