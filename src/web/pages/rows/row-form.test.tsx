// @vitest-environment happy-dom
import { act } from '@testing-library/react'
import { assert, integer, property, record } from 'fast-check'
import { useEffect } from 'react'
import { describe, expect, it } from 'vitest'
import { Problem } from '#web/client/problem.ts'
import { draw } from '#web/testing/render.tsx'
import { newerRow, useRowForm } from './row-form.ts'

interface Row {
  id: number
  version: number
  name: string
  note: string
  members: number[]
}
type Draft = Omit<Row, 'id' | 'version'>

const row: Row = { id: 1, version: 1, name: 'Aurora', note: '', members: [7] }
const draftOf = ({ name, note, members }: Row): Draft => ({ name, note, members })

/** The form as it is now, and how to draw it with another row. */
function drawn(first = row) {
  const drawings: ReturnType<typeof useRowForm<Row, Draft>>[] = []
  function Form({ row: read }: { row: Row }) {
    const form = useRowForm({ row: read, draftOf })
    useEffect(() => void drawings.push(form))
    return null
  }
  const { rerender } = draw(<Form row={first} />)
  return {
    form() {
      const last = drawings.at(-1)
      if (!last) throw new Error('not drawn')
      return last
    },
    read: (next: Row) => rerender(<Form row={next} />),
  }
}

describe('a row while somebody edits it', () => {
  it('has no changes at first', () => {
    const { form } = drawn()
    expect([form().isChanged, form().changes, form().draft]).toEqual([false, {}, draftOf(row)])
  })

  it('has those fields that differ, also within lists', () => {
    const { form } = drawn()
    act(() => form().setDraft({ ...form().draft, members: [7, 8] }))
    expect([form().isChanged, form().changes]).toEqual([true, { members: [7, 8] }])
    act(() => form().setDraft({ ...form().draft, members: [7] }))
    expect(form().isChanged).toBe(false)
  })

  it('is as it was read after a reset', () => {
    const { form } = drawn()
    act(() => form().setDraft({ ...form().draft, name: 'Nova' }))
    act(() => form().reset())
    expect(form().draft).toEqual(draftOf(row))
  })

  it('shows what others have saved where nothing was written', () => {
    const { form, read } = drawn()
    read({ ...row, version: 2, note: 'Theirs' })
    expect([form().base.version, form().draft.note]).toEqual([2, 'Theirs'])
  })

  it('keeps what was written when others save', () => {
    const { form, read } = drawn()
    act(() => form().setDraft({ ...form().draft, name: 'Mine' }))
    read({ ...row, version: 2, note: 'Theirs' })
    expect([form().base.version, form().draft]).toEqual([1, { ...draftOf(row), name: 'Mine' }])
  })

  it('goes on from what was saved', () => {
    const { form } = drawn()
    act(() => form().setDraft({ ...form().draft, name: 'Mine' }))
    act(() => form().saved(form().draft, { ...row, version: 2, name: 'Mine' }))
    expect([form().base.version, form().isChanged]).toEqual([2, false])
  })

  it('keeps what was written while it was being saved', () => {
    const { form } = drawn()
    act(() => form().setDraft({ ...form().draft, name: 'Mine' }))
    const { draft: sent, saved } = form()
    act(() => form().setDraft({ ...form().draft, note: 'Later' }))
    act(() => saved(sent, { ...row, version: 2, name: 'Mine', members: [8] }))
    expect([form().draft, form().changes]).toEqual([
      { name: 'Mine', note: 'Later', members: [8] },
      { note: 'Later' },
    ])
  })
})

describe('a newer row', () => {
  const newer: Row = { ...row, version: 2, note: 'Theirs', name: 'Aurora Inc.' }

  function conflicted() {
    const { form } = drawn()
    act(() => form().setDraft({ ...form().draft, name: 'Mine', members: [] }))
    act(() => form().setNewer(newer))
    return form
  }

  it('is compared with what was read', () => {
    expect(conflicted()().theirs).toEqual(['name', 'note'])
  })

  it('is put together with the own changes, which win in the same field', () => {
    const form = conflicted()
    act(() => void form().merge())
    expect(form().draft).toEqual({ name: 'Mine', note: 'Theirs', members: [] })
    expect([form().base.version, form().newer]).toEqual([2, null])
    expect(form().changes).toEqual({ name: 'Mine', members: [] })
  })

  it('replaces the own changes', () => {
    const form = conflicted()
    act(() => void form().takeTheirs())
    expect([form().draft, form().isChanged]).toEqual([draftOf(newer), false])
  })

  it('loses nothing in a merge: each field is the own one where that was changed, else theirs', () => {
    const facts = record({ a: integer({ max: 2, min: 0 }), b: integer({ max: 2, min: 0 }) })
    assert(
      property(facts, facts, facts, (base, mine, theirs) => {
        const names = ['a', 'b'] as const
        const { form } = drawn({ ...row, name: String(base.a), note: String(base.b) })
        act(() => form().setDraft({ ...form().draft, name: String(mine.a), note: String(mine.b) }))
        act(() => form().setNewer({ ...row, version: 2, name: String(theirs.a), note: String(theirs.b) }))
        act(() => void form().merge())
        const merged = names.map(key => String(mine[key] === base[key] ? theirs[key] : mine[key]))
        expect([form().draft.name, form().draft.note]).toEqual(merged)
      }),
      { numRuns: 20 },
    )
  })
})

describe('a refusal', () => {
  const refusal = (code: 'conflict' | 'invalid', body: Record<string, unknown>) =>
    newerRow<Row>(new Problem({ code, status: 409, body }), 'advertiser')

  it('has the newer row under the name of its kind', () => {
    expect(refusal('conflict', { advertiser: row })).toEqual(row)
  })

  it('has none of another kind, of another code, or without a version', () => {
    expect(refusal('conflict', { agent: row })).toBeNull()
    expect(refusal('invalid', { advertiser: row })).toBeNull()
    expect(refusal('conflict', { advertiser: { id: 1 } })).toBeNull()
    expect(refusal('conflict', { advertiser: null })).toBeNull()
  })
})
