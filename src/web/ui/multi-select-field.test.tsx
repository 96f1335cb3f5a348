// @vitest-environment happy-dom
import { screen, within } from '@testing-library/react'
import { userEvent } from '@testing-library/user-event'
import { useState } from 'react'
import { describe, expect, it, vi } from 'vitest'
import { draw } from '#web/testing/render.tsx'
import { MultiSelectField, type MultiSelectFieldProps } from './multi-select-field.tsx'

const options = ['Spring', 'Summer', 'Autumn', 'Winter', 'All year'].map((label, index) => ({
  value: index + 1,
  label,
  group: index < 4 ? 'Seasons' : 'Others',
}))

type Props = Partial<MultiSelectFieldProps<number>>

function Field({ value: first = [], onChange, ...props }: Props) {
  const [value, setValue] = useState(first)
  const change = (next: readonly number[]) => {
    setValue(next)
    onChange?.(next)
  }
  return <MultiSelectField label="Accounts" options={options} {...props} value={value} onChange={change} />
}

async function opened(props: Props = {}) {
  const onChange = vi.fn<(value: readonly number[]) => void>()
  draw(<Field {...props} onChange={onChange} />)
  await userEvent.click(screen.getByRole('button', { name: 'Accounts' }))
  const search = await screen.findByRole('combobox', { name: 'Search' })
  await expect.poll(() => document.activeElement === search).toBe(true)
  return {
    onChange,
    option: (name: string) => within(screen.getByRole('listbox')).getByRole('option', { name }),
  }
}

describe('a field for several of many', () => {
  it('accepts no more than its limit, and removes any', async () => {
    const { onChange, option } = await opened({ value: [1, 2], limit: 3 })
    await userEvent.click(option('Autumn'))
    expect(onChange).toHaveBeenLastCalledWith([1, 2, 3])
    expect(option('Winter').getAttribute('aria-disabled')).toBe('true')
    expect(option('Spring').getAttribute('aria-disabled')).toBeNull()
    await userEvent.click(option('Winter'))
    expect(onChange).toHaveBeenCalledTimes(1)
    await userEvent.click(option('Spring'))
    expect(onChange).toHaveBeenLastCalledWith([2, 3])
    await userEvent.click(option('Winter'))
    expect(onChange).toHaveBeenLastCalledWith([2, 3, 4])
  })

  it('says its limit once it is reached', async () => {
    const { option } = await opened({ value: [1], limit: 2 })
    expect(screen.queryByText(/^No more than 2/)).toBeNull()
    await userEvent.click(option('Autumn'))
    expect(screen.getByText(/^No more than 2 can be chosen/)).toBeTruthy()
  })

  it('chooses a whole group, but nothing that is refused and no more than its limit', async () => {
    const { onChange } = await opened({
      value: [5],
      limit: 3,
      whyNot: value => (value === 2 ? 'It is closed.' : null),
      wholeGroup: group => `All of ${group}`,
    })
    await userEvent.click(screen.getByRole('button', { name: 'All of Seasons' }))
    expect(onChange).toHaveBeenLastCalledWith([5, 1, 3])
  })

  it('refuses an option that has a reason against it, by keyboard as well, and shows the reason', async () => {
    const { onChange, option } = await opened({
      whyNot: value => (value === 1 ? 'It is closed.' : null),
    })
    expect(option('Spring').getAttribute('aria-disabled')).toBe('true')
    expect(screen.getByText('It is closed.')).toBeTruthy()
    await userEvent.click(option('Spring'))
    await userEvent.keyboard('{Enter}')
    expect(onChange).not.toHaveBeenCalled()
  })

  it('removes an option with a reason against it that was chosen before', async () => {
    const { onChange, option } = await opened({ value: [1], whyNot: () => 'It is closed.' })
    await userEvent.click(option('Spring'))
    expect(onChange).toHaveBeenLastCalledWith([])
  })

  it('is used by the arrows and Enter, which skip the names of groups and stop at both ends', async () => {
    const { onChange } = await opened()
    await userEvent.keyboard('{ArrowUp}{Enter}')
    expect(onChange).toHaveBeenLastCalledWith([1])
    await userEvent.keyboard('{ArrowDown}{ArrowDown}{ArrowDown}{ArrowDown}{ArrowDown}{Enter}')
    expect(onChange).toHaveBeenLastCalledWith([1, 5])
  })

  it('finds what contains every word, and chooses the first match', async () => {
    const { onChange } = await opened()
    await userEvent.keyboard('seasons win{Enter}')
    expect(screen.getAllByRole('option')).toHaveLength(1)
    expect(onChange).toHaveBeenLastCalledWith([4])
    await userEvent.keyboard('x')
    expect(screen.queryByRole('option')).toBeNull()
    await userEvent.keyboard('{Enter}')
    expect(onChange).toHaveBeenCalledTimes(1)
  })

  it('closes with Escape, keeps what was chosen and takes back the focus', async () => {
    const { onChange, option } = await opened()
    await userEvent.click(option('Spring'))
    await userEvent.keyboard('{Escape}')
    await expect.poll(() => screen.queryByRole('listbox')).toBeNull()
    expect(onChange).toHaveBeenCalledOnce()
    await expect.poll(() => document.activeElement?.getAttribute('aria-label')).toBe('Accounts')
  })

  it('shows three of them and counts the others', () => {
    draw(<Field value={[1, 2, 3, 4, 5]} />)
    expect(screen.getAllByRole('button', { name: /^Remove / })).toHaveLength(3)
    expect(screen.getByText('2 more selected')).toBeTruthy()
  })

  it('removes one by its chip, unless it is disabled', async () => {
    const onChange = vi.fn<(value: readonly number[]) => void>()
    const { rerender } = draw(<Field value={[1, 2]} onChange={onChange} />)
    await userEvent.click(screen.getByRole('button', { name: 'Remove Spring' }))
    expect(onChange).toHaveBeenCalledExactlyOnceWith([2])
    rerender(<Field value={[1, 2]} onChange={onChange} disabled />)
    expect(screen.queryByRole('button', { name: /^Remove / })).toBeNull()
  })
})
