import { useCallback, useState } from 'react'
import { lineAfter, nextKey, type Draft, type LineDraft } from './draft.ts'
import { NO_FAULTS, withoutFault, type Faults } from './faults.ts'

interface State {
  draft: Draft
  faults: Faults
  isDirty: boolean
}

export type Change = (patch: Partial<Draft>) => void
export type ChangeLine = (key: number, patch: Partial<LineDraft>) => void

/** A quotation that is being written: changes of a line leave the others the same objects. */
export function useDraft(initial: Draft) {
  const [state, setState] = useState<State>({ draft: initial, faults: NO_FAULTS, isDirty: false })

  const change = useCallback<Change>(
    patch =>
      setState(({ draft, faults }) => ({
        draft: { ...draft, ...patch },
        faults: { ...faults, head: without(faults.head, Object.keys(patch)) },
        isDirty: true,
      })),
    [],
  )
  const changeLines = useCallback(
    (next: (lines: readonly LineDraft[]) => readonly LineDraft[]) =>
      setState(({ draft, faults }) => ({
        draft: { ...draft, lines: next(draft.lines) },
        faults: { ...faults, head: without(faults.head, ['lines']) },
        isDirty: true,
      })),
    [],
  )
  const changeLine = useCallback<ChangeLine>((key, patch) => {
    setState(({ draft, faults }) => ({
      draft: {
        ...draft,
        lines: draft.lines.map(line => (line.key === key ? patched(line, patch) : line)),
      },
      faults: { ...faults, lines: withoutFault(faults.lines, key, Object.keys(patch)) },
      isDirty: true,
    }))
  }, [])

  return {
    ...state,
    change,
    changeLine,
    changeLines,
    refuse: (faults: Faults) => setState(before => ({ ...before, faults })),
    /** As it was saved; what has been typed meanwhile stays. */
    saved: (sent: Draft, saved: Draft) =>
      setState(before =>
        before.draft === sent
          ? { draft: withKeys(saved, sent), faults: NO_FAULTS, isDirty: false }
          : { ...before, faults: NO_FAULTS },
      ),
    restart: (draft: Draft) => setState({ draft, faults: NO_FAULTS, isDirty: false }),
  }
}

/** A line with changed fields; what was pasted there is no longer of interest. */
function patched(line: LineDraft, patch: Partial<LineDraft>): LineDraft {
  const changed = new Set(Object.keys(patch))
  const isRead = Object.keys(line.unread).some(field => changed.has(field))
  const unread = isRead ? without(line.unread, [...changed]) : line.unread
  return { ...line, ...patch, unread }
}

function without<Value>(values: Readonly<Record<string, Value>>, names: readonly string[]) {
  if (!names.some(name => name in values)) return values
  return Object.fromEntries(Object.entries(values).filter(([name]) => !names.includes(name)))
}

/** Rows keep their keys, and with them the focus. */
const withKeys = (draft: Draft, { lines, schedule }: Draft): Draft => ({
  ...draft,
  lines: draft.lines.map((line, index) => ({ ...line, key: lines[index]?.key ?? line.key })),
  schedule: draft.schedule.map((part, index) => ({ ...part, key: schedule[index]?.key ?? part.key })),
})

// What can be done with lines as a whole.

export const withLine = (lines: readonly LineDraft[], after: number = lines.length - 1) =>
  lines.toSpliced(after + 1, 0, lineAfter(lines[after]))

export const withCopy = (lines: readonly LineDraft[], index: number) => {
  const line = lines[index]
  return line ? lines.toSpliced(index + 1, 0, { ...line, key: nextKey() }) : lines
}

/** A line one place up or down; the same lines where it cannot go further. */
export function withMove(lines: readonly LineDraft[], index: number, by: -1 | 1) {
  const line = lines[index]
  const other = lines[index + by]
  return line && other ? lines.with(index, other).with(index + by, line) : lines
}
