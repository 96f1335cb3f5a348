import type { LineAccount } from '#sandbox/dataset/line.ts'
import type { Caller } from './access.ts'
import { OFFSETS } from './accounts.ts'
import { forbidden, refused } from './errors.ts'
import type { Parameters } from './parameters.ts'

const AUDIENCES = [
  { name: 'Buyers', status: 'READY', size: '12000' },
  { name: '=1+1 名單 🎯', status: 'READY', size: '100 or fewer' },
  { name: 'Upload "2026" \\ pending', status: 'IN_PROGRESS', size: '-' },
  { name: 'Old visitors', status: 'EXPIRED', size: '-' },
] as const

/**
 * GET /adaccounts/{id}/custom-audiences: in another shape than all other lists, and not for reporting
 * partners.
 */
export function audienceList(parameters: Parameters, caller: Caller, account: LineAccount): unknown {
  if (caller.role === 'reporting') throw forbidden('PARTNER_PERMISSION_DENIED')
  const name = (parameters.text('name') ?? '').toLowerCase()
  const page = parameters.whole('page', { usual: 1, most: 1_000_000 })
  const size = parameters.whole('size', { usual: 20, most: 100 })
  const key = parameters.text('sortKey') ?? 'created'
  const order = parameters.text('sortOrder') ?? 'DESC'
  parameters.refuseUnknown()
  if (!['id', 'name', 'created'].includes(key)) throw refused('INVALID_ENUM', 'sortKey')
  if (!['ASC', 'DESC'].includes(order)) throw refused('INVALID_ENUM', 'sortOrder')
  const found = AUDIENCES.map((audience, index) => ({
    id: String(9_000_000_000 + account.number * 100 + index),
    name: audience.name,
    functionType: 'UPLOAD',
    status: audience.status,
    estimatedAudienceSize: audience.size,
    created: `2026-09-0${index + 1}T10:00:00${OFFSETS[account.time_zone]}`,
  })).filter(audience => audience.name.toLowerCase().includes(name))
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

const textOf = (audience: { id: string; name: string; created: string }, key: string) =>
  key === 'id' ? audience.id : key === 'name' ? audience.name : audience.created
