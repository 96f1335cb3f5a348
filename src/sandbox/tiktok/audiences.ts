import { TIKTOK_ACCOUNTS, type TikTokAccount } from '#sandbox/dataset/tiktok.ts'
import { advertiserFor, type Caller } from './access.ts'
import { neighbourOf } from './accounts.ts'
import { invalid, TikTokError } from './errors.ts'
import { pageOf, positionOf } from './lists.ts'
import type { Parameters } from './parameters.ts'

/** Audience id → the advertisers it is shared with, and whether it still is. */
export type Shares = Map<string, Map<string, 'SHARED' | 'CANCELLED'>>

const AUDIENCES = [
  { name: 'Buyers', type: 'Website Audience', calculate: 'FIRST_SHA256' },
  { name: '=1+1 名單 🎯', type: 'Engagement Audience', calculate: 'UID' },
  { name: 'Lookalike "1%" \\ Buyers', type: 'Lookalike Audience', calculate: 'UID' },
] as const
const MOST_AT_ONCE = 10

interface Audience {
  audience_id: string
  name: string
  owner_id: string
}

/** GET /dmp/custom_audience/list/ */
export function audienceList(parameters: Parameters, caller: Caller, shares: Shares): unknown {
  const account = advertiserFor(caller, parameters.required('advertiser_id'))
  const position = positionOf(parameters, 100)
  parameters.refuseUnknown()
  const own = audiencesOf(account)
  const received = TIKTOK_ACCOUNTS.flatMap(audiencesOf).filter(
    ({ audience_id }) => shares.get(audience_id)?.get(account.id) === 'SHARED',
  )
  return pageOf(
    [...own, ...received].map(audience => ({
      ...audience,
      shared: [...(shares.get(audience.audience_id)?.values() ?? [])].includes('SHARED'),
      is_creator: audience.owner_id === account.id,
    })),
    position,
  )
}

/** POST /dmp/custom_audience/share/ and …/share/cancel/ */
export function shareAudiences(
  parameters: Parameters,
  { caller, shares, becomes }: { caller: Caller; shares: Shares; becomes: 'SHARED' | 'CANCELLED' },
): unknown {
  const account = advertiserFor(caller, parameters.required('advertiser_id'))
  const audiences = few(parameters, 'custom_audience_ids').map(id => ownAudience(account, id))
  const recipients = few(parameters, 'shared_advertiser_ids').map(id => neighbourOf(account, caller, id))
  parameters.refuseUnknown()
  for (const { audience_id } of audiences) {
    const of = shares.get(audience_id) ?? new Map<string, 'SHARED' | 'CANCELLED'>()
    for (const recipient of recipients) of.set(recipient.id, becomes)
    shares.set(audience_id, of)
  }
  return {}
}

/** GET /dmp/custom_audience/share/log/ */
export function shareLog(parameters: Parameters, caller: Caller, shares: Shares): unknown {
  const account = advertiserFor(caller, parameters.required('advertiser_id'))
  const { audience_id } = ownAudience(account, parameters.required('custom_audience_id'))
  parameters.refuseUnknown()
  const list = [...(shares.get(audience_id) ?? [])].map(([id, status]) => ({
    shared_advertiser_id: id,
    shared_advertiser_name: TIKTOK_ACCOUNTS.find(each => each.id === id)?.name ?? '',
    custom_audience_id: audience_id,
    status,
  }))
  return { list }
}

function few(parameters: Parameters, name: string): string[] {
  const ids = parameters.list(name) ?? []
  if (ids.length === 0 || ids.length > MOST_AT_ONCE) {
    throw invalid(`${name}: Length must be between 1 and ${MOST_AT_ONCE}.`)
  }
  return ids
}

function ownAudience(account: TikTokAccount, id: string): Audience {
  const own = audiencesOf(account).find(audience => audience.audience_id === id)
  if (!own) throw new TikTokError(40007, `Custom audience ${id} does not exist.`)
  return own
}

const audiencesOf = (account: TikTokAccount) =>
  AUDIENCES.map(({ name, type, calculate }, index) => ({
    audience_id: String(190_000_000 + account.number * 100 + index),
    name,
    audience_type: type,
    audience_sub_type: 'NORMAL',
    calculate_type: calculate,
    cover_num: 1000 * account.number + 37 * index,
    is_valid: true,
    is_expiring: index === 2,
    owner_id: account.id,
    create_time: '2025-03-01 08:00:00',
    expired_time: '2027-03-01 08:00:00',
  }))
