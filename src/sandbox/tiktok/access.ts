import { TIKTOK_ACCOUNTS, type TikTokAccount } from '#sandbox/dataset/tiktok.ts'
import { invalid, noPermission, TikTokError } from './errors.ts'

/** The caller, and which advertisers their token was given. */
export interface Caller {
  token: string
  accounts: readonly TikTokAccount[]
}

/** The caller of the Access-Token header, which has no `Bearer` in front. */
export function callerOf(header: string | string[] | undefined): Caller {
  if (header === undefined || header === '') {
    throw new TikTokError(
      40104,
      'Access token is null, you should set it in http header with key Access-Token.',
    )
  }
  const token = String(header)
  if (token === 'sandbox-expired') throw tokenExpired()
  const accounts = accountsOf(token)
  if (!accounts) throw tokenWrong()
  return { token, accounts }
}

/** The advertisers of a token; null for a token that was not issued. */
export function accountsOf(token: string): readonly TikTokAccount[] | null {
  if (token === 'sandbox-admin') return TIKTOK_ACCOUNTS
  if (token === 'sandbox-agency') return TIKTOK_ACCOUNTS.filter(account => account.is_agencys)
  return null
}

/** The advertiser of that id, if the caller may see it. */
export function advertiserFor(caller: Caller, id: string): TikTokAccount {
  const account = TIKTOK_ACCOUNTS.find(each => each.id === id)
  if (!account) throw invalid(`advertiser_id: Advertiser ${id} doesn't exist or has been deleted.`)
  if (!caller.accounts.includes(account) || account.traits.includes('revoked')) throw noPermission(id)
  if (account.is_deleted) throw new TikTokError(40300, `Advertiser ${id} has been deleted.`)
  return account
}

export const tokenExpired = () => new TikTokError(40102, 'Access token is expired.')
export const tokenWrong = () => new TikTokError(40105, 'Access token is incorrect or has been revoked.')
