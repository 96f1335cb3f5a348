import { describe, expect, it } from 'vitest'
import { CreateReport, type Block } from './api/reports.ts'
import { ReportSettings } from './api/report-versions.ts'
import { changedParts } from './report-parts.ts'

const block = (more: Partial<Block> = {}): Block => ({
  channel: 'fb',
  label: null,
  accounts: [1],
  metrics: ['cost'],
  filters: [],
  on_error: 'leave_empty',
  ...more,
})
const settings = (more: object = {}) =>
  ReportSettings.parse({
    ...CreateReport.omit({ folder: true }).parse({ name: 'A', timezone: 'UTC', header_language: 'en' }),
    channels: [block(), block({ channel: 'aw' })],
    ...more,
  })

describe('the changed parts of a report', () => {
  const changed = (after: object) => changedParts(settings(), settings(after))

  it('are none between two of the same content, whatever the order of keys', () => {
    const { name, ...others } = settings()
    expect(changedParts(settings(), { ...others, name })).toEqual([])
  })

  it('are told apart within channels, which are found by their kind', () => {
    const [fb, aw] = [block(), block({ channel: 'aw' })]
    expect(changed({ channels: [aw, fb] })).toEqual(['channels_order'])
    expect(changed({ channels: [aw] })).toEqual(['channels_removed'])
    expect(changed({ channels: [fb, aw, fb] })).toEqual(['channels_added'])
    expect(changed({ channels: [block({ accounts: [2], label: 'x' }), aw] })).toEqual(['accounts', 'labels'])
    expect(changed({ channels: [block({ channel: 'tt' }), aw] })).toEqual([
      'channels_added',
      'channels_removed',
    ])
  })

  it('are those of fields that belong together', () => {
    expect(changed({ update_frequency: 3, update_day_of_week: 1, limit: 5 })).toEqual(['sort', 'schedule'])
    expect(changed({ sheet_name: 'B', name: 'B' })).toEqual(['name', 'spreadsheet'])
  })
})
