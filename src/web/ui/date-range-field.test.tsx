// @vitest-environment happy-dom
import { act, fireEvent, screen } from '@testing-library/react'
import { userEvent } from '@testing-library/user-event'
import 'temporal-polyfill/global'
import { beforeEach, describe, expect, it, vi } from 'vitest'
import { draw } from '#web/testing/render.tsx'
import { DateRangeField, type DateRangeFieldProps } from './date-range-field.tsx'

// The focus trap warns when the content that it opens is still loading.
beforeEach(() => void vi.spyOn(console, 'warn').mockImplementation(() => {}))

const TODAY = '2026-03-10'
const range = (start: string | null, end: string | null, dynamic_range = 0) => ({ start, end, dynamic_range })

async function opened(props: Partial<DateRangeFieldProps> = {}) {
  const onChange = vi.fn<DateRangeFieldProps['onChange']>()
  draw(
    <DateRangeField
      label="Dates"
      value={range('2026-03-05', '2026-03-07')}
      today={TODAY}
      onChange={onChange}
      {...props}
    />,
  )
  await userEvent.click(screen.getByRole('button', { name: /^Dates/ }))
  await screen.findByRole('button', { name: '15 March 2026' })
  return onChange
}

const day = (number: number) =>
  screen.getByRole<HTMLButtonElement>('button', { name: `${number} March 2026` })
const closed = async () => await expect.poll(() => screen.queryByRole('dialog')).toBeNull()
const type = async (start: string, end: string) => {
  for (const [label, text] of [
    ['Start', start],
    ['End', end],
  ] as const)
    fireEvent.change(screen.getByLabelText(label), { target: { value: text } })
  await userEvent.type(screen.getByLabelText('End'), '{Enter}')
}

describe('a field for a range of dates', () => {
  it('keeps nothing before the second day is picked, and takes the two in whichever order', async () => {
    const onChange = await opened()
    await userEvent.click(day(20))
    expect(onChange).not.toHaveBeenCalled()
    await userEvent.click(day(15))
    expect(onChange).toHaveBeenCalledExactlyOnceWith(range('2026-03-15', '2026-03-20'))
    await closed()
  })

  it('accepts one day as a range, by two clicks on it', async () => {
    const onChange = await opened()
    await userEvent.click(day(15))
    await userEvent.click(day(15))
    expect(onChange).toHaveBeenCalledExactlyOnceWith(range('2026-03-15', '2026-03-15'))
  })

  it('offers no day before the earliest one, nor an end beyond the latest', async () => {
    const onChange = await opened({
      minimum: '2026-03-03',
      latestEnd: start => (start === '2026-03-15' ? '2026-03-20' : null),
    })
    expect([day(2).disabled, day(3).disabled, day(21).disabled]).toEqual([true, false, false])
    await userEvent.click(day(15))
    expect([day(20).disabled, day(21).disabled]).toEqual([false, true])
    await userEvent.click(day(21))
    expect(onChange).not.toHaveBeenCalled()
  })

  it('ends a begun range on the next day when Escape closes it', async () => {
    const onChange = await opened()
    await userEvent.click(day(15))
    await userEvent.keyboard('{Escape}')
    await closed()
    expect(onChange).toHaveBeenCalledExactlyOnceWith(range('2026-03-15', '2026-03-16'))
  })

  it('ends a begun range on the day after today when a click beside it closes it', async () => {
    const onChange = await opened()
    await userEvent.click(day(5))
    act(() => {
      fireEvent.mouseDown(document.body)
    })
    await closed()
    expect(onChange).toHaveBeenCalledExactlyOnceWith(range('2026-03-05', '2026-03-11'))
  })

  it('changes nothing when it is opened and closed', async () => {
    const onChange = await opened({ value: range('2026-03-05', '2026-03-07', 2) })
    await userEvent.keyboard('{Escape}')
    await closed()
    expect(onChange).not.toHaveBeenCalled()
  })

  it('turns a dynamic range off when two days are picked', async () => {
    const onChange = await opened({ value: range(null, null, 1) })
    await userEvent.click(day(8))
    await userEvent.click(day(9))
    expect(onChange).toHaveBeenCalledExactlyOnceWith(range('2026-03-08', '2026-03-09'))
  })

  it('takes typed days with Enter', async () => {
    const onChange = await opened()
    await type('2026-02-01', '2026-02-28')
    expect(onChange).toHaveBeenCalledExactlyOnceWith(range('2026-02-01', '2026-02-28'))
    await closed()
  })

  it.each([
    ['2026-02-01', '2026-02-29', 'This date does not exist.'],
    ['2026-02', '2026-02-28', 'Please enter a complete date: yyyy-MM-dd.'],
    ['2026-02-28', '2026-02-01', 'The end date must not be before the start date.'],
    ['2025-12-31', '2026-02-01', 'The earliest date is 2026-01-01.'],
  ])('refuses %s to %s: %s', async (start, end, message) => {
    const onChange = await opened({ minimum: '2026-01-01' })
    await type(start, end)
    expect(await screen.findByText(message)).toBeTruthy()
    expect(onChange).not.toHaveBeenCalled()
  })
})
