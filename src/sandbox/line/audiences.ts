import type { LineAccount } from '#sandbox/dataset/line.ts'
import { OFFSETS } from './accounts.ts'
import { forbidden, refused } from './errors.ts'
import type { Call } from './routes.ts'

const AUDIENCES = [
  { name: 'Buyers', status: 'READY', size: '12000' },
  { name: '=1+1 名單 🎯', status: 'READY', size: '100 or fewer' },
  { name: 'Upload "2026" \\ pending', status: 'IN_PROGRESS', size: '-' },
  { name: 'Old visitors', status: 'EXPIRED', size: '-' },
] as const

export interface Audience {
  id: string
  name: string
  functionType: string
  status: 'READY' | 'IN_PROGRESS' | 'FAILED' | 'EXPIRED'
  /** A text: digits, `100 or fewer` or `-`. */
  estimatedAudienceSize: string
  created: string
}
export type AccountCall = Call & { account: LineAccount }

/**
 * GET /adaccounts/{id}/custom-audiences: in another shape than all other lists, and not for reporting
 * partners.
 */
export function audienceList(call: AccountCall): unknown {
  const { parameters, account, uploads, now } = call
  if (roleOf(call) === 'reporting') throw forbidden('PARTNER_PERMISSION_DENIED')
  const name = (parameters.text('name') ?? '').toLowerCase()
  const page = parameters.whole('page', { usual: 1, most: 1_000_000 })
  const size = parameters.whole('size', { usual: 20, most: 100 })
  const key = parameters.text('sortKey') ?? 'created'
  const order = parameters.text('sortOrder') ?? 'DESC'
  parameters.refuseUnknown()
  if (!['id', 'name', 'created'].includes(key)) throw refused('INVALID_ENUM', 'sortKey')
  if (!['ASC', 'DESC'].includes(order)) throw refused('INVALID_ENUM', 'sortOrder')
  const found = [...uploads.audiencesOf(account, now), ...alwaysIn(account)].filter(audience =>
    audience.name.toLowerCase().includes(name),
  )
  const sorted = found.toSorted((left, right) => (textOf(left, key) < textOf(right, key) ? -1 : 1))
  const ordered = order === 'ASC' ? sorted : sorted.toReversed()
  return {
    page,
    size,
    totalElements: ordered.length,
    hasNextPage: page * size < ordered.length,
    audienceGroups: ordered.slice((page - 1) * size, page * size),
  }
}

/** An account may grant less than a key's role could do elsewhere. */
export const roleOf = ({ caller, account }: Pick<AccountCall, 'caller' | 'account'>) =>
  account.grants_audiences ? caller.role : 'reporting'

const alwaysIn = (account: LineAccount): Audience[] =>
  AUDIENCES.map((audience, index) => ({
    id: String(9_000_000_000 + account.number * 100 + index),
    name: audience.name,
    functionType: 'UPLOAD',
    status: audience.status,
    estimatedAudienceSize: audience.size,
    created: `2026-09-0${index + 1}T10:00:00${OFFSETS[account.time_zone]}`,
  }))

const textOf = (audience: Audience, key: string) =>
  key === 'id' ? audience.id : key === 'name' ? audience.name : audience.created
