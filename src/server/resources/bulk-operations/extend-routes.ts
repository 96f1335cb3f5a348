import { randomUUID } from 'node:crypto'
import { ExtendOutcome, ExtendReports } from '#shared/api/bulk-operations.ts'
import type { DateRange } from '#shared/api/reports.ts'
import { dateRangeOf, todayIn } from '#shared/date-range.ts'
import { laterEnd } from '#shared/schedule-end.ts'
import { refuse } from '#server/http/refusal.ts'
import { route } from '#server/http/route.ts'
import { writeAudit } from '#server/resources/audit/queries.ts'
import { changeReport, checkChange } from '#server/resources/reports/save.ts'
import { eachReport } from './each-report.ts'
import { BULK } from './paths.ts'
import { insertOperation, type Change } from './queries.ts'

export const extend = route('POST', `${BULK}extend/`, {
  summary: 'Extend the fixed date ranges of reports, or make them dynamic.',
  level: 'external_user',
  body: ExtendReports,
  reply: ExtendOutcome,
  async run({ body: { dry_run, reports, by }, user, db, now, effects: { settings } }) {
    const operation = randomUUID()
    const changes: Change[] = []
    const nothing: { date_range: DateRange | null } = { date_range: null }
    const each = { user, dry_run, action: 'change' as const, nothing }
    const results = await eachReport(db, reports, each, async row => {
      const before = dateRangeOf(row)
      const date_range = later(before, by, todayIn(row.timezone, now))
      if (date_range === null) throw refuse('invalid', { fields: { date_range: ['range_not_fixed'] } })
      const saving = { changes: { date_range }, editor: user, settings, now }
      if (dry_run) {
        await checkChange(db, row, saving)
        return { date_range }
      }
      const difference = await changeReport(db, row, { ...saving, folder: row.folder })
      changes.push({ report: row.id, version: row.version + 1, before: { date_range: before } })
      const detail = { name: row.name, ...by, deed: operation, changes: difference }
      const line = { actor: user.id, action: 'report.extend', object: 'report', object_id: row.id }
      await writeAudit(db, { ...line, detail }, now)
      return { date_range }
    })
    const is_done = changes.length > 0
    if (is_done)
      await insertOperation(db, { id: operation, kind: 'extend', actor: user.id }, { changes, now })
    return { dry_run, deed: is_done ? operation : null, results }
  },
})

/** null: it has no end. */
function later(range: DateRange, by: ExtendReports['by'], today: string): DateRange | null {
  const { dynamic_range, end } = range
  if (dynamic_range !== 0 || end === null) return null
  if ('months' in by) return { ...range, end: laterEnd(end, by.months, today) }
  return { start: null, end: null, dynamic_range: by.dynamic_range }
}
