import type {
  AudienceKind,
  AudienceStatus,
  Consent,
  ShareMode,
  ShareState,
  UploadAction,
} from '#shared/audiences.ts'
import type { ErrorCode } from '#shared/errors.ts'
import type { Provider } from '#shared/platforms.ts'

interface Facts {
  kind: AudienceKind
  status: AudienceStatus
  consent: Consent | null
  is_deleting: boolean
}

/** Why an audience may not be brought anywhere; null when it may. */
export function whyNotShare({ kind, status, consent, is_deleting }: Facts): ErrorCode | null {
  // Google itself carries those of GA4 to the accounts that are linked there.
  if (kind === 'ga4' || status === 'draft' || is_deleting) return 'action_not_allowed'
  if (status === 'expired') return 'members_expired'
  return isDenied(consent) ? 'consent_denied' : null
}

export const isDenied = (consent: Consent | null): boolean =>
  consent !== null && Object.values(consent).includes('denied')

/** Whether nothing may be sent any more: removals are sent, all the more. */
export const keepsBack = ({ consent }: { consent: Consent | null }, action: UploadAction): boolean =>
  isDenied(consent) && action !== 'remove'

/** Why an audience may not be brought to one account, as far as we know it ourselves. */
export function whyNotThere(
  audience: { kind: AudienceKind; advertiser: number },
  account: { provider: Provider; advertiser: number | null },
): 'other_advertiser' | 'action_not_allowed' | null {
  if (account.advertiser !== audience.advertiser) return 'other_advertiser'
  return audience.kind !== 'customer_file' && account.provider !== 'meta' ? 'action_not_allowed' : null
}

export interface Home {
  id: number
  business: string | null
  state: ShareState
}

/** The first account of a business has the audience, and the platform shares it with the others. */
export function modeOf(
  business: string | null,
  homes: readonly Home[],
): { mode: ShareMode; home: number | null; business: string | null } {
  if (business === null) return { mode: 'copy', home: null, business }
  const home = homes.find(each => each.business === business && !isOver(each.state))
  return home ? { mode: 'shared', home: home.id, business } : { mode: 'home', home: null, business }
}

/** Nothing happens to it any more, unless somebody wishes it. */
const isOver = (state: ShareState): boolean =>
  state === 'failed' || state === 'stopped' || state === 'removing' || state === 'removed'

/** What sharing an account again comes to. */
export function againOf(state: ShareState): 'as_it_is' | 'retry' | 'anew' | 'too_soon' {
  if (state === 'removed') return 'anew'
  if (state === 'removing') return 'too_soon'
  return state === 'failed' || state === 'stopped' ? 'retry' : 'as_it_is'
}

interface Ended {
  kind: AudienceKind
  mode: ShareMode
  code: string | null
  parts: readonly unknown[]
  task: unknown
  sent_to: number
  synced_at: Date | null
}

/**
 * How a share goes on that has failed or been stopped. beginning: at the platform there is nothing any more;
 * whole_list: our copy was destroyed while it was sent, and there is another one by now.
 */
export function retryOf({ code, kind, mode, task, sent_to: sentTo, synced_at: synced }: Ended): Retry {
  if (code === 'audience_gone') return { state: 'queued', from: 'beginning' }
  const isList = kind === 'customer_file' && mode !== 'shared'
  if (code === 'members_expired' && isList) return { state: 'queued', from: 'whole_list' }
  const isThere = task === null && synced !== null && sentTo >= 0
  return { state: isThere ? 'matching' : 'queued', from: 'where_it_was' }
}

export interface Retry {
  state: ShareState
  from: 'beginning' | 'whole_list' | 'where_it_was'
}
