import { describe, expect, it } from 'vitest'
import { conflictParts, differences, merged, newerReport, preferred } from './conflict.ts'
import { draftFields, newDraft, type Draft } from './draft.ts'

const base: Draft = newDraft({ name: 'Daily', language: 'en', timezone: 'Asia/Taipei' })
const weekly = { update_frequency: 3, update_day_of_week: 5 }

describe('two changes of one report', () => {
  it('are compared in every field, each in one part', () => {
    expect(Object.values(conflictParts).flat().toSorted()).toEqual([...draftFields].toSorted())
  })

  it('say who has changed what', () => {
    const mine = { ...base, name: 'Mine', fill_zero: true }
    const theirs = { ...base, name: 'Theirs', ...weekly }
    expect(differences({ base, mine, theirs })).toEqual([
      { part: 'name', changed_by: 'both' },
      { part: 'fill_zero', changed_by: 'mine' },
      { part: 'schedule', changed_by: 'theirs' },
    ])
  })

  it('do not differ where both have made the same change', () => {
    const same = { ...base, fill_zero: true }
    expect(differences({ base, mine: same, theirs: { ...same } })).toEqual([])
  })

  it('are merged so that nobody loses a change that the other has not touched', () => {
    const mine = { ...base, name: 'Mine', fill_zero: true }
    const theirs = { ...base, name: 'Theirs', ...weekly }
    const chosen = Object.fromEntries(
      differences({ base, mine, theirs }).map(each => [each.part, preferred(each)]),
    )
    expect(merged(mine, theirs, chosen)).toEqual({ ...base, name: 'Mine', fill_zero: true, ...weekly })
  })

  it('never combine the schedule of one with the day of the other', () => {
    const mine = { ...base, update_frequency: 4, update_day_of_month: 31 }
    const theirs = { ...base, ...weekly }
    expect(merged(mine, theirs, { schedule: 'theirs' })).toMatchObject({
      ...weekly,
      update_day_of_month: null,
    })
    expect(merged(mine, theirs, { schedule: 'mine' })).toEqual(mine)
  })
})

describe('the response to a save that came too late', () => {
  it('names who was faster', () => {
    const report = { version: 7 }
    expect(newerReport({ code: 'conflict', body: { report, changed_by: 'Sam Huang' } })).toEqual({
      report,
      changed_by: 'Sam Huang',
    })
    expect(newerReport({ code: 'conflict', body: { report } })?.changed_by).toBeNull()
  })

  it('is no conflict when something else went wrong', () => {
    expect(newerReport({ code: 'forbidden', body: { report: { version: 7 } } })).toBeNull()
    expect(newerReport({ code: 'conflict', body: {} })).toBeNull()
  })
})
