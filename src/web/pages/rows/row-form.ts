import { useState } from 'react'
import type { Problem } from '#web/client/problem.ts'
import type { Versioned } from './data.ts'

interface RowForm<Row, Draft> {
  /** As it was read last. */
  row: Row
  draftOf: (row: Row) => Draft
}

/**
 * A row while somebody edits it. Only what they have changed is sent; where somebody else has changed the row
 * meanwhile, both are put together field by field.
 */
export function useRowForm<Row extends Pick<Versioned, 'version'>, Draft extends object>({
  row,
  draftOf,
}: RowForm<Row, Draft>) {
  const [base, setBase] = useState(row)
  const [draft, setDraft] = useState(() => draftOf(row))
  const [newer, setNewer] = useState<Row | null>(null)
  const changes = difference(draftOf(base), draft)
  // What others have saved shows at once where nothing has been written here.
  if (row.version > base.version && Object.keys(changes).length === 0) {
    setBase(row)
    setDraft(draftOf(row))
  }
  const adopt = (next: Row, own: (now: Draft) => Partial<Draft>) => {
    setBase(next)
    setDraft(now => ({ ...draftOf(next), ...own(now) }))
    setNewer(null)
  }
  return {
    base,
    draft,
    setDraft,
    /** The fields that differ from what was read. */
    changes,
    isChanged: Object.keys(changes).length > 0,
    newer,
    setNewer,
    /** The fields that the newer row has changed. */
    theirs: newer ? fieldsOf(difference(draftOf(base), draftOf(newer))) : [],
    reset: () => setDraft(draftOf(base)),
    /** As it was saved; what has been written since it was sent stays. */
    saved: (sent: Draft, next: Row) => adopt(next, now => difference(sent, now)),
    takeTheirs: () => newer && adopt(newer, () => ({})),
    merge: () => newer && adopt(newer, () => changes),
  }
}

function difference<Draft extends object>(before: Draft, after: Draft): Partial<Draft> {
  const old = new Map(Object.entries(before).map(([field, value]) => [field, textOf(value)]))
  const changed = Object.entries(after).filter(([field, value]) => old.get(field) !== textOf(value))
  return Object.fromEntries(changed) as Partial<Draft>
}

/** The same for equal values, whose fields the database may have put into another order. */
const textOf = (value: unknown) =>
  JSON.stringify(value, (_, part: unknown) =>
    typeof part === 'object' && part !== null && !Array.isArray(part)
      ? Object.fromEntries(Object.entries(part).toSorted(([one], [other]) => (one < other ? -1 : 1)))
      : part,
  )

const fieldsOf = <Draft extends object>(changes: Partial<Draft>) =>
  Object.keys(changes) as (keyof Draft & string)[]

/** The newer row that a refusal comes with, under the name of its kind. */
export function newerRow<Row extends Pick<Versioned, 'version'>>(problem: Problem, kind: string): Row | null {
  const row = problem.code === 'conflict' ? problem.body[kind] : undefined
  return typeof row === 'object' && row !== null && 'version' in row ? (row as Row) : null
}
