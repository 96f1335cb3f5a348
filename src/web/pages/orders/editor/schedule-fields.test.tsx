// @vitest-environment happy-dom
import { fireEvent, screen } from '@testing-library/react'
import { userEvent } from '@testing-library/user-event'
import { useEffect } from 'react'
import { describe, expect, it, vi } from 'vitest'
import { exampleDraft } from '#web/pages/orders/testing/example-quotation.ts'
import { draw } from '#web/testing/render.tsx'
import type { Draft } from './draft.ts'
import { ScheduleFields } from './schedule-fields.tsx'
import { agreedFees, partsOf, sumsOf } from './sums.ts'
import { useDraft } from './use-draft.ts'

const today = '2026-11-26'

function drawn(initial: Draft = exampleDraft()) {
  const onDraft = vi.fn<(draft: Draft) => void>()
  function Page() {
    const { draft, faults, change } = useDraft(initial)
    useEffect(() => onDraft(draft), [draft])
    const sums = sumsOf(draft, { today, agreed: agreedFees([], 'TWD', today), commission: null })
    return (
      <ScheduleFields draft={draft} parts={partsOf(draft, sums, today)} faults={faults} onChange={change} />
    )
  }
  draw(<Page />)
  return () => onDraft.mock.lastCall?.[0].schedule ?? []
}

const press = (name: string) => userEvent.click(screen.getByRole('button', { name }))
const share = (number: number) => screen.getByLabelText<HTMLInputElement>(`Payment ${number}: Share %`)

describe('the schedule of payments', () => {
  it('is one payment by the terms until somebody divides it', () => {
    const schedule = drawn()
    expect(screen.getByText('All of it at once, by the payment terms.')).toBeTruthy()
    expect(schedule()).toEqual([])
  })

  it('is divided as usual with one press, and shows what each part amounts to', async () => {
    const schedule = drawn()
    await press('30 / 40 / 30')
    expect(schedule().map(part => [part.share, part.after])).toEqual([
      [3000, '0'],
      [4000, '30'],
      [3000, '60'],
    ])
    expect(screen.getAllByText('NT$88,988')).toHaveLength(2)
    expect(screen.getByText('NT$118,648')).toBeTruthy()
    await press('50 / 50')
    expect(schedule().map(part => part.share)).toEqual([5000, 5000])
    await press('At once')
    expect(schedule()).toEqual([])
  })

  it('says what is left to share out, and what is too much', async () => {
    const schedule = drawn()
    await press('Add payment')
    expect(schedule().map(part => part.share)).toEqual([10_000])
    await userEvent.clear(share(1))
    await userEvent.type(share(1), '60')
    expect(screen.getByText('40% left to share out')).toBeTruthy()
    await press('Add payment')
    expect(schedule().map(part => part.share)).toEqual([6000, 4000])
    expect(screen.queryByText(/left to share out/)).toBeNull()
    await userEvent.clear(share(2))
    await userEvent.type(share(2), '50')
    expect(screen.getByText('10% too much')).toBeTruthy()
    expect(screen.getAllByText('–')).toHaveLength(2)
  })

  it('has parts that are due on a day instead', async () => {
    const schedule = drawn()
    await press('50 / 50')
    await userEvent.click(screen.getByLabelText('Payment 2: Due', { selector: 'input' }))
    await userEvent.click(await screen.findByRole('option', { name: 'On a day' }))
    fireEvent.change(screen.getByLabelText('Payment 2: Day'), { target: { value: '2027-01-31' } })
    expect(schedule()[1]).toMatchObject({ kind: 'due_on', due_on: '2027-01-31' })
    expect(schedule()[0]).toMatchObject({ kind: 'after', after: '0' })
  })

  it('takes days after acceptance as digits', async () => {
    const schedule = drawn()
    await press('Add payment')
    const days = screen.getByLabelText('Payment 1: Days')
    await userEvent.clear(days)
    await userEvent.type(days, '4x5')
    expect(schedule()[0]).toMatchObject({ after: '45' })
  })

  it('loses a part', async () => {
    const schedule = drawn()
    await press('30 / 40 / 30')
    await press('Remove payment 2')
    expect(schedule().map(part => part.share)).toEqual([3000, 3000])
    expect(screen.getByText('40% left to share out')).toBeTruthy()
  })
})
