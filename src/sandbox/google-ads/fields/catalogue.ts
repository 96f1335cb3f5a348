import { type Attribute, ATTRIBUTES, resourceOf } from './attributes.ts'
import { ATTRIBUTED, type Category, type DataType, type Resource, RESOURCES } from './field.ts'
import { METRIC_FIELDS, type MetricField } from './metrics.ts'
import { type Segment, SEGMENTS } from './segments.ts'

export interface Field {
  name: string
  category: Category
  type: DataType
  values: readonly string[]
  repeated: boolean
}

const fieldOf = (category: Category, name: string, about: Attribute | Segment | MetricField): Field => ({
  name,
  category,
  type: about.type,
  values: 'values' in about ? (about.values ?? []) : [],
  repeated: 'repeated' in about,
})

const ALL: ReadonlyMap<string, Field> = new Map(
  [
    ...[...ATTRIBUTES].map(([name, about]) => fieldOf('ATTRIBUTE', name, about)),
    ...[...SEGMENTS].map(([name, about]) => fieldOf('SEGMENT', name, about)),
    ...[...METRIC_FIELDS].map(([name, about]) => fieldOf('METRIC', name, about)),
  ].map(field => [field.name, field]),
)

export const findField = (name: string) => ALL.get(name) ?? null
export const allFields = () => [...ALL.values()]
export const isResource = (name: string): name is Resource => RESOURCES.some(resource => resource === name)

const NO_SEGMENTS = new Set<Resource>(['customer_client'])
const HOURLY = new Set<Resource>(['customer', 'campaign', 'ad_group'])

/** Whether a resource in FROM brings that field along. */
export function goesWith(resource: Resource, { name, category }: Field): boolean {
  if (category === 'ATTRIBUTE') return ATTRIBUTED[resource].includes(resourceOf(name))
  if (NO_SEGMENTS.has(resource)) return false
  if (category === 'SEGMENT') return name !== 'segments.hour' || HOURLY.has(resource)
  const only = METRIC_FIELDS.get(name)?.only
  return !only || only.includes(resource)
}

/** Whether a segment and a metric may be in one query. */
export function standTogether(segment: string, metric: string): boolean {
  const [kind, about] = [SEGMENTS.get(segment)?.kind, METRIC_FIELDS.get(metric)]
  if (!about) return false
  if (kind === 'action') return about.per_action
  if (segment === 'segments.hour') return !about.not_hourly && about.days === null
  return segment !== 'segments.device' || about.days === null
}
