import { invalid } from './errors.ts'
import type { UserList } from './user-lists.ts'

/** One condition of a list's filter, which are joined by AND: `display_name = "VIP"`. */
interface Condition {
  field: string
  operator: string
  value: string
}

const valueOf: Record<string, (list: UserList) => string> = {
  id: ({ id }) => id,
  displayname: ({ fields }) => fields.displayName ?? '',
  description: ({ fields }) => fields.description ?? '',
  membershipstatus: ({ fields }) => fields.membershipStatus ?? 'OPEN',
  integrationcode: ({ fields }) => fields.integrationCode ?? '',
  accessreason: ({ access }) => access,
  'ingesteduserlistinfo.uploadkeytypes': ({ fields }) =>
    (fields.ingestedUserListInfo?.uploadKeyTypes ?? []).join(' '),
}

const CONDITION =
  /^\s*([\w.]+)\s*(!=|>=|<=|=|>|<|:)\s*(?:"((?:[^"\\]|\\.)*)"|([^\s"]+))\s*(?:AND\s+(?=\S)|$)/s

/** The conditions of a filter; refuses what it does not have, OR and NOT among it. */
export function readFilter(filter: string): Condition[] {
  const conditions: Condition[] = []
  for (let rest = filter; rest.trim() !== '';) {
    const [whole = '', name = '', operator = '', quoted, bare = ''] = CONDITION.exec(rest) ?? []
    const field = name.replaceAll('_', '').toLowerCase()
    if (whole === '' || !Object.hasOwn(valueOf, field))
      throw invalid([{ field: 'filter', reason: 'INVALID_FILTER' }])
    conditions.push({ field, operator, value: quoted?.replaceAll(/\\(.)/gs, '$1') ?? bare })
    rest = rest.slice(whole.length)
  }
  return conditions
}

export const passes = (list: UserList, conditions: readonly Condition[]) =>
  conditions.every(({ field, operator, value }) => holds(valueOf[field]?.(list) ?? '', operator, value))

function holds(left: string, operator: string, right: string): boolean {
  const isNumber = /^\d+$/.test(left) && /^\d+$/.test(right)
  const order = isNumber ? Number(left) - Number(right) : left < right ? -1 : Number(left > right)
  switch (operator) {
    case '=':
      return left === right
    case '!=':
      return left !== right
    case ':':
      return right === '*' ? left !== '' : left.toLowerCase().includes(right.toLowerCase())
    case '<':
      return order < 0
    case '<=':
      return order <= 0
    case '>':
      return order > 0
    default:
      return order >= 0
  }
}
