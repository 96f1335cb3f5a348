import type { Gap, Report } from '#shared/api/reports.ts'
import { parseStartCell } from '#shared/cell.ts'
import { gapNameOf } from '#shared/gap-names.ts'
import type { TargetState } from '#web/pages/reports/target/target-state.ts'
import type { Draft } from './draft.ts'

/** The sections of the editor, in their order. */
export const sectionNames = [
  'name',
  'channels',
  'dimensions',
  'table',
  'dates',
  'schedule',
  'spreadsheet',
] as const
export type SectionName = (typeof sectionNames)[number]

/** What is still to be done, each in one section; `wrong` is an error of the section's fields. */
export type SetupName = Gap | 'proof_required' | 'wrong' | 'overlaps' | 'checking' | 'unchecked'

export interface SetupLine {
  name: SetupName
  section: SectionName
  /** How many fields are wrong; 1 for anything else. */
  count: number
}

export interface SetupFacts {
  /** The sections of the fields that are wrong: one entry for each field. */
  wrong: readonly SectionName[]
  /** The check of the draft's target. */
  target: TargetState
  /** The table would overwrite that of another report. */
  overlaps: boolean
  /** The saved report, whose gaps the server knows; null: a new one, or its target is another one by now. */
  saved: Pick<Report, 'gaps' | 'target_state'> | null
}

/**
 * What keeps the report from running, in the order of the sections: the one list that the card, the marks of
 * the sections and the save bar show. Empty when the report can run.
 */
export function setupOf(draft: Draft, facts: SetupFacts): SetupLine[] {
  const gaps = gapsOf(draft, facts)
  const wrong = Map.groupBy(facts.wrong, section => section)
  const lines: SetupLine[] = [
    ...[...wrong].map(([section, { length }]) => ({ name: 'wrong' as const, section, count: length })),
    ...gaps.map(name => ({ name, section: sectionOf[name], count: 1 })),
    ...(facts.overlaps ? [{ name: 'overlaps' as const, section: 'spreadsheet' as const, count: 1 }] : []),
  ]
  return sectionNames.flatMap(section => lines.filter(line => line.section === section))
}

/** bad: an error; gap: something is missing; pending: it is not known yet. */
export const toneOf = ({ name }: SetupLine): 'bad' | 'gap' | 'pending' =>
  name === 'wrong' ? 'bad' : name === 'checking' ? 'pending' : 'gap'

/** The worst of a section; null: it needs nothing, or it is being checked. */
export function markOf(setup: readonly SetupLine[], section: SectionName): 'bad' | 'gap' | null {
  const tones = setup.filter(line => line.section === section).map(toneOf)
  return tones.includes('bad') ? 'bad' : tones.includes('gap') ? 'gap' : null
}

type GapName = Exclude<SetupName, 'wrong' | 'overlaps'>

function gapsOf({ channels, start_cell, sheet_name }: Draft, facts: SetupFacts): GapName[] {
  const unset =
    channels.length === 0 || channels.some(block => !block.accounts.length || !block.metrics.length)
  return [
    ...(unset ? ['channels_not_set' as const] : []),
    ...permissionGap(facts),
    ...(sheet_name === '' ? ['page_not_set' as const] : []),
    ...(parseStartCell(start_cell) === 'start_cell_not_set' ? ['start_cell_not_set' as const] : []),
  ]
}

/** Which of the outcomes of the check keeps the report from running; the server stores the last one. */
function permissionGap({ target, saved }: SetupFacts): GapName[] {
  if (target === 'checking') return ['checking']
  if (target === 'unreachable') return saved && saved.gaps.every(isNoPermission) ? [] : ['unchecked']
  if (target === 'proof_required') return ['proof_required']
  if (target !== 'ok') return ['permission_not_set']
  if (!saved?.gaps.includes('permission_not_set')) return []
  return [gapNameOf('permission_not_set', saved)]
}

const isNoPermission = (gap: Gap) => gap !== 'permission_not_set'

const sectionOf = {
  channels_not_set: 'channels',
  permission_not_set: 'spreadsheet',
  proof_required: 'spreadsheet',
  page_not_set: 'spreadsheet',
  start_cell_not_set: 'spreadsheet',
  checking: 'spreadsheet',
  unchecked: 'spreadsheet',
} as const satisfies Record<GapName, SectionName>
