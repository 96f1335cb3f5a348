import { useMemo, useState } from 'react'
import { useIsInternal } from '#web/client/me.ts'
import { useTranslation } from '#web/i18n/use-translation.ts'
import { isSame } from './draft.ts'
import { blockIn, isBlocking, type FieldError } from './errors.ts'
import type { Fix } from './fixes.ts'
import { reasonText, type Words } from './reason-text.ts'
import type { SectionName } from './setup.ts'

/**
 * The errors as text. The same object for as long as the errors are the same, so that valid fields need not
 * render anew.
 */
export type FieldErrors = ReturnType<typeof fieldErrors>

export function useFieldErrors(errors: readonly FieldError[], tried: boolean): FieldErrors {
  const words = useWords()
  const found = useUnchanged(errors)
  return useMemo(() => fieldErrors(found, { tried, words }), [found, tried, words])
}

function fieldErrors(found: readonly FieldError[], { tried, words }: { tried: boolean; words: Words }) {
  const errors = found.filter(error => tried || !isEmptyField(error))
  const at = (paths: readonly string[]) => errors.filter(error => paths.includes(error.path))
  return {
    /** The first error of exactly this field, as text. */
    at(path: string): string | undefined {
      const error = errors.find(candidate => candidate.path === path)
      return error && textOf(error, words)
    },
    /** The same as it was found, with the place in a formula. */
    found: (path: string): FieldError | undefined => errors.find(error => error.path === path),
    /** Everything that is wrong with a part of the report and has no field of its own there. */
    of: (...paths: string[]): string[] => [...new Set(at(paths).map(error => textOf(error, words)))],
    /** The changes that end what is wrong there, the same one once. */
    fixes(...paths: string[]): Fix[] {
      const fixes = at(paths).flatMap(error => error.fixes ?? [])
      return [...new Map(fixes.map(fix => [JSON.stringify(fix), fix])).values()]
    },
    /** The indexes of the channels that have one. */
    blocks: new Set(errors.flatMap(({ path }) => blockIn(path) ?? [])),
    /** How many fields prevent saving. */
    blocking: errors.filter(isBlocking).length,
    /** The section of each error, also of those that are not shown before somebody has tried to save. */
    sections: found.flatMap(({ path }) => sectionOf[path.split('.')[0] ?? ''] ?? []),
  }
}

function textOf(error: FieldError, words: Words): string {
  if (error.code === 'filter_values_required') return words.t('block.filter_values_required')
  if (error.path === 'name' && error.code === 'field_required') return words.t('name_required')
  return reasonText(error, words)
}

/** An empty field is not wrong before somebody has tried to save it. */
const isEmptyField = ({ code }: FieldError) => code === 'field_required' || code === 'filter_values_required'

/** The section of the editor that has a field. */
export const sectionOf: Record<string, SectionName> = {
  name: 'name',
  channels: 'channels',
  dimensions: 'dimensions',
  arrangement: 'table',
  fill_zero: 'table',
  format_table: 'table',
  sort: 'table',
  limit: 'table',
  currency: 'table',
  comparison: 'table',
  note: 'table',
  blends: 'table',
  header_language: 'table',
  date_range: 'dates',
  update_frequency: 'schedule',
  update_day_of_week: 'schedule',
  update_day_of_month: 'schedule',
  update_time: 'schedule',
  timezone: 'schedule',
  spreadsheet_url: 'spreadsheet',
  sheet_name: 'spreadsheet',
  start_cell: 'spreadsheet',
}

function useUnchanged<Value>(value: Value): Value {
  const [stable, setStable] = useState(value)
  if (stable === value || isSame(stable, value)) return stable
  setStable(value)
  return value
}

/** What reasons are formatted with. */
export function useWords(): Words {
  const { t, language } = useTranslation('editor')
  const audience = useIsInternal() ? 'internal' : 'external'
  return useMemo(() => ({ t, language, audience }), [t, language, audience])
}
