import { useEffect, useRef, useState } from 'react'
import type { Problem } from '#web/client/problem.ts'
import { ConflictNotice } from './conflict-notice.tsx'
import type { Versioned } from './data.ts'
import { GeneralProblem } from './field-problem.tsx'
import { newerRow, useRowForm } from './row-form.ts'

interface RowSave<Row, Draft extends object, Update extends { version: number }> {
  row: Row
  /** The name under which a refusal comes with the newer row. */
  kind: string
  draftOf: (row: Row) => Draft
  /** What is sent, field by field as in the draft; null: something in it cannot be. */
  bodyOf: (draft: Draft) => Omit<Update, 'version'> | null
  update: {
    mutate: (
      update: Update,
      options: { onSuccess: (row: Row) => void; onError: (problem: Problem) => void },
    ) => void
    error: Problem | null
  }
  fieldName: (field: keyof Draft & string) => string
  /** The row as it is now; null: nothing had been changed. */
  onSaved: (row: Row | null) => void
}

/** The form of a row that is saved as a whole: only what was changed is sent, and conflicts are settled. */
export function useRowSave<Row extends Versioned, Draft extends object, Update extends { version: number }>({
  row,
  kind,
  draftOf,
  bodyOf,
  update,
  fieldName,
  onSaved,
}: RowSave<Row, Draft, Update>) {
  const form = useRowForm({ row, draftOf })
  const [tried, setTried] = useState(false)
  const latest = useRef(form.draft)
  useEffect(() => {
    latest.current = form.draft
  })
  const send = (changes: Partial<Omit<Update, 'version'>>) =>
    update.mutate({ ...changes, version: form.base.version } as Update, {
      // What has been written since it was sent is not lost with the form.
      onSuccess: saved => (latest.current === form.draft ? onSaved(saved) : form.saved(form.draft, saved)),
      onError: problem => form.setNewer(newerRow<Row>(problem, kind)),
    })
  function save() {
    setTried(true)
    const body = bodyOf(form.draft)
    if (body === null) return
    if (!form.isChanged) return onSaved(null)
    const changed = Object.entries(body).filter(([field]) => field in form.changes)
    send(Object.fromEntries(changed) as Partial<Omit<Update, 'version'>>)
  }
  return {
    ...form,
    tried,
    send,
    save,
    problem: form.newer ? (
      <ConflictNotice
        fields={form.theirs.map(fieldName)}
        onMerge={form.merge}
        onTakeTheirs={form.takeTheirs}
      />
    ) : (
      <GeneralProblem problem={update.error} />
    ),
  }
}
