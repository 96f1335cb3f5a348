// @vitest-environment happy-dom
import 'temporal-polyfill/global'
import { screen, within } from '@testing-library/react'
import { userEvent } from '@testing-library/user-event'
import { describe, expect, it } from 'vitest'
import { Problem } from '#web/client/problem.ts'
import { listOf } from '#web/testing/fake-server.ts'
import { drawMonth } from '#web/pages/ec-spend/testing/draw-month.tsx'
import {
  accountLine,
  adjustment,
  billingMonth,
  lockedMonth,
  reconciliation,
  units,
} from '#web/pages/ec-spend/testing/samples.ts'
import { EcMonthPage } from './month-page.tsx'

const user = userEvent
const button = (name: string | RegExp) => screen.getByRole('button', { name })
const open = billingMonth('2026-10')
const locked = lockedMonth('2026-10')
const invoice = { id: 51, version: 2, amount: units(87_650), number: 'GA-1', note: '' }

describe('the reconciliation', () => {
  const RECONCILIATION = 'GET /api/ad/ecspend/reconciliation/'
  const drawn = (month: typeof open, lines: Parameters<typeof reconciliation>[1], answers = {}) =>
    drawMonth(<EcMonthPage />, {
      month,
      tab: 'reconciliation',
      answers: { [RECONCILIATION]: reconciliation(month, lines), ...answers },
    })
  const row = async (name: RegExp) => within(await screen.findByRole('row', { name }))
  const box = (name: string | RegExp) => screen.getByRole<HTMLInputElement>('textbox', { name })

  it('has what each account reports beside its invoice', async () => {
    drawn(open, [accountLine({ invoice, difference: units(-351), difference_rate: -399 })])
    const account = await row(/Aurora Search/)
    const cells = account.getAllByRole('cell').map(cell => cell.textContent?.trim())
    expect(cells.slice(0, 3)).toEqual(['88,000.50', '87,650GA-1', '-351-0.4%'])
    expect(account.queryByText('Note the reason')).toBeNull()
  })

  it('asks for a note where the invoice is more than half a per cent off', async () => {
    drawn(open, [accountLine({ invoice, difference: units(-451), difference_rate: -512 })])
    const account = await row(/Aurora Search/)
    account.getByRole('img', { name: 'More than 0.5% off' })
    expect(account.getByText('Note the reason').tagName).toBe('SMALL')
  })

  it('takes the note for an answer', async () => {
    const noted = { ...invoice, note: 'Credit of May' }
    drawn(open, [accountLine({ invoice: noted, difference: units(-451), difference_rate: -512 })])
    const account = await row(/Aurora Search/)
    expect(account.getByText('Credit of May').textContent).not.toBe('')
    expect(account.queryByText('Note the reason')).toBeNull()
  })

  it('says that days are not known', async () => {
    drawn(open, [
      accountLine({ spend: null, known: 'none', advertiser: null, advertiser_name: null }),
      accountLine({ ad_account: 22, account_name: 'Aurora Display', known: 'partial' }),
    ])
    const account = await row(/Aurora Search/)
    expect(account.getByText('not known yet').textContent).not.toBe('')
    expect(account.getByText('Unassigned · TWD').textContent).not.toBe('')
    expect((await row(/Aurora Display/)).getByText('some days are missing').tagName).toBe('SMALL')
  })

  it('takes an invoice in the row of its account', async () => {
    const { changes } = drawn(open, [accountLine()], { 'POST /api/ad/ecspend/invoice/': invoice })
    await user.click(await screen.findByRole('button', { name: 'Add the invoice of Aurora Search' }))
    const save = button('Save')
    expect(save.hasAttribute('disabled')).toBe(true)
    await user.type(box(/Platform’s invoice/), '87650')
    await user.type(box('Invoice number'), ' GA-1 ')
    await user.click(save)
    await expect.poll(() => screen.queryByRole('form')).toBeNull()
    expect(changes().map(({ body }) => body)).toEqual([
      { ad_account: 21, month: '2026-10', amount: units(87_650), number: 'GA-1', note: '' },
    ])
  })

  it('changes one by its version', async () => {
    const { changes } = drawn(open, [accountLine({ invoice })], {
      'PATCH /api/ad/ecspend/invoice/51/': invoice,
    })
    await user.click(await screen.findByRole('button', { name: 'Edit the invoice of Aurora Search' }))
    expect(box(/Platform’s invoice/).value).toBe('87,650')
    await user.type(box('Note'), 'Credit of May')
    await user.click(button('Save'))
    await expect.poll(() => screen.queryByRole('form')).toBeNull()
    expect(changes().map(({ body }) => body)).toEqual([
      { version: 2, amount: units(87_650), number: 'GA-1', note: 'Credit of May' },
    ])
  })

  it('removes one', async () => {
    const { changes } = drawn(open, [accountLine({ invoice })], {
      'DELETE /api/ad/ecspend/invoice/51/': null,
    })
    await user.click(await screen.findByRole('button', { name: 'Edit the invoice of Aurora Search' }))
    await user.click(button('Remove'))
    await expect.poll(() => screen.queryByRole('form')).toBeNull()
    expect(changes()).toMatchObject([{ method: 'DELETE', body: { version: 2 } }])
  })

  it('says that somebody else has saved it meanwhile', async () => {
    const conflict = new Problem({ code: 'conflict', status: 409 })
    drawn(open, [accountLine({ invoice })], { 'PATCH /api/ad/ecspend/invoice/51/': conflict })
    await user.click(await screen.findByRole('button', { name: 'Edit the invoice of Aurora Search' }))
    await user.click(button('Save'))
    expect((await screen.findByRole('alert')).textContent).toContain('Somebody else has changed this')
  })

  it('of a locked month shows what platforms have changed since, and takes no invoice', async () => {
    drawn(locked, [accountLine({ locked_cost: units(88_001), drift: units(-351) })])
    const account = await row(/Aurora Search/)
    expect(account.getAllByRole('cell').map(cell => cell.textContent)).toEqual([
      '88,001.00',
      '',
      '',
      '-351',
      '',
    ])
    expect(screen.queryByRole('button', { name: /invoice/ })).toBeNull()
  })

  it('is empty where no account has spent anything', async () => {
    drawn(open, [])
    expect((await screen.findByText('No accounts with spend in this month')).isConnected).toBe(true)
  })
})

describe('costs from a file', () => {
  const PATH = 'POST /api/ad/ecspend/import/'
  const csv = new File(['month,account,cost\n2026-10,5203141502,88000.5\n'], 'costs.csv', {
    type: 'text/csv',
  })
  const nothing = { create: 0, change: 0, same: 0, problems: [] }
  const opened = async (answer: unknown) => {
    const drawn = drawMonth(<EcMonthPage />, {
      tab: 'reconciliation',
      answers: {
        'GET /api/ad/ecspend/reconciliation/': reconciliation(open, [accountLine()]),
        [PATH]: answer,
      },
    })
    await user.click(await screen.findByRole('button', { name: 'Import costs' }))
    const dialog = await screen.findByRole('dialog', { name: 'Import costs of accounts' })
    const input = dialog.querySelector<HTMLInputElement>('input[type=file]')
    if (!input) throw new Error('no field for a file')
    await user.upload(input, csv)
    return { ...drawn, dialog: within(dialog) }
  }

  it('are tried first, then taken', async () => {
    const { dialog, changes } = await opened({ ...nothing, create: 1, change: 2 })
    await user.click(await dialog.findByRole('button', { name: /3 rows/ }))
    await expect.poll(() => screen.queryByRole('dialog')).toBeNull()
    const dryRuns = changes().map(({ query }) => query?.dry_run)
    expect(dryRuns).toEqual([true, false])
  })

  it('say what is wrong with which row, and take none', async () => {
    const problems = [{ row: 2, field: 'account', code: 'account_unknown' }]
    const { dialog, changes } = await opened({ ...nothing, problems })
    await dialog.findByRole('row', { name: /^2 account/ })
    expect(dialog.queryByRole('button', { name: /rows/ })).toBeNull()
    expect(changes()).toHaveLength(1)
  })
})

describe('adjustments', () => {
  const ADJUSTMENTS = 'GET /api/ad/ecspend/adjustment/'
  const drawn = (month: typeof open, rows: ReturnType<typeof adjustment>[], answers = {}) =>
    drawMonth(<EcMonthPage />, {
      month,
      tab: 'adjustments',
      answers: { [ADJUSTMENTS]: listOf(rows), ...answers },
    })
  const dialog = async (name: string) => within(await screen.findByRole('dialog', { name }))
  const act = async (entry: string) => {
    await user.click(await screen.findByRole('button', { name: 'Actions for the adjustment of Aurora' }))
    await user.click(await screen.findByRole('menuitem', { name: entry }))
  }

  it('have their amount, reason and the month that they concern', async () => {
    drawn(open, [adjustment()])
    const row = within(await screen.findByRole('row', { name: /Aurora/ }))
    expect(row.getByText('-5,000').textContent).not.toBe('')
    expect(row.getAllByText('concerns Sep 2026').length).toBeGreaterThan(0)
    expect(row.getAllByText('Refund of Meta').length).toBeGreaterThan(0)
  })

  it('are added below or above 0, never 0', async () => {
    const { changes } = drawn(open, [], { 'POST /api/ad/ecspend/adjustment/': adjustment() })
    await user.click(await screen.findByRole('button', { name: 'Add adjustment' }))
    const form = await dialog('Add adjustment')
    const save = form.getByRole('button', { name: 'Save' })
    await user.click(save)
    expect(form.getAllByText('Required')).toHaveLength(2)
    await user.click(form.getByRole('combobox', { name: /Advertiser/ }))
    await user.click(await screen.findByRole('option', { name: 'Aurora' }))
    const amount = form.getByRole('textbox', { name: /Amount/ })
    await user.type(amount, '0')
    expect(form.getByText('Enter an amount other than 0.').textContent).not.toBe('')
    await user.clear(amount)
    await user.type(amount, '-5000')
    await user.type(form.getByRole('textbox', { name: 'Note' }), 'Refund of Meta')
    await user.click(save)
    await expect.poll(() => screen.queryByRole('dialog')).toBeNull()
    expect(changes().map(({ body }) => body)).toEqual([
      {
        advertiser: 1,
        channel: 'fb',
        month: '2026-10',
        concerns_month: '2026-10',
        currency: 'TWD',
        amount: units(-5000),
        reason: 'credit',
        note: 'Refund of Meta',
      },
    ])
  })

  it('are changed by their version', async () => {
    const { changes } = drawn(open, [adjustment()], { 'PATCH /api/ad/ecspend/adjustment/41/': adjustment() })
    await act('Edit adjustment')
    const form = await dialog('Edit adjustment')
    await user.click(form.getByRole('combobox', { name: 'Reason' }))
    await user.click(await screen.findByRole('option', { name: 'Make-good' }))
    await user.click(form.getByRole('button', { name: 'Save' }))
    await expect.poll(() => screen.queryByRole('dialog')).toBeNull()
    expect(changes()).toMatchObject([{ body: { version: 3, reason: 'make_good', amount: units(-5000) } }])
  })

  it('are deleted after a question', async () => {
    const { changes } = drawn(open, [adjustment()], { 'DELETE /api/ad/ecspend/adjustment/41/': null })
    await act('Delete adjustment')
    const form = await dialog('Delete this adjustment?')
    await user.click(form.getByRole('button', { name: 'Delete adjustment' }))
    await expect.poll(() => screen.queryByRole('dialog')).toBeNull()
    expect(changes()).toMatchObject([{ method: 'DELETE', body: { version: 3 } }])
  })

  it('that were booked from drift are taken back as a whole', async () => {
    drawn(open, [adjustment({ reason: 'drift' })])
    await user.click(await screen.findByRole('button', { name: 'Actions for the adjustment of Aurora' }))
    const edit = await screen.findByRole('menuitem', { name: 'Edit adjustment' })
    expect(edit.hasAttribute('data-disabled') || edit.hasAttribute('disabled')).toBe(true)
  })

  it('say that the month was locked meanwhile', async () => {
    const refused = new Problem({ code: 'month_locked', status: 409 })
    drawn(open, [adjustment()], { 'DELETE /api/ad/ecspend/adjustment/41/': refused })
    await act('Delete adjustment')
    const form = await dialog('Delete this adjustment?')
    await user.click(form.getByRole('button', { name: 'Delete adjustment' }))
    expect((await form.findByRole('alert')).textContent).not.toBe('')
  })

  it('of a locked month are read only', async () => {
    drawn(locked, [adjustment()])
    await screen.findByRole('row', { name: /Aurora/ })
    expect(screen.queryByRole('button', { name: /adjustment/i })).toBeNull()
  })

  it('say what they are for where there are none', async () => {
    drawn(open, [])
    expect((await screen.findByText(/Credits, invalid traffic/)).textContent).toContain(
      'billed for the media',
    )
  })
})
