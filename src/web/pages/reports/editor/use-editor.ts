import { useQueries } from '@tanstack/react-query'
import { useState } from 'react'
import { mayDo } from '#shared/access.ts'
import type { AdAccount } from '#shared/api/ad-accounts.ts'
import type { Report } from '#shared/api/reports.ts'
import { accountChannelOf } from '#shared/channels/all.ts'
import { todayIn } from '#shared/date-range.ts'
import { useIsInternal } from '#web/app/me.ts'
import { notify } from '#web/app/notices.ts'
import { asProblem } from '#web/app/problem.ts'
import { useTranslation } from '#web/i18n/use-translation.ts'
import { accountsOf, useSave } from './data.ts'
import { draftOf, isSame, type Draft } from './draft.ts'
import { isBlocking, localErrors, serverErrors, type FieldError } from './errors.ts'
import { reasonText } from './reason-text.ts'
import type { SectionName } from './section.tsx'

interface Subject {
  /** As the server has it now; null: a new one. */
  report: Report | null
  /** What a new report begins with. */
  initial: Draft
  folder: number | null
}

/** What the server refused, and the draft that it refused: a field that has changed since is no longer wrong. */
interface Refused {
  errors: FieldError[]
  draft: Draft
}

export type Editor = ReturnType<typeof useEditor>

/** One report being edited: the draft, what is wrong with it, and saving it. */
export function useEditor({ report, initial, folder }: Subject) {
  const [base, setBase] = useState(report)
  const [draft, setDraft] = useState(initial)
  // When it was opened: what is worked out of the time stands still while somebody reads it.
  const [now] = useState(() => new Date())
  const [refused, setRefused] = useState<Refused | null>(null)
  const [tried, setTried] = useState(false)
  const [theirs, setTheirs] = useState<Report | null>(null)
  const saving = useSave()
  const words = useWords()
  const accounts = useDraftAccounts(draft)
  const saved = base && draftOf(base)
  const is_dirty = saved === null ? !isSame(draft, initial) : !isSame(draft, saved)
  const today = todayIn(draft.timezone, now)

  // Somebody else's save is taken over while nothing of it would be lost; else saving asks.
  if (report && base && report.version > base.version && !is_dirty) {
    setBase(report)
    setDraft(draftOf(report))
  }

  /** What has happened to it since it was saved: runs, checks. */
  const current = report && report.version === base?.version ? report : base

  const history_extended = current?.history_extended ?? false
  const local = localErrors(draft, { accounts, today, saved, history_extended })
  const remote = refused?.errors.filter(({ path }) => !hasChanged(path, refused.draft, draft)) ?? []
  const errors = [...local, ...remote]

  const textOf = (error: FieldError) =>
    error.code === 'filter_values_required'
      ? words.t('block.filter_values_required')
      : error.path === 'name' && error.code === 'field_required'
        ? words.t('name_required')
        : reasonText(error, words)

  /** Saves; answers the report as it is then, or null when it could not be saved. */
  async function save(onto: Report | null = base): Promise<Report | null> {
    setTried(true)
    if (local.some(isBlocking)) return null
    try {
      const result = await saving.mutateAsync({ draft, report: onto, folder })
      setBase(result)
      // What was typed while it was being saved is kept, and not saved yet.
      setDraft(now_drafted => (isSame(now_drafted, draft) ? draftOf(result) : now_drafted))
      setRefused(null)
      setTheirs(null)
      setTried(false)
      return result
    } catch (thrown) {
      const problem = asProblem(thrown)
      const newer = problem.code === 'conflict' ? asReport(problem.body.report) : null
      if (newer) setTheirs(newer)
      const found = serverErrors(problem)
      setRefused({ errors: found, draft })
      if (!newer && found.length === 0)
        notify({ severity: 'error', message: reasonText({ code: problem.code, detail: {} }, words) })
      return null
    }
  }

  return {
    draft,
    base,
    current,
    saved,
    history_extended,
    accounts,
    now,
    today,
    is_dirty,
    is_saving: saving.isPending,
    may_change: base === null || mayDo(base.access, 'change'),
    /** How many fields keep it from being saved; told once saving was tried. */
    faults: tried || remote.length > 0 ? errors.filter(isBlocking).length : 0,
    /** The sections in which something is wrong. */
    wrongSections: errors
      .filter(error => tried || !isEmptyField(error))
      .map(({ path }) => sectionOf[path.split('.')[0] ?? ''])
      .filter(section => section !== undefined),
    change: (change: Partial<Draft>) => setDraft(before => ({ ...before, ...change })),
    save,
    /** The first error of exactly this field, as text. */
    errorAt(path: string) {
      const error = errors.find(each => each.path === path && (tried || !isEmptyField(each)))
      return error && textOf(error)
    },
    /** Everything that is wrong with a part of the report and has no field of its own there. */
    errorsAt: (...paths: string[]) => [
      ...new Set(errors.filter(each => paths.includes(each.path)).map(textOf)),
    ],
    conflict: {
      theirs,
      keepMine: () => save(theirs),
      takeTheirs() {
        if (theirs === null) return
        setBase(theirs)
        setDraft(draftOf(theirs))
        setRefused(null)
        setTheirs(null)
      },
      close: () => setTheirs(null),
    },
  }
}

/** Where a field stands in the editor. */
const sectionOf: Record<string, SectionName> = {
  name: 'name',
  channels: 'channels',
  dimensions: 'dimensions',
  arrangement: 'table',
  fill_zero: 'table',
  header_language: 'table',
  date_range: 'dates',
  update_frequency: 'schedule',
  update_time: 'schedule',
  timezone: 'schedule',
  spreadsheet_url: 'spreadsheet',
  sheet_name: 'spreadsheet',
  start_cell: 'spreadsheet',
}

/** An empty field is not wrong before somebody has tried to save it. */
const isEmptyField = ({ code }: FieldError) => code === 'field_required' || code === 'filter_values_required'

/** The accounts of the draft's channels that one may use. */
function useDraftAccounts({ channels }: Draft): AdAccount[] {
  const distinct = [...new Set(channels.map(block => accountChannelOf(block.channel)))]
  return useQueries({
    queries: distinct.map(accountsOf),
    combine: results => results.flatMap(result => result.data ?? []),
  })
}

function useWords() {
  const { t, language } = useTranslation('editor')
  const internal = useIsInternal()
  return { t, language, audience: internal ? ('internal' as const) : ('external' as const) }
}

/** Whether the part of the draft that a path is about is another one than when it was refused. */
function hasChanged(path: string, before: Draft, after: Draft): boolean {
  const field = path.split('.')[0]
  return Object.entries(before).some(
    ([name, value]) => name === field && !isSame(value, Object.entries(after).find(([n]) => n === name)?.[1]),
  )
}

/** The newer report that stands beside a conflict, as our own server has written it. */
function asReport(value: unknown): Report | null {
  return typeof value === 'object' && value !== null && 'version' in value ? (value as Report) : null
}
