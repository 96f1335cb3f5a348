import * as fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { newDraft, type Draft } from './draft.ts'
import {
  changed,
  historyOf,
  MOST_STEPS,
  PAUSE_MS,
  redone,
  rewritten,
  undone,
  type History,
} from './history.ts'

const start: Draft = newDraft({ name: '', language: 'en', timezone: 'Asia/Taipei' })
const after = (...changes: Partial<Draft>[]): History =>
  changes.reduce<History>(
    (history, change, index) => changed(history, change, index * 10_000),
    historyOf(start),
  )

describe('undoing', () => {
  it('goes back step by step, and redoing forward again', () => {
    const history = after({ fill_zero: true }, { dimensions: ['month'] })
    expect(undone(history).present).toEqual({ ...start, fill_zero: true })
    expect(undone(undone(history)).present).toEqual(start)
    expect(redone(undone(undone(history))).present).toEqual({ ...start, fill_zero: true })
  })

  it('stays where it is when there is nothing left', () => {
    const nothing = historyOf(start)
    expect(undone(nothing)).toBe(nothing)
    expect(redone(nothing)).toBe(nothing)
  })

  it('forgets what was undone once something else is changed', () => {
    const other = changed(undone(after({ fill_zero: true })), { arrangement: 'stacked' }, 0)
    expect(redone(other)).toBe(other)
  })

  it('does not count a change of nothing as a step', () => {
    const history = after({ fill_zero: true })
    expect(changed(history, { fill_zero: true, dimensions: ['date'] }, 5)).toBe(history)
  })

  it('keeps its steps when the server normalizes the draft', () => {
    const saved = rewritten(after({ name: 'Daily ' }), { ...start, name: 'Daily' })
    expect(saved.present.name).toBe('Daily')
    expect(undone(saved).present).toEqual(start)
  })

  it('goes back a limited number of steps', () => {
    const names = Array.from({ length: MOST_STEPS + 20 }, (_, index) => ({ fill_zero: index % 2 === 0 }))
    expect(after(...names).past).toHaveLength(MOST_STEPS)
  })
})

describe('typing', () => {
  const typed = (text: string, gap_ms: number) =>
    [...text].reduce(
      (history, _, index) => changed(history, { name: text.slice(0, index + 1) }, index * gap_ms),
      historyOf(start),
    )

  it('is one step while it goes on', () => {
    expect(undone(typed('Daily numbers', 90)).present).toEqual(start)
    expect(undone(typed('Daily numbers', PAUSE_MS)).present).toEqual(start)
  })

  it('is a step of its own after a pause', () => {
    expect(undone(typed('Daily', PAUSE_MS + 1)).present.name).toBe('Dail')
  })

  it('is another step in another field, after a choice, and after an undo', () => {
    const name = changed(historyOf(start), { name: 'D' }, 0)
    expect(undone(changed(name, { start_cell: 'B2' }, 5)).present).toEqual(name.present)
    const chosen = changed(name, { fill_zero: true }, 5)
    expect(undone(changed(chosen, { name: 'Da' }, 10)).present).toEqual(chosen.present)
    const again = changed(undone(changed(name, { fill_zero: true }, 5)), { name: 'Da' }, 6)
    expect(undone(again).present).toEqual(name.present)
  })

  it('is one step in the name of a block as well, not in its accounts', () => {
    const block = {
      channel: 'fb' as const,
      label: null,
      accounts: [],
      metrics: [],
      filters: [],
      on_error: 'leave_empty' as const,
    }
    const added = changed(historyOf(start), { channels: [block] }, 0)
    const once = changed(added, { channels: [{ ...block, label: 'M' }] }, 10)
    const twice = changed(once, { channels: [{ ...block, label: 'Me' }] }, 20)
    expect(undone(twice).present).toEqual(added.present)
    const account = changed(twice, { channels: [{ ...block, label: 'Me', accounts: [1] }] }, 30)
    expect(undone(account).present).toEqual(twice.present)
  })
})

describe('the name and the formula of a column over several channels', () => {
  it('are typed in one step each', () => {
    const blend = { name: '', formula: '', unit: 'ratio' as const, decimals: 2 }
    const typed = (history: History, fields: Partial<typeof blend>, at: number) => {
      const [before = blend] = history.present.blends
      return changed(history, { blends: [{ ...before, ...fields }] }, at)
    }
    const added = typed(historyOf(start), {}, 0)
    const named = typed(typed(added, { name: 'A' }, 10), { name: 'Al' }, 20)
    expect(undone(named).present).toEqual(added.present)
    const written = typed(typed(named, { formula: '1' }, 30), { formula: '1.cost' }, 40)
    expect(undone(written).present).toEqual(named.present)
    expect(undone(typed(written, { unit: 'ratio', decimals: 0 }, 50)).present).toEqual(written.present)
  })
})

describe('whatever is changed, undone and redone', () => {
  const change = fc.oneof(
    fc.record({ name: fc.constantFrom('', 'a', 'ab') }),
    fc.record({ fill_zero: fc.boolean() }),
    fc.record({ dimensions: fc.shuffledSubarray(['date', 'campaign', 'ad'] as const).map(all => [...all]) }),
  )
  const action = fc.oneof(
    change.map(each => (history: History, at: number) => changed(history, each, at)),
    fc.constant((history: History) => undone(history)),
    fc.constant((history: History) => redone(history)),
  )

  it('returns to the beginning by undoing everything, and back by redoing everything', () => {
    fc.assert(
      fc.property(fc.array(fc.tuple(action, fc.nat(3000)), { maxLength: 60 }), actions => {
        let at = 0
        const history = actions.reduce((so_far, [act, gap]) => act(so_far, (at += gap)), historyOf(start))
        const last = history.future.reduce(so_far => redone(so_far), history).present
        const first = history.past.reduce(so_far => undone(so_far), history)
        expect(first.present).toEqual(start)
        expect(first.future.reduce(so_far => redone(so_far), first).present).toEqual(last)
      }),
    )
  })
})
