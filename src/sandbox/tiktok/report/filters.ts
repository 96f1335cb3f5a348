import {
  type Entity,
  hasStatus,
  idOf,
  type Kind,
  STATUSES,
  type StatusFilter,
} from '#sandbox/tiktok/entities.ts'
import { invalid, notOneOf, TikTokError } from '#sandbox/tiktok/errors.ts'
import { isRecord } from '#sandbox/record.ts'
import { parsed, textsOf } from '#sandbox/tiktok/parameters.ts'
import { type Level, LEVELS } from './attributes.ts'

const TYPES = [
  'IN',
  'NOT_IN',
  'CONTAIN_ANY_OF',
  'MATCH',
  'GREATER_EQUAL',
  'GREATER_THAN',
  'LOWER_EQUAL',
  'LOWER_THAN',
  'BETWEEN',
]
/** Their value is a text that holds a JSON array. */
const LISTS = ['IN', 'NOT_IN', 'CONTAIN_ANY_OF', 'BETWEEN']
const IDS: Record<string, Kind> = {
  campaign_ids: 'campaign',
  adgroup_ids: 'adgroup',
  ad_ids: 'ad',
  ad_ids_v2: 'ad',
}
const STATUS_FIELDS: Record<string, Kind> = {
  campaign_status: 'campaign',
  adgroup_status: 'adgroup',
  ad_status: 'ad',
}
const MOST_IDS = 100

export type EntityTest = (entity: Entity) => boolean

/**
 * Reads the filters of a report. Synchronous ones leave deleted entities of the level out, unless its status
 * is requested; tasks know filters by id only and include all.
 */
export function readFilters(
  filtering: unknown,
  { level, synchronous }: { level: Level; synchronous: boolean },
): EntityTest {
  if (filtering !== null && !Array.isArray(filtering)) throw invalid('filtering: Not a valid list.')
  const filters = (filtering ?? []).map((filter: unknown, index: number) => readOne(filter, index))
  const known = [
    ...Object.keys(IDS).filter(name => name !== 'ad_ids_v2' || synchronous),
    ...(synchronous ? [...Object.keys(STATUS_FIELDS), 'buying_type', 'campaign_automation_type'] : []),
  ]
  const unknown = filters.map(filter => filter.field_name).filter(name => !known.includes(name))
  if (unknown.length > 0) throw notOneOf('filtering.field_name', unknown, known)
  const tests = filters.map(filter => testOf(filter, level))
  const filtersByStatus = filters.some(filter => STATUS_FIELDS[filter.field_name] === level)
  return entity =>
    tests.every(test => test(entity)) &&
    (filtersByStatus || !synchronous || hasStatus(entity.status, 'STATUS_NOT_DELETE'))
}

interface Filter {
  field_name: string
  filter_type: string
  values: string[]
}

function readOne(filter: unknown, index: number): Filter {
  const at = `filtering.${index}`
  if (!isRecord(filter)) throw invalid(`${at}: Not a valid object.`)
  const { field_name, filter_type, filter_value, ...others } = filter
  const unknown = Object.keys(others)[0]
  if (unknown !== undefined) throw invalid(`${at}.${unknown}: Unknown field.`)
  if (typeof field_name !== 'string') throw invalid(`${at}.field_name: Missing data for required field.`)
  if (typeof filter_type !== 'string') throw invalid(`${at}.filter_type: Missing data for required field.`)
  if (!TYPES.includes(filter_type)) throw notOneOf(`${at}.filter_type`, [filter_type], TYPES)
  if (typeof filter_value !== 'string') throw invalid(`${at}.filter_value: Not a valid string.`)
  const values = LISTS.includes(filter_type)
    ? textsOf(`${at}.filter_value`, parsed(filter_value))
    : [filter_value]
  if (values.length === 0) throw invalid(`${at}.filter_value: Shorter than minimum length 1.`)
  return { field_name, filter_type, values }
}

function testOf({ field_name, filter_type, values }: Filter, level: Level): EntityTest {
  if (filter_type !== 'IN') {
    throw invalid(
      `filtering: filter_type ${filter_type} is not supported for ${field_name}, correct is ['IN']`,
    )
  }
  const id_of = IDS[field_name]
  if (id_of) {
    refuseDeeper(field_name, id_of, level)
    if (values.length > MOST_IDS) {
      throw new TikTokError(40011, `filtering.${field_name}: Longer than maximum length ${MOST_IDS}.`)
    }
    const among = new Set(values)
    return entity => among.has(idOf(entity, id_of) ?? '')
  }
  const status_of = STATUS_FIELDS[field_name]
  if (status_of) return statusTest(values, { field_name, status_of, level })
  const own = field_name === 'buying_type' ? 'AUCTION' : 'MANUAL'
  return () => values.includes(own)
}

function statusTest(
  values: string[],
  { field_name, status_of, level }: { field_name: string; status_of: Kind; level: Level },
): EntityTest {
  if (status_of !== level) {
    throw invalid(`filtering.field_name: ${field_name} is not supported at this data_level.`)
  }
  const statuses = values.map((value): StatusFilter => {
    const status = STATUSES.find(each => each === value)
    if (!status) throw notOneOf(`filtering.${field_name}`, [value], STATUSES)
    return status
  })
  return entity => statuses.some(status => hasStatus(entity.status, status))
}

function refuseDeeper(name: string, kind: Kind, level: Level): void {
  if (LEVELS.indexOf(kind) > LEVELS.indexOf(level)) {
    throw invalid(`filtering.field_name: ${name} is not supported at this data_level.`)
  }
}
