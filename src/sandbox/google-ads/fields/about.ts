import { AdsError, queryError } from '#sandbox/google-ads/errors.ts'
import { checkCondition, testOf } from '#sandbox/google-ads/gaql/conditions.ts'
import { parseQuery } from '#sandbox/google-ads/gaql/parse.ts'
import { allFields, type Field, goesWith, standTogether } from './catalogue.ts'
import { ATTRIBUTED, camelCase, type DataType, RESOURCES } from './field.ts'

type About = Record<string, unknown>

/** POST /googleAdsFields:search: the catalogue under a query without FROM. */
export function searchFields(text: unknown): About[] {
  if (typeof text !== 'string' || text === '') {
    throw new AdsError('fieldError', 'REQUIRED', 'The required field was not present.', { field: 'query' })
  }
  const { select, from, where, order, limit } = parseQuery(text)
  if (from !== null)
    throw queryError('UNEXPECTED_FROM_CLAUSE', 'A query of fields must not have a FROM clause.')
  const columns = select.map(columnOf)
  const sorting = order.map(({ field, descending }) => ({
    name: columnOf(field).name,
    sign: descending ? -1 : 1,
  }))
  const tests = where.map(condition => {
    const column = columnOf(condition.field)
    checkCondition(condition, column)
    return { name: column.name, test: testOf(condition, column) }
  })
  return ABOUT()
    .filter(about => tests.every(({ name, test }) => test(about[name])))
    .toSorted((left, right) => {
      const by = sorting.find(({ name }) => left[name] !== right[name])
      return by ? by.sign * (String(left[by.name]) < String(right[by.name]) ? -1 : 1) : 0
    })
    .slice(0, limit ?? Infinity)
    .map(about =>
      messageOf(
        about,
        columns.map(({ name }) => name),
      ),
    )
}

/** GET /googleAdsFields/{name} */
export function oneField(name: string): About {
  const about = ABOUT().find(each => each['name'] === name)
  if (about) return messageOf(about, Object.keys(COLUMNS))
  throw new AdsError('requestError', 'BAD_RESOURCE_ID', `'${name}' part of the resource name is invalid.`)
}

const COLUMNS: Record<string, { type: DataType; repeated?: true }> = {
  name: { type: 'STRING' },
  category: { type: 'ENUM' },
  data_type: { type: 'ENUM' },
  selectable: { type: 'BOOLEAN' },
  filterable: { type: 'BOOLEAN' },
  sortable: { type: 'BOOLEAN' },
  is_repeated: { type: 'BOOLEAN' },
  selectable_with: { type: 'STRING', repeated: true },
  attribute_resources: { type: 'STRING', repeated: true },
  metrics: { type: 'STRING', repeated: true },
  segments: { type: 'STRING', repeated: true },
  enum_values: { type: 'STRING', repeated: true },
}
const CONSTANTS = [
  'RESOURCE',
  'ATTRIBUTE',
  'SEGMENT',
  'METRIC',
  'INT64',
  'INT32',
  'DOUBLE',
  'STRING',
  'ENUM',
  'DATE',
  'BOOLEAN',
  'RESOURCE_NAME',
  'MESSAGE',
]

function columnOf(name: string): Field {
  const column = COLUMNS[name]
  if (!column) throw queryError('UNRECOGNIZED_FIELD', `Unrecognized field in the query: '${name}'.`)
  const { type, repeated = false } = column
  return { name, category: 'ATTRIBUTE', type, values: type === 'ENUM' ? CONSTANTS : [], repeated }
}

/** Lists that are empty are left out. */
const messageOf = (about: About, columns: string[]): About => ({
  resourceName: `googleAdsFields/${String(about['name'])}`,
  ...Object.fromEntries(
    columns.filter(name => about[name] !== undefined).map(name => [camelCase(name), about[name]]),
  ),
})

const ABOUT = (): About[] => [...RESOURCES.map(aboutResource), ...allFields().map(aboutField)]

const list = (names: string[]) => (names.length > 0 ? names : undefined)

function aboutResource(resource: (typeof RESOURCES)[number]): About {
  const along = allFields().filter(field => goesWith(resource, field))
  const names = (category: Field['category']) =>
    along.filter(field => field.category === category).map(({ name }) => name)
  return {
    name: resource,
    category: 'RESOURCE',
    data_type: 'MESSAGE',
    selectable: false,
    filterable: false,
    sortable: false,
    is_repeated: false,
    attribute_resources: list(ATTRIBUTED[resource].slice(1)),
    metrics: list(names('METRIC')),
    segments: list(names('SEGMENT')),
  }
}

function aboutField(field: Field): About {
  const withIt = allFields().filter(other => other.category !== 'ATTRIBUTE' && goTogether(field, other))
  const resources = RESOURCES.filter(resource => goesWith(resource, field))
  return {
    name: field.name,
    category: field.category,
    data_type: field.type,
    selectable: true,
    filterable: field.type !== 'MESSAGE',
    sortable: !field.repeated,
    is_repeated: field.repeated,
    selectable_with: list([...resources, ...withIt.map(({ name }) => name)]),
    enum_values: list([...field.values]),
  }
}

/** Whether some resource has both, and they can be combined. */
function goTogether(field: Field, other: Field): boolean {
  if (field === other || !RESOURCES.some(each => goesWith(each, field) && goesWith(each, other))) return false
  if (field.category === 'SEGMENT' && other.category === 'METRIC')
    return standTogether(field.name, other.name)
  if (field.category === 'METRIC' && other.category === 'SEGMENT')
    return standTogether(other.name, field.name)
  return true
}
