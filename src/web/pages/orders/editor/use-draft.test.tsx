// @vitest-environment happy-dom
import { act, renderHook } from '@testing-library/react'
import { describe, expect, it } from 'vitest'
import { exampleDraft, lineDraft, UNIT } from '#web/pages/orders/testing/example-quotation.ts'
import { NO_FAULTS } from './faults.ts'
import { useDraft, withCopy, withLine, withMove } from './use-draft.ts'

const drawn = (initial = exampleDraft()) => {
  const { result } = renderHook(() => useDraft(initial))
  return () => result.current
}

describe('a draft that is changed', () => {
  it('has unsaved changes from then on', () => {
    const state = drawn()
    expect(state().isDirty).toBe(false)
    act(() => state().change({ title: 'New' }))
    expect(state()).toMatchObject({ isDirty: true, draft: { title: 'New' } })
  })

  it('leaves the other lines the same objects, so that they are not drawn again', () => {
    const state = drawn()
    const [first, second, third] = state().draft.lines
    act(() => state().changeLine(second?.key ?? 0, { title: 'Search' }))
    const { lines } = state().draft
    expect(lines[0]).toBe(first)
    expect(lines[2]).toBe(third)
    expect(lines[1]).toMatchObject({ title: 'Search', budget: 55_555 * UNIT })
  })

  it('keeps its functions, so that lines are not drawn again because of them', () => {
    const state = drawn()
    const { change, changeLine, changeLines } = state()
    act(() => state().change({ title: 'New' }))
    expect([state().change, state().changeLine, state().changeLines]).toEqual([
      change,
      changeLine,
      changeLines,
    ])
    expect(state().change).toBe(change)
  })

  it('has no fault any more in a field that has changed', () => {
    const state = drawn()
    const key = state().draft.lines[0]?.key ?? 0
    act(() =>
      state().refuse({
        ...NO_FAULTS,
        head: { title: 'field_required', discount: 'amount_step' },
        lines: new Map([[key, { budget: 'amount_step', end: 'field_invalid' }]]),
      }),
    )
    act(() => state().change({ title: 'New' }))
    act(() => state().changeLine(key, { budget: UNIT }))
    expect(state().faults.head).toEqual({ discount: 'amount_step' })
    expect(state().faults.lines.get(key)).toEqual({ end: 'field_invalid' })
  })

  it('forgets what was pasted into a field that is typed in', () => {
    const line = lineDraft({ budget: 'invalid', unread: { budget: '12k', start: '11/1' } })
    const state = drawn(exampleDraft({ lines: [line] }))
    act(() => state().changeLine(line.key, { budget: UNIT }))
    expect(state().draft.lines[0]?.unread).toEqual({ start: '11/1' })
    act(() => state().changeLine(line.key, { title: 'A' }))
    expect(state().draft.lines[0]?.unread).toEqual({ start: '11/1' })
  })
})

describe('a draft that was saved', () => {
  it('is as the server has it, with the keys that its lines had', () => {
    const state = drawn()
    const sent = state().draft
    act(() => state().change({ title: 'New' }))
    const changed = state().draft
    const saved = exampleDraft({ title: 'New', terms: 'Net 30' })
    act(() => state().saved(changed, saved))
    expect(state()).toMatchObject({ isDirty: false, draft: { terms: 'Net 30' } })
    expect(state().draft.lines.map(({ key }) => key)).toEqual(sent.lines.map(({ key }) => key))
  })

  it('keeps what has been typed while it was being saved', () => {
    const state = drawn()
    const sent = state().draft
    act(() => state().change({ title: 'Typed meanwhile' }))
    act(() => state().saved(sent, exampleDraft({ title: 'Saved' })))
    expect(state()).toMatchObject({ isDirty: true, draft: { title: 'Typed meanwhile' } })
  })

  it('begins anew with what somebody else has saved', () => {
    const state = drawn()
    act(() => state().change({ title: 'Mine' }))
    act(() => state().restart(exampleDraft({ title: 'Theirs' })))
    expect(state()).toMatchObject({ isDirty: false, draft: { title: 'Theirs' } })
  })
})

describe('lines', () => {
  const lines = ['A', 'B', 'C'].map(title => lineDraft({ title }))
  const titles = (found: readonly { title: string }[]) => found.map(({ title }) => title)

  it('get another one at the end or after one of them', () => {
    expect(titles(withLine(lines))).toEqual(['A', 'B', 'C', ''])
    expect(titles(withLine(lines, 0))).toEqual(['A', '', 'B', 'C'])
    expect(withLine([])).toHaveLength(1)
  })

  it('get a copy, which is a line of its own', () => {
    const found = withCopy(lines, 1)
    expect(titles(found)).toEqual(['A', 'B', 'B', 'C'])
    expect(found[1]?.key).not.toBe(found[2]?.key)
    expect(withCopy(lines, 7)).toBe(lines)
  })

  it('move by one, and stay where they are at either end', () => {
    expect(titles(withMove(lines, 0, 1))).toEqual(['B', 'A', 'C'])
    expect(titles(withMove(lines, 2, -1))).toEqual(['A', 'C', 'B'])
    expect(withMove(lines, 0, -1)).toBe(lines)
    expect(withMove(lines, 2, 1)).toBe(lines)
  })
})
