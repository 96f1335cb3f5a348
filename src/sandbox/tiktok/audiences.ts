import { z } from 'zod'
import { TIKTOK_ACCOUNTS, type TikTokAccount } from '#sandbox/dataset/tiktok.ts'
import { type Remembered, rememberedAs } from '#sandbox/memory.ts'
import { advertiserFor } from './access.ts'
import { neighbourOf } from './accounts.ts'
import { invalid, TikTokError } from './errors.ts'
import { pageOf, positionOf } from './lists.ts'
import type { Parameters } from './parameters.ts'
import type { Call } from './routes.ts'

/** Audience id → the advertisers it is shared with, and whether it still is. */
export type Shares = Map<string, Map<string, 'SHARED' | 'CANCELLED'>>

const StoredShares = z.array(
  z.tuple([z.string(), z.array(z.tuple([z.string(), z.enum(['SHARED', 'CANCELLED'])]))]),
)
export const rememberedShares = (shares: Shares): Remembered =>
  rememberedAs(StoredShares, {
    get: () => [...shares].map(([audience, of]) => [audience, [...of]]),
    set(stored) {
      shares.clear()
      for (const [audience, of] of stored) shares.set(audience, new Map(of))
    },
  })

const AUDIENCES = [
  { name: 'Buyers', type: 'Website Audience', calculate: 'FIRST_SHA256' },
  { name: '=1+1 名單 🎯', type: 'Engagement Audience', calculate: 'UID' },
  { name: 'Lookalike "1%" \\ Buyers', type: 'Lookalike Audience', calculate: 'UID' },
] as const
const MOST_SHARED = 10
const MOST_IDS = 100

/** What an advertiser sees of an audience of its own, beside whether it is shared. */
export interface Audience {
  audience_id: string
  name: string
  audience_type: string
  audience_sub_type: 'NORMAL'
  calculate_type: string
  /** The people that TikTok has found. */
  cover_num: number
  is_valid: boolean
  is_expiring: boolean
  owner_id: string
  create_time: string
  expired_time: string
}

/** GET /dmp/custom_audience/list/ */
export function audienceList(call: Call): unknown {
  const { parameters, caller } = call
  const account = advertiserFor(caller, parameters.required('advertiser_id'))
  const ids = parameters.list('custom_audience_ids')
  const position = positionOf(parameters, 100)
  parameters.refuseUnknown()
  const found = audiencesFor(account, call).filter(({ audience_id }) => ids?.includes(audience_id) ?? true)
  return pageOf(found, position)
}

/** GET /dmp/custom_audience/get/ */
export function audienceGet(call: Call): unknown {
  const { parameters, caller, state } = call
  const account = advertiserFor(caller, parameters.required('advertiser_id'))
  const ids = few(parameters, 'custom_audience_ids', MOST_IDS)
  const historySize = parameters.whole('history_size', { usual: 20, most: 100 })
  parameters.refuseUnknown()
  const all = audiencesFor(account, call)
  const list = ids.map(id => {
    const found = all.find(audience => audience.audience_id === id)
    if (!found) throw noSuchAudience(id)
    return {
      audience_details: found,
      audience_history: state.customer_files.historyOf(id).slice(0, historySize),
    }
  })
  return { list }
}

/** POST /dmp/custom_audience/share/ and …/share/cancel/ */
export function shareAudiences(call: Call, becomes: 'SHARED' | 'CANCELLED'): unknown {
  const { parameters, caller } = call
  const { shares } = call.state
  const account = advertiserFor(caller, parameters.required('advertiser_id'))
  const audiences = few(parameters, 'custom_audience_ids', MOST_SHARED).map(id =>
    ownAudience(account, id, call),
  )
  const recipients = few(parameters, 'shared_advertiser_ids', MOST_SHARED).map(id =>
    neighbourOf(account, caller, id),
  )
  parameters.refuseUnknown()
  for (const { audience_id } of audiences) {
    const of = shares.get(audience_id) ?? new Map<string, 'SHARED' | 'CANCELLED'>()
    for (const recipient of recipients) of.set(recipient.id, becomes)
    shares.set(audience_id, of)
  }
  return {}
}

/** GET /dmp/custom_audience/share/log/ */
export function shareLog(call: Call): unknown {
  const { parameters, caller, state } = call
  const account = advertiserFor(caller, parameters.required('advertiser_id'))
  const { audience_id } = ownAudience(account, parameters.required('custom_audience_id'), call)
  parameters.refuseUnknown()
  const list = [...(state.shares.get(audience_id) ?? [])].map(([id, status]) => ({
    shared_advertiser_id: id,
    shared_advertiser_name: TIKTOK_ACCOUNTS.find(each => each.id === id)?.name ?? '',
    custom_audience_id: audience_id,
    status,
  }))
  return { list }
}

/** A list of ids that has one at least. */
export function few(parameters: Parameters, name: string, most: number): string[] {
  const ids = parameters.list(name) ?? []
  if (ids.length === 0 || ids.length > most) {
    throw invalid(`${name}: Length must be between 1 and ${most}.`)
  }
  return ids
}

/** An audience of the advertiser itself: what was shared with it can only be used. */
export function ownAudience(account: TikTokAccount, id: string, call: Call): Audience {
  const own = audiencesOf(account, call).find(audience => audience.audience_id === id)
  if (!own) throw noSuchAudience(id)
  return own
}

const noSuchAudience = (id: string) => new TikTokError(40007, `Custom audience ${id} does not exist.`)

/** An advertiser's own audiences, and those that others share with it. */
function audiencesFor(account: TikTokAccount, call: Call) {
  const { shares } = call.state
  const received = TIKTOK_ACCOUNTS.flatMap(other => audiencesOf(other, call)).filter(
    ({ audience_id }) => shares.get(audience_id)?.get(account.id) === 'SHARED',
  )
  return [...audiencesOf(account, call), ...received].map(audience => ({
    ...audience,
    shared: [...(shares.get(audience.audience_id)?.values() ?? [])].includes('SHARED'),
    is_creator: audience.owner_id === account.id,
  }))
}

function audiencesOf(account: TikTokAccount, { state, now }: Call): Audience[] {
  const always = AUDIENCES.map(({ name, type, calculate }, index) => ({
    audience_id: String(190_000_000 + account.number * 100 + index),
    name,
    audience_type: type,
    audience_sub_type: 'NORMAL' as const,
    calculate_type: calculate,
    cover_num: 1000 * account.number + 37 * index,
    is_valid: true,
    is_expiring: index === 2,
    owner_id: account.id,
    create_time: '2025-03-01 08:00:00',
    expired_time: '2027-03-01 08:00:00',
  }))
  return [...state.customer_files.audiencesOf(account.id, now), ...always]
}
