import { isoOf } from '#sandbox/dataset/calendar.ts'
import type { Ad, Objective } from '#sandbox/dataset/campaigns.ts'
import { withParents } from '#sandbox/dataset/metrics.ts'
import { peopleOf } from '#sandbox/dataset/people.ts'
import type { Part } from '#sandbox/dataset/split.ts'
import { type Adder, adderOf, type Totals } from '#sandbox/dataset/totals.ts'
import type { Dataset } from '#sandbox/dataset/dataset.ts'
import { actionsOf } from './actions.ts'
import { countsPeople, FIELDS, type RowFacts } from './fields.ts'
import type { Entity, Query } from './query.ts'

export type Row = Record<string, unknown>
export interface NumberedRow {
  index: number
  row: Row
}

/**
 * The rows of a request, each at a fixed index (entity by entity, slice by slice, part by part; indexes
 * without delivery are skipped), from one index up to another (not included), forwards or backwards. Nothing
 * is computed before it is taken.
 */
export function* rowsOf(
  query: Query,
  dataset: Dataset,
  { from, end, back }: { from: number; end: number; back: boolean },
): Generator<NumberedRow> {
  const parts = query.parts?.length ?? 1
  const perEntity = query.slices.length * parts
  const maker = rowMaker(query, dataset)
  const hidden = query.filters.row_fields.filter(name => !query.fields.includes(name))
  let current = -1
  let rowsAt: ((slice: number) => (Row | null)[]) | null = null
  let sliceAt = -1
  let rows: (Row | null)[] = []
  for (let index = from; back ? index > end : index < end; index += back ? -1 : 1) {
    const entity = Math.floor(index / perEntity)
    const slice = Math.floor((index % perEntity) / parts)
    if (entity !== current || rowsAt === null) {
      const about = query.entities[entity]
      if (!about) return
      rowsAt = maker(about)
      current = entity
      sliceAt = -1
    }
    if (slice !== sliceAt) {
      rows = rowsAt(slice)
      sliceAt = slice
    }
    const row = rows[index % parts]
    if (!row || !query.filters.keepsRow(row)) continue
    for (const name of hidden) delete row[name]
    yield { index, row }
  }
}

/** How many indexes a request has. */
export const indexesOf = (query: Query) =>
  query.entities.length * query.slices.length * (query.parts?.length ?? 1)

/** How many rows there can be, and how many ad-days must be added up for them. */
export function sizeOf(query: Query, dataset: Dataset): { rows: number; ad_days: number } {
  const { today } = dataset.moment(query.account)
  const parts = query.parts?.length ?? 1
  let rows = 0
  let ad_days = 0
  for (const { ads } of query.entities) {
    const first = Math.min(...ads.map(ad => ad.start))
    const last = Math.min(today, Math.max(...ads.map(ad => ad.end ?? today)))
    for (const slice of query.slices) if (slice.first <= last && slice.last >= first) rows += parts
    for (const ad of ads) {
      for (const slice of query.slices) {
        const days = Math.min(slice.last, ad.end ?? today, today) - Math.max(slice.first, ad.start) + 1
        if (days > 0) ad_days += days
      }
    }
  }
  return { rows, ad_days }
}

/** Makes the rows of one entity, slice by slice. */
function rowMaker(query: Query, dataset: Dataset) {
  const visible = [...new Set([...query.fields, ...query.filters.row_fields])]
  const slots = withParents(visible.flatMap(name => FIELDS[name]?.needs ?? []))
  const fields = visible.flatMap(name => {
    const field = FIELDS[name]
    return field ? [{ name, field }] : []
  })
  const people = visible.some(countsPeople)
  const totalsQuery = {
    account: query.account,
    moment: dataset.moment(query.account),
    slots,
    without_people: !people,
    ...(query.parts && { parts: query.parts }),
  }
  const byResult = visible.includes('results') || visible.includes('cost_per_result')
  const population = dataset.population(query.account)
  const dates = query.slices.map(({ first, last }) => ({ date_start: isoOf(first), date_stop: isoOf(last) }))
  const actions = actionsOf(query.account)
  const action_keys = actionKeys(query.action_breakdowns)

  return (entity: Entity) => {
    const adder = adderOf(totalsQuery, entity.ads)
    const objectives = byResult ? addersByObjective(entity.ads, ads => adderOf(totalsQuery, ads)) : []
    return (sliceIndex: number): (Row | null)[] => {
      const slice = query.slices[sliceIndex]
      const days = dates[sliceIndex]
      if (!slice || !days) return []
      const results = objectives.map(([objective, add]) => [objective, add(slice)] as const)
      return adder(slice).map((totals, part) => {
        if (!totals) return null
        const facts: RowFacts = {
          account: query.account,
          entity: entity.keys,
          level: query.level,
          counts: totals.counts,
          people: people && !query.no_people ? peopleOf(totals.contacts, population) : NOBODY,
          by_objective: new Map(results.flatMap(([objective, sums]) => countsOf(objective, sums[part]))),
          actions,
          windows: query.windows,
          action_keys,
          on_meta_only: query.on_meta_only,
        }
        return rowOf(facts, { query, fields, dates: days, part: query.parts?.[part] ?? null })
      })
    }
  }
}

const NOBODY = { reach: 0, unique_clicks: 0, unique_link_clicks: 0 }

interface Frame {
  query: Query
  fields: { name: string; field: { show(facts: RowFacts): unknown } }[]
  dates: { date_start: string; date_stop: string }
  part: Part | null
}

function rowOf(facts: RowFacts, { query, fields, dates, part }: Frame): Row {
  const row: Row = {}
  for (const { name, field } of fields) {
    const value = field.show(facts)
    if (value !== undefined) row[name] = value
    else if (query.no_people && countsPeople(name)) row[name] = '0'
  }
  row['date_start'] = dates.date_start
  row['date_stop'] = dates.date_stop
  return part ? Object.assign(row, part.keys) : row
}

const countsOf = (objective: Objective, totals: Totals | null | undefined): [Objective, Float64Array][] =>
  totals ? [[objective, totals.counts]] : []

function addersByObjective(ads: readonly Ad[], make: (ads: readonly Ad[]) => Adder): [Objective, Adder][] {
  const groups = Map.groupBy(ads, ad => ad.ad_set.campaign.objective)
  return [...groups].map(([objective, group]) => [objective, make(group)])
}

const actionKeys = (actionBreakdowns: string[]): Record<string, string> => ({
  ...(actionBreakdowns.includes('action_destination') && { action_destination: 'Unclassified' }),
  ...(actionBreakdowns.includes('action_target_id') && { action_target_id: '0' }),
  ...(actionBreakdowns.includes('action_device') && { action_device: 'other' }),
  ...(actionBreakdowns.includes('action_reaction') && { action_reaction: 'like' }),
})
