// @vitest-environment happy-dom
import { screen, within } from '@testing-library/react'
import { userEvent } from '@testing-library/user-event'
import { describe, expect, it, vi } from 'vitest'
import { todayIn } from '#shared/date-range.ts'
import { Problem } from '#web/client/problem.ts'
import { drawSettings } from '#web/pages/insight-settings/testing/draw-settings.tsx'
import { rate, ratesOf } from '#web/pages/insight-settings/testing/samples.ts'
import { monthsLater, monthText } from '#web/ui/month.ts'

const user = userEvent
const RATES = '/api/insight-setting/rates/'
const running = todayIn('Asia/Taipei', new Date()).slice(0, 7)
/** Two months ago, whose rate is final by now. */
const past = monthsLater(running, -2)
const named = monthText(past, 'en')
const inPast = (facts: Parameters<typeof rate>[0] = {}) => rate({ month: past, ...facts })

interface Drawn extends Omit<NonNullable<Parameters<typeof drawSettings>[0]>, 'search'> {
  rates?: ReturnType<typeof rate>[]
  inUse?: string[]
}
const drawn = ({ rates = [inPast()], inUse = ['TWD', 'USD'], answers, ...person }: Drawn = {}) =>
  drawSettings({
    search: { tab: 'rates' },
    answers: { [`GET ${RATES}`]: ratesOf(rates, inUse), ...answers },
    ...person,
  })
const row = async (month = named) => within(await screen.findByRole('row', { name: new RegExp(`^${month}`) }))

async function opened(name = `Change USD of ${named}`) {
  await user.click(await screen.findByRole('button', { name: new RegExp(name) }))
  return screen.getByRole<HTMLInputElement>('textbox', { name: `Rate of USD in ${named}` })
}

describe('the exchange rates', () => {
  it('are months by currencies, the running month on top, in the base currency', async () => {
    const { calls } = drawn()
    const table = within(await screen.findByRole('table', { name: 'TWD for one unit' }))
    expect(table.getAllByRole('columnheader').map(({ textContent }) => textContent)).toEqual(['Month', 'USD'])
    const months = table.getAllByRole('rowheader').map(({ textContent }) => textContent)
    expect(months).toHaveLength(24)
    expect(months[0]).toBe(`${monthText(running, 'en')}running`)
    expect(calls.find(({ path }) => path === RATES)?.query).toMatchObject({
      from: monthsLater(running, -23),
      to: running,
    })
  })

  it('are read page by page', async () => {
    const pages = [
      { ...ratesOf([inPast()], ['USD']), next: 'more' },
      ratesOf([inPast({ id: 10, currency: 'JPY', rate: '0.2085' })], ['USD']),
    ]
    drawn({ answers: { [`GET ${RATES}`]: () => pages.shift() } })
    const cells = await row()
    expect(cells.getByText('31.505').textContent).toBe('31.505')
    expect(cells.getByText('0.2085').textContent).toBe('0.2085')
  })

  it('say which are missing, provisional, locked and from where', async () => {
    drawn({
      rates: [
        inPast({ kind: 'provisional', source: 'Bank of Taiwan' }),
        inPast({ id: 10, currency: 'JPY', rate: '0.2085', is_locked: true }),
      ],
      inUse: ['USD', 'EUR'],
    })
    const cells = await row()
    expect(cells.getByText('Provisional').parentElement?.title).toBe('Source: Bank of Taiwan')
    expect(cells.getByText('Missing').textContent).toBe('Missing')
    const locked = cells.getByRole('img', { name: /^Locked/ })
    expect(locked.closest('button')).toBeNull()
    expect(screen.getByRole('alert').textContent).toMatch(/rates are missing/)
  })

  it('take the latest one for the running month', async () => {
    drawn({ rates: [inPast({ rate: '31.9' })] })
    const cells = await row(monthText(running, 'en'))
    expect(cells.getByText('31.9').textContent).toContain('latest so far')
  })

  it('are saved where they are, with Enter', async () => {
    const { changes } = drawn({ answers: { [`PATCH ${RATES}9/`]: inPast({ rate: '32.1' }) } })
    const field = await opened()
    expect(document.activeElement).toBe(field)
    expect(field.value).toBe('31.505')
    await user.clear(field)
    await user.type(field, '32.1{Enter}')
    const body = { rate: '32.1', kind: 'final', version: 1 }
    await expect.poll(changes).toEqual([['PATCH', `${RATES}9/`, body]])
    await expect.poll(() => screen.queryByRole('textbox', { name: /^Rate of USD/ })).toBeNull()
  })

  it('are entered where one is missing, as provisional if one says so', async () => {
    const { changes } = drawn({ rates: [], answers: { [`POST ${RATES}`]: inPast() } })
    const field = await opened(`Enter USD of ${named}`)
    await user.type(field, '31.505')
    await user.click(screen.getByRole('checkbox', { name: 'Provisional' }))
    await user.click(screen.getByRole('button', { name: 'Save' }))
    const body = { month: past, currency: 'USD', rate: '31.505', kind: 'provisional' }
    await expect.poll(changes).toEqual([['POST', RATES, body]])
  })

  it('are deleted', async () => {
    const { changes } = drawn({ answers: { [`DELETE ${RATES}9/`]: null } })
    await opened()
    await user.click(screen.getByRole('button', { name: `Delete USD of ${named}` }))
    await expect.poll(changes).toEqual([['DELETE', `${RATES}9/`, { version: 1 }]])
  })

  it('are not sent while they are no number, and stay after Escape', async () => {
    const { changes } = drawn()
    const field = await opened()
    await user.clear(field)
    await user.type(field, '31,5{Enter}')
    expect(screen.getByText('Enter a number above 0 such as 31.505.').textContent).not.toBe('')
    await user.keyboard('{Escape}')
    expect(screen.queryByRole('textbox', { name: /^Rate of USD/ })).toBeNull()
    expect(changes()).toEqual([])
  })

  it.each([
    [new Problem({ code: 'invalid', status: 400, fields: { rate: ['field_invalid'] } }), /not valid|cannot/i],
    [new Problem({ code: 'month_locked', status: 409 }), /locked/i],
  ])('say why they were refused', async (problem, text) => {
    drawn({ answers: { [`PATCH ${RATES}9/`]: problem } })
    const field = await opened()
    await user.type(field, '1{Enter}')
    await expect.poll(() => field.getAttribute('aria-invalid')).toBe('true')
    const said = field.closest('form')?.querySelector('[id$="-error"]')?.textContent
    expect(said).toMatch(text)
  })

  it.each([
    ['staff', 2, false],
    ['staff', 7, true],
    ['manager', 2, true],
  ] as const)('are changed by %s of department %s: %s', async (identity, department, may) => {
    drawn({ identity, department })
    await row()
    expect(screen.queryByRole('button', { name: /Change USD/ }) !== null).toBe(may)
    expect(screen.queryByRole('button', { name: 'Import rates' }) !== null).toBe(may)
    expect(screen.queryByRole('combobox', { name: 'Add a currency' }) !== null).toBe(may)
  })

  it('have a column for a currency that is added', async () => {
    drawn({ rates: [], inUse: [] })
    await screen.findByText('No foreign currency yet')
    await user.click(screen.getByRole('combobox', { name: 'Add a currency' }))
    await user.click(await screen.findByRole('option', { name: /^JPY/ }))
    expect(screen.getByRole('columnheader', { name: 'JPY' }).textContent).toBe('JPY')
  })

  it('are a list of months on a phone, where they are changed too', async () => {
    const phone = { matches: true, addEventListener() {}, removeEventListener() {} }
    const media = vi.spyOn(globalThis, 'matchMedia').mockReturnValue(phone as unknown as MediaQueryList)
    const { changes } = drawn({ answers: { [`PATCH ${RATES}9/`]: inPast() } })
    await screen.findByRole('heading', { name: new RegExp(`^${named}`) })
    expect(screen.queryByRole('table')).toBeNull()
    const field = await opened()
    await user.type(field, '1{Enter}')
    await expect.poll(() => changes().length).toBe(1)
    media.mockRestore()
  })

  it('can be asked for again after a failure', async () => {
    const answers: unknown[] = [new Problem({ code: 'forbidden', status: 403 }), ratesOf([inPast()], ['USD'])]
    drawn({ answers: { [`GET ${RATES}`]: () => answers.shift() } })
    await user.click(await screen.findByRole('button', { name: 'Try again' }))
    expect((await row()).getByText('31.505').textContent).toBe('31.505')
  })

  it('are a line for the currency that one chooses', async () => {
    drawn({ rates: [inPast(), inPast({ id: 10, currency: 'JPY', rate: '0.2085' })] })
    await user.click(await screen.findByText('JPY', { selector: 'label *' }))
    const drawing = await screen.findByRole('figure', { name: 'TWD for one JPY, 24 months' })
    expect(drawing.textContent).toContain('0.2085')
  })
})

describe('the import of rates', () => {
  const plan = { create: 2, change: 1, same: 4, problems: [] }

  async function begun(answers: unknown[] = [plan]) {
    const { calls } = drawn({ answers: { [`POST ${RATES}import/`]: () => answers.shift() } })
    await user.click(await screen.findByRole('button', { name: 'Import rates' }))
    const dialog = within(await screen.findByRole('dialog', { name: 'Import exchange rates' }))
    const sent = () => calls.filter(({ path }) => path === `${RATES}import/`)
    return { dialog, sent }
  }
  const textOf = async (body: unknown) => {
    const file = body instanceof FormData ? body.get('file') : null
    return file instanceof File ? await file.text() : null
  }

  it('says first what would become of pasted rows, then does it', async () => {
    const { dialog, sent } = await begun([plan, plan])
    expect(dialog.getByRole<HTMLButtonElement>('button', { name: 'Check' }).disabled).toBe(true)
    await user.type(dialog.getByRole('textbox', { name: 'Or paste the rows' }), 'month,currency,rate')
    await user.click(dialog.getByRole('button', { name: 'Check' }))
    await user.click(await dialog.findByRole('button', { name: 'Import 3 rows' }))
    await expect.poll(() => screen.queryByRole('dialog')).toBeNull()
    expect(sent().map(({ query }) => query)).toEqual([
      { format: 'plain', month: null, price: null, from: null, dry_run: true },
      { format: 'plain', month: null, price: null, from: null, dry_run: false },
    ])
    expect(await textOf(sent()[0]?.body)).toBe('month,currency,rate')
  })

  it('checks a file at once, that of a bank’s day for the chosen month', async () => {
    const { dialog, sent } = await begun()
    await user.click(dialog.getByText('Bank of Taiwan'))
    await user.click(dialog.getByText('Bank sells'))
    await user.click(dialog.getByRole('combobox', { name: 'For the month' }))
    await user.click(await screen.findByRole('option', { name: named }))
    const input = screen.getByRole('dialog').querySelector<HTMLInputElement>('input[type=file]')
    if (input) await user.upload(input, new File(['day'], 'day.csv', { type: 'text/csv' }))
    await dialog.findByRole('button', { name: 'Import 3 rows' })
    expect(sent().map(({ query }) => query)).toEqual([
      { format: 'bank_of_taiwan', month: past, price: 'sell', from: null, dry_run: true },
    ])
  })

  it('reads a history from the months that are in view', async () => {
    const { dialog, sent } = await begun()
    await user.click(dialog.getByText('European Central Bank'))
    await user.type(dialog.getByRole('textbox', { name: 'Or paste the rows' }), 'Date,USD')
    await user.click(dialog.getByRole('button', { name: 'Check' }))
    await dialog.findByRole('button', { name: 'Import 3 rows' })
    const from = monthsLater(running, -23)
    expect(sent()[0]?.query).toEqual({ format: 'ecb', month: null, price: null, from, dry_run: true })
  })

  it('lists what is wrong, and imports nothing', async () => {
    const problems = [{ row: 3, field: 'rate', code: 'field_invalid' }]
    const { dialog } = await begun([{ create: 0, change: 0, same: 0, problems }])
    await user.type(dialog.getByRole('textbox', { name: 'Or paste the rows' }), 'x')
    await user.click(dialog.getByRole('button', { name: 'Check' }))
    const problem = await dialog.findByRole('row', { name: /^3 rate/ })
    expect(problem.textContent).toContain('rate')
    expect(dialog.queryByRole('button', { name: /^Import \d/ })).toBeNull()
  })

  it('says when the file is too large', async () => {
    const fields = { file: ['file_too_large' as const] }
    const { dialog } = await begun([new Problem({ code: 'invalid', status: 400, fields })])
    await user.type(dialog.getByRole('textbox', { name: 'Or paste the rows' }), 'x')
    await user.click(dialog.getByRole('button', { name: 'Check' }))
    expect((await dialog.findByText(/too large/)).textContent).not.toBe('')
  })

  it('is checked again after a change', async () => {
    const { dialog } = await begun()
    const field = dialog.getByRole('textbox', { name: 'Or paste the rows' })
    await user.type(field, 'x')
    await user.click(dialog.getByRole('button', { name: 'Check' }))
    await dialog.findByRole('button', { name: 'Import 3 rows' })
    await user.type(field, 'y')
    expect(dialog.queryByRole('button', { name: /^Import \d/ })).toBeNull()
    expect(dialog.getByRole<HTMLButtonElement>('button', { name: 'Check' }).disabled).toBe(false)
  })
})
