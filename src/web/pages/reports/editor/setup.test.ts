import { describe, expect, it } from 'vitest'
import type { Gap } from '#shared/api/reports.ts'
import type { TargetState } from '#web/pages/reports/target/target-state.ts'
import { newDraft, type Draft, type DraftBlock } from './draft.ts'
import { markOf, sectionNames, setupOf, toneOf, type SectionName, type SetupFacts } from './setup.ts'

const block: DraftBlock = {
  channel: 'fb',
  label: null,
  accounts: [1],
  metrics: ['clicks'],
  filters: [],
  on_error: 'leave_empty',
}
const blank = newDraft({ name: 'Daily', language: 'en', timezone: 'Asia/Taipei' })
const whole: Draft = { ...blank, channels: [block], spreadsheet_url: 'https://x', sheet_name: 'Data' }

const states: TargetState[] = [
  'none',
  'checking',
  'ok',
  'not_a_spreadsheet',
  'not_shared',
  'not_editor',
  'proof_required',
  'sheet_name_mismatch',
  'sheet_name_colon',
  'unreachable',
]
const drafts = [
  { draft: whole, lacks: [] },
  { draft: { ...whole, channels: [] }, lacks: ['channels_not_set'] },
  { draft: { ...whole, channels: [{ ...block, accounts: [] }] }, lacks: ['channels_not_set'] },
  { draft: { ...whole, channels: [block, { ...block, metrics: [] }] }, lacks: ['channels_not_set'] },
  { draft: { ...whole, sheet_name: '' }, lacks: ['page_not_set'] },
  { draft: { ...whole, start_cell: ' ' }, lacks: ['start_cell_not_set'] },
  {
    draft: { ...whole, channels: [], sheet_name: '', start_cell: '' },
    lacks: ['channels_not_set', 'page_not_set', 'start_cell_not_set'],
  },
]
const saves: SetupFacts['saved'][] = [
  null,
  { gaps: [], target_state: 'ok' },
  { gaps: ['permission_not_set'], target_state: 'not_shared' },
  { gaps: ['permission_not_set'], target_state: 'proof_required' },
  { gaps: ['page_not_set', 'channels_not_set'], target_state: 'ok' },
]
const mistakes: SectionName[][] = [[], ['name'], ['spreadsheet', 'channels', 'channels']]

const all = drafts.flatMap(({ draft, lacks }) =>
  states.flatMap(target =>
    saves.flatMap(saved =>
      mistakes.flatMap(wrong =>
        [true, false].map(overlaps => ({
          draft,
          lacks,
          facts: { target, saved, wrong, overlaps },
        })),
      ),
    ),
  ),
)

describe('the setup of a report, in every combination of draft, errors and check', () => {
  it('is complete only when nothing is wrong, missing, unchecked or in the way', () => {
    for (const { draft, lacks, facts } of all) {
      const { target, saved, wrong, overlaps } = facts
      const refused = saved?.gaps.includes('permission_not_set') ?? false
      const permitted =
        (target === 'ok' && !refused) || (target === 'unreachable' && saved !== null && !refused)
      const complete = lacks.length === 0 && permitted && wrong.length === 0 && !overlaps
      expect(setupOf(draft, facts).length === 0, JSON.stringify({ draft, facts })).toBe(complete)
    }
  })

  it('names each gap once, in the words of the list, and each section that has errors with their number', () => {
    for (const { draft, lacks, facts } of all) {
      const lines = setupOf(draft, facts)
      const names = lines.map(({ name }) => name)
      expect(names).toEqual(expect.arrayContaining(lacks))
      for (const section of new Set(facts.wrong))
        expect(lines).toContainEqual({
          name: 'wrong',
          section,
          count: facts.wrong.filter(other => other === section).length,
        })
      expect(new Set(lines.map(({ name, section }) => `${name} ${section}`)).size).toBe(lines.length)
    }
  })

  it('asks for permission whenever the check has not passed, and for proof where that is what is missing', () => {
    const permission = (target: TargetState) => setupOf(whole, factsOf({ target })).map(({ name }) => name)
    const expected: Record<TargetState, string[]> = {
      none: ['permission_not_set'],
      checking: ['checking'],
      ok: [],
      not_a_spreadsheet: ['permission_not_set'],
      not_shared: ['permission_not_set'],
      not_editor: ['permission_not_set'],
      proof_required: ['proof_required'],
      sheet_name_mismatch: ['permission_not_set'],
      sheet_name_colon: ['permission_not_set'],
      unreachable: ['unchecked'],
    }
    for (const target of states) expect(permission(target), target).toEqual(expected[target])
  })

  it('believes the server where the owner lacks what the editor of the report has', () => {
    const saved = { gaps: ['permission_not_set'] satisfies Gap[], target_state: 'owner_lacks_spreadsheet' }
    expect(setupOf(whole, factsOf({ saved })).map(({ name }) => name)).toEqual(['permission_not_set'])
  })

  it('is in the order of the sections, each of which is marked by the worst of its lines', () => {
    for (const { draft, facts } of all) {
      const lines = setupOf(draft, facts)
      const at = lines.map(({ section }) => sectionNames.indexOf(section))
      expect(at).toEqual(at.toSorted((a, b) => a - b))
      for (const section of sectionNames) {
        const tones = lines.filter(line => line.section === section).map(toneOf)
        expect(markOf(lines, section)).toBe(
          tones.includes('bad') ? 'bad' : tones.includes('gap') ? 'gap' : null,
        )
      }
    }
  })
})

const factsOf = (more: Partial<SetupFacts>): SetupFacts => ({
  wrong: [],
  target: 'ok',
  overlaps: false,
  saved: null,
  ...more,
})
