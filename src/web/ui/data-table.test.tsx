// @vitest-environment happy-dom
import { screen } from '@testing-library/react'
import { userEvent } from '@testing-library/user-event'
import { useState } from 'react'
import { describe, expect, it, vi } from 'vitest'
import { draw } from '#web/testing/render.tsx'
import { DataTable } from './data-table.tsx'

const rows = [
  { id: 1, name: 'Spring' },
  { id: 2, name: 'Summer' },
]

function Table({
  selected: first = [],
  onSelect,
}: {
  selected?: number[]
  onSelect?: (ids: number[]) => void
}) {
  const [ordering, setOrdering] = useState('-name')
  const [selected, setSelected] = useState<ReadonlySet<number>>(new Set(first))
  const onChange = (next: ReadonlySet<number>) => {
    setSelected(next)
    onSelect?.([...next])
  }
  return (
    <DataTable
      label="Reports"
      columns={[
        { key: 'name', header: 'Name', sort: 'name', cell: row => row.name },
        { key: 'id', header: 'Number', sort: 'id', cell: row => row.id },
        { key: 'menu', header: 'Menu', cell: () => null },
      ]}
      rows={rows}
      rowKey={row => row.id}
      rowName={row => row.name}
      ordering={ordering}
      onOrdering={setOrdering}
      selection={{ selected, onChange }}
    />
  )
}

const sortOf = (name: string) => screen.getByRole('columnheader', { name }).getAttribute('aria-sort')
const box = (name: string) => screen.getByRole<HTMLInputElement>('checkbox', { name })

describe('a table', () => {
  it('is ordered by its headers with the keys alone: up first, then down', async () => {
    draw(<Table />)
    expect(sortOf('Name')).toBe('descending')
    await userEvent.tab()
    await userEvent.tab()
    expect(document.activeElement).toBe(screen.getByRole('button', { name: 'Name' }))
    await userEvent.keyboard('{Enter}')
    expect(sortOf('Name')).toBe('ascending')
    await userEvent.keyboard(' ')
    expect(sortOf('Name')).toBe('descending')
    await userEvent.tab()
    await userEvent.keyboard('{Enter}')
    expect([sortOf('Name'), sortOf('Number')]).toEqual([null, 'ascending'])
  })

  it('skips headers that cannot be sorted on the way to the rows', async () => {
    draw(<Table />)
    await userEvent.tab()
    await userEvent.tab()
    await userEvent.tab()
    await userEvent.tab()
    expect(document.activeElement).toBe(box('Select Spring'))
  })

  it('selects a row with the space bar, and deselects it', async () => {
    const onSelect = vi.fn<(ids: number[]) => void>()
    draw(<Table onSelect={onSelect} />)
    box('Select Summer').focus()
    await userEvent.keyboard(' ')
    expect(onSelect).toHaveBeenLastCalledWith([2])
    await userEvent.keyboard(' ')
    expect(onSelect).toHaveBeenLastCalledWith([])
  })

  it('selects all or none, and says when it is some', async () => {
    const onSelect = vi.fn<(ids: number[]) => void>()
    draw(<Table selected={[1]} onSelect={onSelect} />)
    const all = screen.getAllByRole<HTMLInputElement>('checkbox')[0]
    expect([all?.checked, all?.indeterminate]).toEqual([false, true])
    all?.focus()
    await userEvent.keyboard(' ')
    expect(onSelect).toHaveBeenLastCalledWith([1, 2])
    expect([all?.checked, all?.indeterminate]).toEqual([true, false])
    await userEvent.keyboard(' ')
    expect(onSelect).toHaveBeenLastCalledWith([])
  })

  it('keeps the selection of other pages when it selects all of this one', async () => {
    const onSelect = vi.fn<(ids: number[]) => void>()
    draw(<Table selected={[9]} onSelect={onSelect} />)
    expect(screen.getAllByRole<HTMLInputElement>('checkbox')[0]?.indeterminate).toBe(false)
  })

  it('has the columns that a phone has no room for below its first cell', () => {
    draw(
      <DataTable
        label="Reports"
        columns={[
          { key: 'name', header: 'Name', cell: row => row.name },
          { key: 'owner', header: 'Owner', room: 'some', narrow: true, cell: () => 'Mika' },
          { key: 'id', header: 'Number', room: 'some', cell: row => `No. ${row.id}` },
        ]}
        rows={rows.slice(0, 1)}
        rowKey={row => row.id}
        rowName={row => row.name}
      />,
    )
    const [first] = screen.getAllByRole('cell')
    expect(first?.textContent).toBe('SpringMika')
  })
})
