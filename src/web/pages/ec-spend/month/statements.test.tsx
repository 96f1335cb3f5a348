// @vitest-environment happy-dom
import 'temporal-polyfill/global'
import { screen, within } from '@testing-library/react'
import { userEvent } from '@testing-library/user-event'
import { describe, expect, it } from 'vitest'
import { Problem } from '#web/client/problem.ts'
import { drawMonth } from '#web/pages/ec-spend/testing/draw-month.tsx'
import { frozen, line, lockedMonth, statement, units } from '#web/pages/ec-spend/testing/samples.ts'
import { EcMonthPage } from './month-page.tsx'

const user = userEvent
const button = (name: string | RegExp) => screen.getByRole('button', { name })
const month = lockedMonth('2026-10')
const cardOf = async (name: string) => {
  const found = (await screen.findByText(name)).closest('li')
  if (!found) throw new Error('no card')
  return within(found)
}
const cellsOf = (row: HTMLElement) =>
  within(row)
    .getAllByRole('cell')
    .map(cell => cell.textContent)

describe('statements', () => {
  it('have media, fee, tax and total of each advertiser, and the sums', async () => {
    drawMonth(<EcMonthPage />, { tab: 'statements', statements: [statement()] })
    const card = await cardOf('Aurora')
    const amount = (name: string) => card.getByText(name).nextElementSibling?.textContent
    expect(['Media', 'Service fee', 'Tax', 'Total'].map(amount)).toEqual([
      '344,178',
      '51,627',
      '19,790',
      '415,595',
    ])
    expect(card.getByText('Not locked').textContent).not.toBe('')
    expect(screen.getByText('TWD, 1 statement').nextElementSibling?.textContent).toBe('NT$415,595')
  })

  it('open into their lines, from what is reported to what is charged', async () => {
    drawMonth(<EcMonthPage />, { tab: 'statements', statements: [statement()] })
    await user.click(await screen.findByRole('button', { name: /Aurora/, expanded: false }))
    const lines = within(screen.getByRole('table', { name: 'Statement of Aurora in TWD by channel' }))
    expect(cellsOf(lines.getByRole('row', { name: /^Meta ads/ })).slice(0, 6)).toEqual([
      '123,456.78',
      '',
      '',
      '',
      '123,457',
      '18,519',
    ])
    expect(cellsOf(lines.getByRole('row', { name: /^TikTok ads USD/ })).slice(0, 5)).toEqual([
      '1,234.56',
      '',
      '',
      '31.505',
      '38,895',
    ])
    expect(cellsOf(lines.getByRole('row', { name: /^Sum/ }))).toEqual([
      '344,178',
      '51,627',
      '19,790',
      '415,595',
    ])
    expect(screen.getByText('Taxable 5% · Media and fee are billed').textContent).not.toBe('')
  })

  it('show invoices and adjustments beside what is reported', async () => {
    const lines = [
      line({ channel: 'aw', spend: units(88_000.5), invoiced: units(87_650), adjusted: units(-351) }),
    ]
    drawMonth(<EcMonthPage />, { tab: 'statements', statements: [statement({ lines })] })
    await user.click(await screen.findByRole('button', { name: /Aurora/, expanded: false }))
    expect(cellsOf(screen.getByRole('row', { name: /^Google Ads/ })).slice(0, 3)).toEqual([
      '88,000.50',
      '87,650.00',
      '-351',
    ])
  })

  it('say why an amount is not known', async () => {
    const nothing = { billed: null, fee: null, tax_amount: null, total: null }
    const lines = [line({ currency: 'USD', spend: units(10), ...nothing, code: 'rate_missing' })]
    const unknown = { lines, media: null, fee: null, tax_amount: null, total: null }
    drawMonth(<EcMonthPage />, { tab: 'statements', statements: [statement(unknown)] })
    expect((await screen.findByText('without unknown amounts')).tagName).toBe('SMALL')
    await user.click(await screen.findByRole('button', { name: /Aurora/, expanded: false }))
    const [spend, , , , billed] = cellsOf(screen.getByRole('row', { name: /^Meta ads/ }))
    expect([spend, billed]).toEqual(['10.00', '—The exchange rate is missing'])
  })

  it('warn of what should be looked at', async () => {
    const warnings = ['no_agreement', 'invoice_differs'] as const
    drawMonth(<EcMonthPage />, { tab: 'statements', statements: [statement({ warnings: [...warnings] })] })
    expect((await screen.findByText(/No fee agreement/)).textContent).toContain(
      'differs from what is reported',
    )
  })

  it('say what has been asked for', async () => {
    drawMonth(<EcMonthPage />, { month, statements: frozen })
    const link = async (customer: string, name: string) =>
      (await cardOf(customer)).getByRole('link', { name }).getAttribute('href')
    expect(await link('Borealis', 'Covered by Q2026-0007')).toBe('/customer/insertion-order/5')
    expect((await cardOf('Cedar')).getByText('To be billed').textContent).not.toBe('')
    expect(await link('Delta', 'Payment P2026-0003')).toContain('search=P2026-0003')
    expect((await cardOf('Ember')).getByText('Nothing to bill').textContent).not.toBe('')
  })

  it('are none where nothing was spent', async () => {
    drawMonth(<EcMonthPage />, { tab: 'statements' })
    expect((await screen.findByText('No statements in this month')).isConnected).toBe(true)
  })
})

describe('billing', () => {
  const BILL = 'POST /api/ad/ecspend/bill/'
  const open = async () => {
    await user.click(await screen.findByRole('button', { name: 'Bill month' }))
    return within(await screen.findByRole('dialog', { name: 'Bill Oct 2026' }))
  }

  it('says first how many payments it makes, in which currencies, and what orders cover', async () => {
    drawMonth(<EcMonthPage />, { month, statements: frozen })
    const form = await open()
    expect(form.getByText('2 payments will be made:').textContent).not.toBe('')
    expect(form.getByText('NT$1,000').textContent).not.toBe('')
    expect(form.getByText('$99.50').textContent).not.toBe('')
    expect(form.getByText(/1 statement is covered by an insertion order/).textContent).not.toBe('')
  })

  it('makes them, and says so', async () => {
    const { changes } = drawMonth(<EcMonthPage />, {
      month,
      statements: frozen,
      answers: { [BILL]: { payments: 2 } },
    })
    const form = await open()
    await user.click(form.getByRole('button', { name: 'Make 2 payments' }))
    await form.findByText('2 payments made.')
    expect(form.getByRole('link', { name: 'See payments' }).getAttribute('href')).toMatch(
      /^\/customer\/insertion-order\/payments\?/,
    )
    expect(changes().map(({ body }) => body)).toEqual([{ month: '2026-10' }])
  })

  it('has nothing to do a second time', async () => {
    const billed = frozen.filter(({ payment, covered_by }) => payment ?? covered_by)
    drawMonth(<EcMonthPage />, { month, statements: billed })
    const form = await open()
    expect(form.getByText('There is nothing left to bill.').textContent).not.toBe('')
    expect(form.getByRole<HTMLButtonElement>('button', { name: 'Make 0 payments' }).disabled).toBe(true)
  })

  it('says what was refused', async () => {
    const refused = new Problem({ code: 'state_not_allowed', status: 409 })
    drawMonth(<EcMonthPage />, { month, statements: frozen, answers: { [BILL]: refused } })
    const form = await open()
    await user.click(form.getByRole('button', { name: 'Make 2 payments' }))
    expect((await form.findByRole('alert')).textContent).toContain('The current state is shown now')
  })
})

describe('drift', () => {
  const DRIFT = 'POST /api/ad/ecspend/drift/'
  const part = { channel: 'aw' as const, currency: 'TWD', amount: units(-351), booked: 0 }

  it('is booked into the first open month by one button', async () => {
    const { changes } = drawMonth(<EcMonthPage />, {
      month,
      tab: 'drift',
      statements: [statement({ id: 1, drift: [part] }), statement({ id: 2, currency: 'JPY', drift: [part] })],
      answers: { [DRIFT]: { adjustments: 1, month: '2026-11' } },
    })
    const table = within(await screen.findByRole('table', { name: 'Drift of Aurora' }))
    expect(cellsOf(table.getByRole('row', { name: /^Google Ads/ }))).toEqual(['-351', '0', '-351'])
    await user.click(button('Book the drift of Aurora into the first open month'))
    await expect.poll(changes).toMatchObject([{ body: { month: '2026-10', advertiser: 1 } }])
  })

  it('is done once all of it is booked', async () => {
    const booked = { ...part, booked: part.amount }
    drawMonth(<EcMonthPage />, { month, tab: 'drift', statements: [statement({ id: 1, drift: [booked] })] })
    expect((await screen.findByText('All booked')).isConnected).toBe(true)
  })

  it('says what was refused', async () => {
    drawMonth(<EcMonthPage />, {
      month,
      tab: 'drift',
      statements: [statement({ id: 1, drift: [part] })],
      answers: { [DRIFT]: new Problem({ code: 'state_not_allowed', status: 409 }) },
    })
    await user.click(await screen.findByRole('button', { name: /Book the drift/ }))
    expect((await screen.findByRole('alert')).textContent).toContain('The current state is shown now')
  })

  it('is none while platforms have changed nothing', async () => {
    drawMonth(<EcMonthPage />, { month, tab: 'drift', statements: frozen })
    expect((await screen.findByText('No platform has changed anything since')).isConnected).toBe(true)
  })

  it('is none of a month that is open', async () => {
    drawMonth(<EcMonthPage />, { tab: 'drift' })
    expect((await screen.findByText('This month is not locked yet')).isConnected).toBe(true)
  })
})
