import { useDeferredValue, useMemo, useState } from 'react'
import type { Report } from '#shared/api/reports.ts'
import { todayIn } from '#shared/date-range.ts'
import { useBlockEdits } from './block-edits.ts'
import { useKnown } from './data.ts'
import { draftOf, type Draft } from './draft.ts'
import { blockIn, hasChanged, localErrors, type FieldError } from './errors.ts'
import { differing } from './history.ts'
import { applied, fixesOf, type Fix } from './fixes.ts'
import type { KnownHere } from './known.ts'
import { named } from './reason-text.ts'
import { useDraft } from './use-draft.ts'
import { useLocalDraft } from './use-local-draft.ts'
import { useFieldErrors } from './use-field-errors.ts'
import { useSaving, type Refused } from './use-saving.ts'

interface Subject {
  /** As the server has it now; null: a new one. */
  report: Report | null
  /** What a new report begins with. */
  initial: Draft
  folder: number | null
}

export type Editor = ReturnType<typeof useEditor>
/** What every section needs in order to be changed; the same object for as long as the same is wrong. */
export type Editing = Editor['editing']

/** One report being edited: the draft, what is wrong with it, and saving it. */
export function useEditor({ report, initial, folder }: Subject) {
  const [base, setBase] = useState(report)
  const { draft, change, saved: rewrite, begin, ...steps } = useDraft(initial)
  // What is derived from the draft may lag a moment behind the draft, so that typing stays fluid.
  const settled = useDeferredValue(draft)
  // The time of opening: what depends on the current time stays the same while the page is open.
  const [now] = useState(() => new Date())
  const edits = useBlockEdits(change)
  const known = useKnown(settled.channels)
  const saved = useMemo(() => base && draftOf(base), [base])
  const is_dirty = differing(draft, saved ?? initial).length > 0
  const local = useLocalDraft({
    report,
    initial,
    draft,
    base,
    unsaved: is_dirty,
    lags: settled !== draft,
  })
  const today = todayIn(draft.timezone, now)

  // Somebody else's save is adopted while no unsaved change would be lost; else saving opens the conflict
  // dialog.
  if (report && base && report.version > base.version && !is_dirty) {
    setBase(report)
    begin(draftOf(report))
  }

  /** What has happened to it since it was saved: runs, checks. */
  const current = report && report.version === base?.version ? report : base

  const history_extended = current?.history_extended ?? false
  const rules = { known, today, saved, history_extended }
  const saving = useSaving({ draft, base, setBase, folder, rules, change, rewrite, onSaved: local.forget })
  const { conflict } = saving
  // Together with the draft whose errors it is about: a channel that one was made in just before opens, too.
  const attempt = useDeferredValue(saving.attempt)
  const found = useFound(settled, { ...rules, refused: saving.refused })
  const errors = useFieldErrors(found, attempt > 0)
  const editing = useMemo(() => {
    const apply = (fix: Fix) => change(before => applied(before, fix, known))
    return { change, edits, errors, attempt, apply }
  }, [change, edits, errors, attempt, known])

  /** Brings back the unsaved changes; where somebody has saved since, with the choice of what to keep. */
  function restore() {
    const unsaved = local.found?.content
    if (!unsaved) return
    local.take()
    change(unsaved.draft)
    const begun = unsaved.base
    if (begun === null || base === null || begun.version >= base.version) return
    setBase({
      ...base,
      ...begun.draft,
      chosen_frequency: begun.draft.update_frequency,
      version: begun.version,
    })
    conflict.open({ report: base, changed_by: null })
  }

  return {
    draft,
    settled,
    /** The errors are those of the draft as it is, after the last attempt to save it. */
    is_judged: settled === draft && attempt === saving.attempt,
    base,
    current,
    saved,
    history_extended,
    known,
    now,
    today,
    is_dirty,
    is_saving: saving.isPending,
    editing,
    edits,
    errors,
    steps,
    /** How many fields prevent saving; counted once saving was tried. */
    faults: attempt > 0 ? errors.blocking : 0,
    change,
    save: () => saving.save(),
    local,
    restore,
    conflict,
  }
}

/** Everything that is wrong with the draft: by the rules, or refused by the server and unchanged since. */
function useFound(settled: Draft, { refused, known, today, saved, history_extended }: Found) {
  return useMemo(
    () =>
      [
        ...localErrors(settled, { known, today, saved, history_extended }),
        ...(refused?.errors.filter(({ path }) => !hasChanged(path, refused.draft, settled)) ?? []),
      ].map(error => explained(error, settled, known)),
    [settled, known, today, saved, history_extended, refused],
  )
}

/** With what ends it, and the names of its metrics in their block. */
function explained(error: FieldError, draft: Draft, known: KnownHere): FieldError {
  const block = draft.channels[blockIn(error.path) ?? -1]
  return { ...named(error, block, known), fixes: fixesOf(error, draft, known) }
}

interface Found extends Omit<Parameters<typeof localErrors>[1], 'known'> {
  known: KnownHere
  refused: Refused | null
}
