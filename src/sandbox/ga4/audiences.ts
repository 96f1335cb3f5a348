import { isoOf } from '#sandbox/dataset/calendar.ts'
import { AUDIENCES, type Ga4Audience, type Property } from '#sandbox/dataset/ga4.ts'
import { pageOf } from './admin.ts'
import { invalid, noAccess, notEmulated } from './errors.ts'
import { rangesOf } from './report/dates.ts'
import { type ReportRow, ordered } from './report/order.ts'
import type { RunReport } from './request.ts'

/** GET /v1alpha/properties/{id}/audiences */
export const listAudiences = (property: Property, url: URL): object =>
  pageOf(
    'audiences',
    audiencesOf(property).map(audience => audienceNode(audience, property)),
    url,
  )

/** GET /v1alpha/properties/{id}/audiences/{audience} */
export function oneAudience(property: Property, id: string): object {
  const audience = audiencesOf(property).find(each => each.id === id)
  if (!audience) throw noAccess()
  return audienceNode(audience, property)
}

const audiencesOf = ({ property_id: id }: Property): readonly Ga4Audience[] => AUDIENCES[id] ?? []

const audienceNode = ({ id, name, days }: Ga4Audience, { property_id: property, created }: Property) => ({
  name: `properties/${property}/audiences/${id}`,
  displayName: name,
  description: `${name}.`,
  membershipDurationDays: days,
  adsPersonalizationEnabled: true,
  createTime: `${isoOf(created)}T02:03:04Z`,
})

const valueOf: Record<string, (audience: Ga4Audience) => string> = {
  audienceId: ({ id }) => id,
  audienceName: ({ name }) => name,
}
const METRICS = new Set(['totalUsers', 'activeUsers'])

export const isAboutAudiences = ({ dimensions }: RunReport) =>
  dimensions.some(({ name }) => Object.hasOwn(valueOf, name))

/** The rows of a report about audiences, whose people are no visitors of the dataset. */
export function audienceRows(request: RunReport, property: Property, today: number): ReportRow[] {
  const { dimensions, metrics, dateRanges, dimensionFilter, metricFilter, orderBys, offset } = request
  const other =
    dimensions.find(({ name }) => !Object.hasOwn(valueOf, name)) ??
    metrics.find(({ name }) => !METRICS.has(name))
  if (other) throw notEmulated(`${other.name} with audienceId or audienceName`)
  if (dimensionFilter || metricFilter || dateRanges.length > 1)
    throw notEmulated('filters and several date ranges with audienceId or audienceName')
  if (metrics.length === 0) throw invalid('Requests must have at least one metric.')
  const [range] = rangesOf(request, today)
  const days = range ? Math.min(range.last, today) - range.first + 1 : 0
  const rows = audiencesOf(property)
    .map(audience => ({
      dimensions: dimensions.map(({ name }) => valueOf[name]?.(audience) ?? ''),
      metrics: metrics.map(() => String(usersIn(audience, days))),
    }))
    .filter(({ metrics: [users] }) => users !== '0')
  const names = { dimensions: dimensions.map(({ name }) => name), metrics: metrics.map(({ name }) => name) }
  return ordered(rows, { orders: orderBys, ...names, offset })
}

/** The people of 30 days; of fewer days fewer, of more days more, as people come again. */
const usersIn = ({ users }: Ga4Audience, days: number) =>
  days <= 0 ? 0 : Math.round(users * (days / 30) ** 0.7)
