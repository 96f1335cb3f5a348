import { useState } from 'react'
import type { Report } from '#shared/api/reports.ts'
import { useFailureText } from '#web/client/failure-text.ts'
import { asProblem } from '#web/client/problem.ts'
import { showToast } from '#web/client/toasts.ts'
import { newerReport, type Newer } from './conflict.ts'
import { useSave } from './data.ts'
import { draftOf, type Draft } from './draft.ts'
import { isBlocking, localErrors, serverErrors, type FieldError } from './errors.ts'
import { reasonText } from './reason-text.ts'
import { useWords } from './use-field-errors.ts'

/**
 * What the server refused, and the draft that it refused: a field that has changed since is no longer wrong.
 */
export interface Refused {
  errors: FieldError[]
  draft: Draft
}

interface Subject {
  draft: Draft
  base: Report | null
  setBase: (report: Report) => void
  folder: number | null
  rules: Parameters<typeof localErrors>[1]
  change: (draft: Draft) => void
  /** The draft as the server has written it down. */
  rewrite: (sent: Draft, saved: Draft) => void
  onSaved: () => void
}

/** Saving the draft: what the server refused, and what somebody else has saved meanwhile. */
export function useSaving({ draft, base, setBase, folder, rules, change, rewrite, onSaved }: Subject) {
  /** How many saves were tried since the last one that worked. */
  const [attempt, setAttempt] = useState(0)
  const [refused, setRefused] = useState<Refused | null>(null)
  const [theirs, setTheirs] = useState<Newer | null>(null)
  const saving = useSave()
  const words = useWords()
  const failureText = useFailureText()

  /** Saves a draft based on a version; returns the saved report, or null when it could not be saved. */
  async function save(next: Draft = draft, onto: Report | null = base): Promise<Report | null> {
    setAttempt(count => count + 1)
    if (localErrors(next, rules).some(isBlocking)) return null
    try {
      const result = await saving.mutateAsync({ draft: next, report: onto, folder })
      setBase(result)
      onSaved()
      rewrite(next, draftOf(result))
      setRefused(null)
      setTheirs(null)
      setAttempt(0)
      return result
    } catch (thrown) {
      const problem = asProblem(thrown)
      const newer = newerReport(problem)
      if (newer) setTheirs(newer)
      const remote = serverErrors(problem)
      setRefused({ errors: remote, draft: next })
      setAttempt(count => count + 1)
      if (!newer && remote.length === 0)
        showToast({
          severity: 'error',
          message: failureText(problem) ?? reasonText({ code: problem.code, detail: {} }, words),
        })
      return null
    }
  }

  return {
    attempt,
    refused,
    save,
    isPending: saving.isPending,
    conflict: {
      theirs,
      open: (newer: Newer) => setTheirs(newer),
      /** Saves the draft that was put together out of both. */
      async keep(chosen: Draft) {
        if (theirs === null) return null
        change(chosen)
        return await save(chosen, theirs.report)
      },
      takeTheirs() {
        if (theirs === null) return
        setBase(theirs.report)
        change(draftOf(theirs.report))
        setRefused(null)
        setTheirs(null)
      },
      close: () => setTheirs(null),
    },
  }
}
