import type { Block } from './api/reports.ts'
import { reportParts, type ReportPart, type ReportSettings } from './api/report-versions.ts'

/** The parts in which two versions of a report differ, in the order of the list above. */
export function changedParts(before: ReportSettings, after: ReportSettings): ReportPart[] {
  const fields = Object.entries(fieldsOfParts).flatMap(([part, names]) =>
    names.some(name => !isSame(before[name], after[name])) ? [part] : [],
  )
  const found = new Set<string>([...fields, ...changedBlocks(before.channels, after.channels)])
  return reportParts.filter(part => found.has(part))
}

/** Fields that only make sense together are one part: a weekly schedule needs its day. */
export const fieldsOfParts = {
  name: ['name'],
  dimensions: ['dimensions'],
  arrangement: ['arrangement'],
  fill_zero: ['fill_zero'],
  format_table: ['format_table'],
  sort: ['sort', 'limit'],
  currency: ['currency'],
  comparison: ['comparison'],
  note: ['note'],
  blends: ['blends'],
  header_language: ['header_language'],
  date_range: ['date_range'],
  schedule: ['update_frequency', 'update_time', 'update_day_of_week', 'update_day_of_month'],
  timezone: ['timezone'],
  spreadsheet: ['spreadsheet_url', 'sheet_name'],
  start_cell: ['start_cell'],
} as const satisfies Partial<Record<ReportPart, readonly (keyof ReportSettings)[]>>

/** A block is compared with the first one of its channel that is not yet compared with another. */
function changedBlocks(before: readonly Block[], after: readonly Block[]): ReportPart[] {
  const left = new Map(before.entries())
  const pairs = after.map(block => {
    for (const [index, other] of left) {
      if (other.channel !== block.channel) continue
      left.delete(index)
      return { block, other, index }
    }
    return null
  })
  const known = pairs.filter(pair => pair !== null)
  const differ = (of: (block: Block) => unknown) =>
    known.some(({ block, other }) => !isSame(of(block), of(other)))
  return [
    ...(known.length < after.length ? ['channels_added' as const] : []),
    ...(left.size > 0 ? ['channels_removed' as const] : []),
    ...(known.some(({ index }, at) => index < (known[at - 1]?.index ?? -1))
      ? ['channels_order' as const]
      : []),
    ...(differ(({ accounts }) => accounts) ? ['accounts' as const] : []),
    ...(differ(({ metrics }) => metrics) ? ['metrics' as const] : []),
    ...(differ(({ filters }) => filters) ? ['filters' as const] : []),
    ...(differ(({ label }) => label) ? ['labels' as const] : []),
    ...(differ(({ on_error }) => on_error) ? ['on_error' as const] : []),
    ...(differ(({ conversion = null }) => conversion) ? ['conversion' as const] : []),
  ]
}

/** Whatever the order of keys: one side may have been stored as JSON. */
const isSame = (one: unknown, other: unknown) => sorted(one) === sorted(other)

const sorted = (value: unknown) =>
  JSON.stringify(value, (_, inner: unknown) =>
    typeof inner === 'object' && inner !== null && !Array.isArray(inner)
      ? Object.fromEntries(Object.entries(inner).toSorted(([a], [b]) => (a < b ? -1 : 1)))
      : inner,
  )
