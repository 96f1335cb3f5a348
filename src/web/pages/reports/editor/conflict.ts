import type { Report } from '#shared/api/reports.ts'
import { fieldsOfParts } from '#shared/report-parts.ts'
import type { Problem } from '#web/client/problem.ts'
import { isSame, type Draft, type DraftField } from './draft.ts'

/** What somebody else has saved in the meantime. */
export interface Newer {
  report: Report
  /** null: not known. */
  changed_by: string | null
}

const { name: nameFields, ...otherParts } = fieldsOfParts

/** Chosen as a whole each, in the order of the editor. */
export const conflictParts = {
  name: nameFields,
  channels: ['channels'],
  ...otherParts,
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
