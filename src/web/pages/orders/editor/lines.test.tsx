// @vitest-environment happy-dom
import { fireEvent, screen, within } from '@testing-library/react'
import { userEvent } from '@testing-library/user-event'
import { useEffect } from 'react'
import { describe, expect, it, vi } from 'vitest'
import type { AdAccount } from '#shared/api/ad-accounts.ts'
import { toasts } from '#web/client/toasts.ts'
import { agreementOf, exampleDraft, lineDraft, UNIT } from '#web/pages/orders/testing/example-quotation.ts'
import { draw } from '#web/testing/render.tsx'
import type { Draft } from './draft.ts'
import { NO_FAULTS, type Faults } from './faults.ts'
import { Lines } from './lines.tsx'
import { agreedFees, sumsOf } from './sums.ts'
import { useDraft } from './use-draft.ts'

const today = '2026-11-26'
const agreed = agreedFees([agreementOf()], 'TWD', today)

/** The lines of a draft, as the editor has them. */
function drawn(initial: Draft, { faults, accounts = [] }: { faults?: Faults; accounts?: AdAccount[] } = {}) {
  const onDraft = vi.fn<(draft: Draft) => void>()
  function Page() {
    const { draft, changeLine, changeLines, ...state } = useDraft(initial)
    useEffect(() => onDraft(draft), [draft])
    return (
      <Lines
        draft={draft}
        sums={sumsOf(draft, { today, agreed, commission: null })}
        agreed={agreed}
        accounts={accounts}
        faults={faults ?? state.faults}
        onChangeLine={changeLine}
        onChangeLines={changeLines}
      />
    )
  }
  draw(<Page />)
  return () => onDraft.mock.lastCall?.[0] ?? initial
}

const cell = (number: number, field: string) =>
  screen.getByLabelText<HTMLInputElement>(`Line ${number}: ${field}`)
const group = (number: number) => screen.getByRole('group', { name: `Line ${number}` })
const titles = (draft: Draft) => draft.lines.map(({ title }) => title)
const button = (name: string) => screen.getAllByRole('button', { name })[0] ?? document.body

/** Three lines by their titles. */
const named = (...names: string[]) =>
  exampleDraft({ lines: names.map(title => lineDraft({ title, budget: UNIT })) })

describe('the lines of a quotation', () => {
  it('have a budget, or a quantity at a price that makes one', async () => {
    const draft = drawn(exampleDraft())
    expect(cell(1, 'Budget').value).toBe('100,000')
    expect(cell(3, 'Quantity').value).toBe('833,333')
    expect(cell(3, 'Budget').textContent).toBe('100,000')
    await userEvent.clear(cell(3, 'Quantity'))
    await userEvent.type(cell(3, 'Quantity'), '500,000')
    expect(cell(3, 'Budget').textContent).toBe('60,000')
    expect(draft().lines[2]).toMatchObject({ quantity: 500_000 })
    await userEvent.selectOptions(cell(3, 'Pricing'), 'Per day')
    expect(draft().lines[2]).toMatchObject({ pricing: 'day' })
  })

  it('show the fee, by their own rate or by the agreement', async () => {
    drawn(exampleDraft({ lines: [lineDraft({ budget: 1000 * UNIT, fee_rate: null, fee_basis: null })] }))
    expect(within(group(1)).getByText('Fee 150')).toBeTruthy()
    expect(cell(1, 'Fee %').placeholder).toBe('15')
    await userEvent.type(cell(1, 'Fee %'), '12.5')
    expect(within(group(1)).getByText('Fee 125')).toBeTruthy()
  })

  it('take a price below what can be billed', async () => {
    const draft = drawn(exampleDraft({ lines: [lineDraft({ pricing: 'cpc', quantity: 1000 })] }))
    await userEvent.type(cell(1, 'Unit price'), '12.345')
    await userEvent.tab()
    expect(draft().lines[0]).toMatchObject({ unit_price: 12_345_000 })
    expect(cell(1, 'Unit price').value).toBe('12.345')
    expect(cell(1, 'Budget').textContent).toBe('12,345')
  })

  it('name the publisher where a line is of one', async () => {
    const draft = drawn(exampleDraft({ lines: [lineDraft()] }))
    expect(screen.queryByLabelText('Line 1: Publisher')).toBeNull()
    await userEvent.selectOptions(cell(1, 'Channel'), 'Publisher')
    await userEvent.type(cell(1, 'Publisher'), 'UDN')
    expect(draft().lines[0]).toMatchObject({ kind: 'publisher', publisher: 'UDN' })
  })

  it('offer the accounts of their channel alone, and forget them with the channel', async () => {
    const account = (id: number, channel: 'fb' | 'aw', name: string) =>
      ({ id, channel, name, external_id: String(id) }) as AdAccount
    const draft = drawn(exampleDraft({ lines: [lineDraft({ accounts: [1] })] }), {
      accounts: [account(1, 'fb', 'Main'), account(2, 'aw', 'Search')],
    })
    expect(within(group(1)).getByText('Main')).toBeTruthy()
    await userEvent.selectOptions(cell(1, 'Channel'), 'Google Ads')
    expect(draft().lines[0]?.accounts).toEqual([])
    expect(within(group(1)).queryByText('Main')).toBeNull()
  })

  it('are added after the last one, with its days and its channel', async () => {
    const draft = drawn(exampleDraft({ lines: [lineDraft({ kind: 'tt' })] }))
    await userEvent.click(button('Add line'))
    expect(draft().lines.map(({ kind, start }) => [kind, start])).toEqual([
      ['tt', '2026-11-01'],
      ['tt', '2026-11-01'],
    ])
    expect(document.activeElement).toBe(cell(2, 'Title'))
  })

  it('begin with an invitation where there are none', async () => {
    const draft = drawn(exampleDraft({ lines: [] }))
    expect(screen.getByText('No lines yet')).toBeTruthy()
    await userEvent.click(button('Add line'))
    expect(draft().lines).toHaveLength(1)
  })

  it('are at most a hundred', () => {
    drawn(exampleDraft({ lines: Array.from({ length: 100 }, () => lineDraft()) }))
    expect(button('Add line').hasAttribute('disabled')).toBe(true)
    expect(button('Paste rows').hasAttribute('disabled')).toBe(true)
    expect(screen.getByText('A quotation has at most 100 lines.')).toBeTruthy()
  })
})

describe('the menu of a line', () => {
  const choose = async (number: number, action: string) => {
    await userEvent.click(screen.getByRole('button', { name: `Actions for line ${number}` }))
    await userEvent.click(await screen.findByRole('menuitem', { name: action }))
  }

  it('duplicates it below', async () => {
    const draft = drawn(named('A', 'B'))
    await choose(1, 'Duplicate')
    expect(titles(draft())).toEqual(['A', 'A', 'B'])
    expect(new Set(draft().lines.map(({ key }) => key)).size).toBe(3)
  })

  it('moves it up and down', async () => {
    const draft = drawn(named('A', 'B', 'C'))
    await choose(2, 'Move up')
    expect(titles(draft())).toEqual(['B', 'A', 'C'])
    await choose(2, 'Move down')
    expect(titles(draft())).toEqual(['B', 'C', 'A'])
    await choose(3, 'Move down')
    expect(titles(draft())).toEqual(['B', 'C', 'A'])
  })

  it('deletes it, and the message brings it back where it was', async () => {
    const draft = drawn(named('A', 'B', 'C'))
    await choose(2, 'Delete')
    expect(titles(draft())).toEqual(['A', 'C'])
    const toast = toasts.get().at(-1)
    expect(toast?.message).toBe('Line 2 deleted')
    toast?.action?.onClick()
    await expect.poll(() => titles(draft())).toEqual(['A', 'B', 'C'])
  })
})

describe('the keys', () => {
  it('go to the same field of the next line and of the one before', async () => {
    drawn(named('A', 'B'))
    await userEvent.click(cell(1, 'Budget'))
    await userEvent.keyboard('{Enter}')
    expect(document.activeElement).toBe(cell(2, 'Budget'))
    await userEvent.keyboard('{Shift>}{Enter}{/Shift}')
    expect(document.activeElement).toBe(cell(1, 'Budget'))
  })

  it('add a line below', async () => {
    const draft = drawn(named('A', 'B'))
    await userEvent.click(cell(1, 'Title'))
    await userEvent.keyboard('{Control>}{Enter}{/Control}')
    expect(titles(draft())).toEqual(['A', '', 'B'])
    expect(document.activeElement).toBe(cell(2, 'Title'))
  })

  it('move the line, and the focus with it', async () => {
    const draft = drawn(named('A', 'B', 'C'))
    await userEvent.click(cell(1, 'Budget'))
    await userEvent.keyboard('{Alt>}{ArrowDown}{/Alt}')
    expect(titles(draft())).toEqual(['B', 'A', 'C'])
    expect(document.activeElement).toBe(cell(2, 'Budget'))
    expect(screen.getByText('Line 1 is now line 2')).toBeTruthy()
    await userEvent.keyboard('{Alt>}{ArrowUp}{/Alt}')
    expect(titles(draft())).toEqual(['A', 'B', 'C'])
    await userEvent.keyboard('{Alt>}{ArrowUp}{/Alt}')
    expect(titles(draft())).toEqual(['A', 'B', 'C'])
  })
})

describe('rows of a spreadsheet', () => {
  const paste = (target: HTMLElement, text: string) =>
    fireEvent.paste(target, { clipboardData: { getData: () => text } })

  it('are read before they are added', async () => {
    const draft = drawn(named('A'))
    paste(cell(1, 'Title'), 'Channel\tBudget\tKPI\nGoogle\t55,555\t1%\nUDN\t12k\t')
    const dialog = await screen.findByRole('dialog', { name: 'Paste rows' })
    expect(within(dialog).getByText(/2 lines found/).textContent).toContain('read as a header')
    expect(within(dialog).getByText('Not read: KPI')).toBeTruthy()
    expect(within(dialog).getByText(/1 cell could not be read/)).toBeTruthy()
    await userEvent.click(within(dialog).getByRole('button', { name: 'Add 2 lines' }))
    expect(draft().lines).toMatchObject([
      { title: 'A' },
      { kind: 'aw', budget: 55_555 * UNIT },
      { kind: 'publisher', publisher: 'UDN', budget: 'invalid', unread: { budget: '12k' } },
    ])
    expect(cell(3, 'Budget').value).toBe('12k')
    expect(screen.getByText(/Enter an amount such as/)).toBeTruthy()
  })

  it('are marked until the field is mended', async () => {
    const unread = { start: '11/1', quantity: 'many' }
    const draft = drawn(
      exampleDraft({ lines: [lineDraft({ start: '', pricing: 'cpm', quantity: 'invalid', unread })] }),
    )
    expect(screen.getByText('“11/1” could not be read.')).toBeTruthy()
    expect(screen.getByText('“many” could not be read.')).toBeTruthy()
    expect(cell(1, 'Quantity').value).toBe('many')
    fireEvent.change(cell(1, 'Start'), { target: { value: '2026-11-01' } })
    expect(screen.queryByText('“11/1” could not be read.')).toBeNull()
    await userEvent.clear(cell(1, 'Quantity'))
    await userEvent.type(cell(1, 'Quantity'), '1000')
    expect(draft().lines[0]).toMatchObject({ quantity: 1000, unread: {} })
  })

  it('are too many where a quotation has no room for them', async () => {
    drawn(exampleDraft({ lines: Array.from({ length: 99 }, () => lineDraft()) }))
    paste(cell(1, 'Title'), 'fb\tA\nfb\tB')
    const dialog = await screen.findByRole('dialog', { name: 'Paste rows' })
    expect(within(dialog).getByText('There is room for 1 more lines.')).toBeTruthy()
    const add = within(dialog).getByRole('button', { name: 'Add 2 lines' })
    expect(add.hasAttribute('disabled')).toBe(true)
  })

  it('of one cell alone are text for the field', () => {
    drawn(named('A'))
    paste(cell(1, 'Title'), 'Singles’ Day')
    expect(screen.queryByRole('dialog')).toBeNull()
  })
})

describe('what the server has refused', () => {
  it('is said at the field', () => {
    const draft = named('A', 'B')
    const key = draft.lines[1]?.key ?? 0
    const faults: Faults = {
      ...NO_FAULTS,
      head: { lines: 'field_too_many' },
      lines: new Map([[key, { end: 'field_invalid', budget: 'amount_step' }]]),
    }
    drawn(draft, { faults })
    expect(cell(2, 'End').getAttribute('aria-invalid')).toBe('true')
    expect(cell(2, 'Budget').getAttribute('aria-invalid')).toBe('true')
    expect(cell(1, 'End').hasAttribute('aria-invalid')).toBe(false)
    expect(screen.getByRole('alert')).toBeTruthy()
  })
})
