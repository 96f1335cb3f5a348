import type { Metric, PlatformDimension } from '#shared/channels/catalogue.ts'
import { gaMetrics } from '#shared/channels/ga-metrics.ts'
import { PlatformFailure, type Page, type ReportRequest } from '#server/connectors/connector.ts'
import { slicesOf, type Slice } from '#server/connectors/kit/slices.ts'
import { textColumn } from '#server/connectors/text-column.ts'
import type { FetchedMetric } from './fields.ts'
import type { NoteOnce } from './notes.ts'
import { knownMetrics, positionsOf } from './query.ts'

/** What was exported from views before the shutdown of Universal Analytics. */
export interface ArchiveReader {
  has(view: string): Promise<boolean>
  /**
   * Every archived day of a view within a range: several for one day where the view was exported by different
   * dimensions.
   */
  daysOf(view: string, range: Slice): Promise<ArchivedDay[]>
  /**
   * Rows of those days, added up by slice and dimensions; figures are counts, seconds and millionths of
   * money.
   */
  sumsOf(spec: SumsQuery): Promise<SummedRow[]>
}

export interface ArchivedDay {
  id: number
  day: string
  dimensions: PlatformDimension[]
  metrics: string[]
  rows: number
}

export interface SumsQuery {
  days: number[]
  /** First days of the slices, in order. */
  starts: string[]
  dimensions: readonly PlatformDimension[]
  metrics: readonly string[]
}

export interface SummedRow {
  start: string
  keys: string[]
  figures: number[]
}

/**
 * The rows of a view from its archive. Throws combination_not_allowed for what was never archived, or cannot
 * be added up.
 */
export async function* archivedRows(
  request: ReportRequest,
  days: readonly ArchivedDay[],
  { archive, note }: { archive: ArchiveReader; note: NoteOnce },
): AsyncGenerator<Page> {
  const slices = slicesOf(request.range, request.time)
  const spec = { dimensions: archivedAs(request.dimensions), metrics: knownMetrics(request), slices }
  const chosen = chosenDays(days, spec)
  note('from_archive')
  const of = slicesOf(request.range, 'date').length
  if (chosen.length < of) note('partly_archived', { days: chosen.length, of })
  const positions = request.dimensions.map(dimension => positionsOf(dimension, spec.dimensions))
  for (const { part, ids } of portions(slices, chosen)) {
    const { dimensions, metrics } = spec
    const starts = part.map(({ start }) => start)
    const rows = await archive.sumsOf({ days: ids, starts, dimensions, metrics })
    if (rows.length > 0) yield pageOf(rows, { positions, metrics: request.metrics })
  }
  const still = new Set(
    (await archive.daysOf(request.account.external_id, request.range)).map(({ id }) => id),
  )
  if (!chosen.every(({ id }) => still.has(id)))
    throw new PlatformFailure('platform_unavailable', {
      platform_message: 'the archive was replaced meanwhile',
    })
}

interface ColumnSpec {
  dimensions: PlatformDimension[]
  metrics: FetchedMetric[]
  slices: Slice[]
}

/** Source and medium together are archived as the two that they are. */
export const archivedAs = (dimensions: readonly PlatformDimension[]): PlatformDimension[] => [
  ...new Set(
    dimensions.flatMap(each => (each === 'source_medium' ? (['source', 'medium'] as const) : [each])),
  ),
]

/** For each day the coarsest export that has what is requested; of several as coarse the newest. */
function chosenDays(days: readonly ArchivedDay[], spec: ColumnSpec): ArchivedDay[] {
  const best = new Map<string, ArchivedDay>()
  for (const each of days) {
    const known = best.get(each.day)
    if (whyNotIn(each, spec) === null && (!known || isBetter(each, known))) best.set(each.day, each)
  }
  if (best.size > 0) return [...best.values()]
  const reasons = new Set(days.map(day => whyNotIn(day, spec)))
  throw new PlatformFailure('combination_not_allowed', {
    platform_message: `archive: ${[...reasons].join('; ')}`,
  })
}

const isBetter = (one: ArchivedDay, other: ArchivedDay) =>
  one.dimensions.length < other.dimensions.length ||
  (one.dimensions.length === other.dimensions.length && one.id > other.id)

/** Why an export does not have what is requested; null when it has. */
function whyNotIn(day: ArchivedDay, { dimensions, metrics, slices }: ColumnSpec): string | null {
  const by = day.dimensions.length > 0 ? day.dimensions.join(', ') : 'nothing'
  const lacking = [
    ...dimensions.filter(each => !day.dimensions.includes(each)),
    ...metrics.filter(each => !day.metrics.includes(each)),
  ]
  if (lacking.length > 0) return `the export by ${by} has no ${lacking.join(', ')}`
  const single = metrics.find(metric => gaMetrics[metric].kind !== 'additive')
  if (single !== undefined && day.dimensions.length > dimensions.length)
    return `${single} of the export by ${by} cannot be added up`
  if (single !== undefined && slices.some(({ start, end }) => start < end))
    return `${single} is archived by day and cannot be added up`
  const torn = metrics.find(metric => isTorn(metric, day.dimensions))
  return torn === undefined ? null : `${torn} of the export by ${by} belongs to single events`
}

/** Beside events, sessions and the like are other numbers than without them. */
function isTorn(metric: FetchedMetric, dimensions: readonly PlatformDimension[]): boolean {
  const { not_with = [] }: Metric = gaMetrics[metric]
  return dimensions.some(dimension => not_with.includes(dimension))
}

/** So many archived rows are added up at once, unless a single slice has more. */
const PORTION_ROWS = 50_000

function* portions(slices: readonly Slice[], days: readonly ArchivedDay[]) {
  let part: Slice[] = []
  let ids: number[] = []
  let rows = 0
  const byDay = new Map(days.map(day => [day.day, day]))
  for (const slice of slices) {
    const own = slicesOf(slice, 'date').flatMap(({ start }) => byDay.get(start) ?? [])
    part.push(slice)
    ids.push(...own.map(({ id }) => id))
    rows += own.reduce((sum, day) => sum + day.rows, 0)
    if (rows < PORTION_ROWS) continue
    yield { part, ids }
    part = []
    ids = []
    rows = 0
  }
  if (ids.length > 0) yield { part, ids }
}

function pageOf(
  rows: SummedRow[],
  { positions, metrics }: { positions: (readonly number[])[]; metrics: readonly string[] },
): Page {
  return {
    length: rows.length,
    dates: textColumn(rows.map(({ start }) => start)),
    dimensions: positions.map(of => ({
      keys: textColumn(rows.map(({ keys }) => of.map(position => keys[position]).join(' / '))),
    })),
    metrics: metrics.map((_, at) => Float64Array.from(rows, ({ figures }) => figures[at] ?? Number.NaN)),
  }
}
