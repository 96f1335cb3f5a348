import type { Report } from '#shared/api/reports.ts'
import type { Problem } from '#web/client/problem.ts'
import { isSame, type Draft, type DraftField } from './draft.ts'

/** What somebody else has saved in the meantime. */
export interface Newer {
  report: Report
  /** null: not known. */
  changed_by: string | null
}

/**
 * Fields that only make sense together are chosen together: a weekly schedule needs its day, a sheet its
 * spreadsheet.
 */
export const conflictParts = {
  name: ['name'],
  channels: ['channels'],
  dimensions: ['dimensions'],
  arrangement: ['arrangement'],
  fill_zero: ['fill_zero'],
  format_table: ['format_table'],
  sort: ['sort', 'limit'],
  header_language: ['header_language'],
  date_range: ['date_range'],
  schedule: ['update_frequency', 'update_day_of_week', 'update_day_of_month', 'update_time'],
  timezone: ['timezone'],
  spreadsheet: ['spreadsheet_url', 'sheet_name'],
  start_cell: ['start_cell'],
} as const satisfies Record<string, readonly DraftField[]>

export type ConflictPart = keyof typeof conflictParts
export type Side = 'mine' | 'theirs'

interface Sides {
  /** What both began with. */
  base: Draft
  mine: Draft
  theirs: Draft
}

export interface Difference {
  part: ConflictPart
  /** Who has changed it since both began. */
  changed_by: Side | 'both'
}

/** Where the two differ. */
export function differences({ base, mine, theirs }: Sides): Difference[] {
  return parts
    .filter(part => !isSamePart(part, mine, theirs))
    .map(part => {
      const byMe = !isSamePart(part, base, mine)
      const byThem = !isSamePart(part, base, theirs)
      return { part, changed_by: byMe && byThem ? 'both' : byMe ? 'mine' : 'theirs' }
    })
}

/** The default of a merge: every change of both; where both have changed the same field, mine. */
export const preferred = ({ changed_by }: Difference): Side => (changed_by === 'theirs' ? 'theirs' : 'mine')

/** One draft out of both; what was not chosen is mine. */
export function merged(mine: Draft, theirs: Draft, chosen: Partial<Record<ConflictPart, Side>>): Draft {
  const taken = parts.filter(part => chosen[part] === 'theirs').flatMap(part => [...conflictParts[part]])
  return { ...mine, ...Object.fromEntries(taken.map(field => [field, theirs[field]])) }
}

/**
 * The newer report that a conflict response contains, as our own server has written it; null for any other
 * problem.
 */
export function newerReport({
  code,
  body: { report, changed_by },
}: Pick<Problem, 'code' | 'body'>): Newer | null {
  if (code !== 'conflict' || typeof report !== 'object' || report === null || !('version' in report))
    return null
  return { report: report as Report, changed_by: typeof changed_by === 'string' ? changed_by : null }
}

const isPart = (name: string): name is ConflictPart => Object.hasOwn(conflictParts, name)
const parts = Object.keys(conflictParts).filter(isPart)

const isSamePart = (part: ConflictPart, a: Draft, b: Draft) =>
  conflictParts[part].every(field => isSame(a[field], b[field]))
