// @vitest-environment happy-dom
import { act, fireEvent, screen } from '@testing-library/react'
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import { draw } from '#web/testing/render.tsx'
import { SearchField } from './search-field.tsx'

beforeEach(() => void vi.useFakeTimers())
afterEach(() => void vi.useRealTimers())

const after = (ms: number) => act(() => vi.advanceTimersByTime(ms))
const box = () => screen.getByRole<HTMLInputElement>('searchbox')
const type = (value: string) => fireEvent.change(box(), { target: { value } })

describe('a field to search by', () => {
  const field = (value = '') => {
    const onSearch = vi.fn<(value: string) => void>()
    return { onSearch, ...draw(<SearchField label="Search" value={value} onSearch={onSearch} />) }
  }

  it('searches for the current text once typing has paused', () => {
    const { onSearch } = field()
    type('spr')
    after(499)
    type('spring ')
    after(499)
    expect(onSearch).not.toHaveBeenCalled()
    after(1)
    expect(onSearch).toHaveBeenCalledExactlyOnceWith('spring')
  })

  it('searches at once with Enter, and not a second time', () => {
    const { onSearch, rerender } = field()
    type('spring')
    fireEvent.keyDown(box(), { key: 'Enter' })
    expect(onSearch).toHaveBeenCalledExactlyOnceWith('spring')
    rerender(<SearchField label="Search" value="spring" onSearch={onSearch} />)
    after(5000)
    expect(onSearch).toHaveBeenCalledOnce()
  })

  it('shows a search that was changed from outside, such as by clearing filters', () => {
    const { onSearch, rerender } = field('spring')
    rerender(<SearchField label="Search" value="" onSearch={onSearch} />)
    expect(box().value).toBe('')
    after(5000)
    expect(onSearch).not.toHaveBeenCalled()
  })
})
