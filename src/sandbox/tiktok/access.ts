import { TIKTOK_ACCOUNTS, type TikTokAccount } from '#sandbox/dataset/tiktok.ts'
import { maySee } from '#sandbox/dataset/persons.ts'
import type { Grant } from '#sandbox/oauth/grants.ts'
import { invalid, noPermission, TikTokError } from './errors.ts'
import type { Known } from './oauth.ts'

/** The caller, and which advertisers their token was given. */
export interface Caller {
  token: string
  accounts: readonly TikTokAccount[]
  /** The consent behind the token; null for the names of ours. */
  grant: Grant | null
}

/** The caller of the Access-Token header, which has no `Bearer` in front. */
export function callerOf(header: string | string[] | undefined, known: Known): Caller {
  if (header === undefined || header === '') {
    throw new TikTokError(
      40104,
      'Access token is null, you should set it in http header with key Access-Token.',
    )
  }
  const token = String(header)
  if (token === 'sandbox-expired') throw tokenExpired()
  const found = accountsOf(token, known)
  if (!found) throw tokenWrong()
  return { token, ...found }
}

/** The advertisers of a token; null for a token that was not issued. */
export function accountsOf(token: string, { grants, now }: Known): Omit<Caller, 'token'> | null {
  if (token === 'sandbox-admin') return { accounts: TIKTOK_ACCOUNTS, grant: null }
  if (token === 'sandbox-agency')
    return { accounts: TIKTOK_ACCOUNTS.filter(account => account.is_agencys), grant: null }
  const grant = grants.of('tiktok', token, now)
  if (grant === null || grant === 'ended') return null
  return { accounts: TIKTOK_ACCOUNTS.filter(account => maySee(grant.person, account)), grant }
}

/** Refuses what the person has not agreed to: 5 is audiences, 4 everything else. */
export function refuseUngranted({ grant }: Caller, path: string, method: string): void {
  if (grant === null || /^(oauth2|user)\//.test(path)) return
  if (!grant.scopes.includes(path.startsWith('dmp/') ? '5' : '4'))
    throw new TikTokError(40001, `advertiser does not grant you /${path}:${method} permission`)
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
