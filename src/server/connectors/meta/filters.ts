import { filterFields, type Filter } from '#shared/channels/catalogue.ts'
import { longestPart } from '#server/connectors/kit/plain-part.ts'
import { everyStatus, fieldOf, levels, type Level } from './fields.ts'

interface Condition {
  field: string
  operator: 'CONTAIN' | 'IN'
  value: string | readonly string[]
}

/** The filters that Meta can apply without losing a row that ours would keep. */
export function filteringOf(filters: Filter[], level: Level): Condition[] {
  const names = filters.flatMap(filter => nameCondition(filter, level) ?? [])
  if (names.length === 0 || level === 'account') return []
  return [...names, { field: `${level}.effective_status`, operator: 'IN', value: everyStatus[level] }]
}

function nameCondition({ field, rule, values }: Filter, level: Level): Condition | null {
  const { of } = filterFields[field]
  const [value, ...others] = values
  if (of === 'account' || rule === 'NOT_CONTAINS') return null
  // Conditions are ANDed, values are ORed: only a single value can be sent.
  if (value === undefined || others.length > 0) return null
  const entity = fieldOf(of)
  if ('breakdown' in entity) return null
  if (levels.indexOf(entity.level) > levels.indexOf(level)) return null
  const part = longestPart(value, PLAIN)
  return part === '' ? null : { field: `${entity.filter}.name`, operator: 'CONTAIN', value: part }
}

/**
 * How Meta's CONTAIN treats case, width and composed letters (ｶﾞ, ガ) is not documented, and ours ignores case
 * alone; Han, digits and punctuation have neither. Of a text without such a part Meta is sent nothing.
 */
const PLAIN = /[[\p{Script=Han}\p{Nd}\p{P} ]--\\]+/gv
