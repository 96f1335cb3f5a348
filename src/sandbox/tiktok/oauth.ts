import { personOf } from '#sandbox/dataset/persons.ts'
import { TIKTOK_ACCOUNTS } from '#sandbox/dataset/tiktok.ts'
import type { Grants } from '#sandbox/oauth/grants.ts'
import { accountsOf, type Caller, tokenWrong } from './access.ts'
import { TikTokError } from './errors.ts'
import type { Parameters } from './parameters.ts'

export const APP_ID = '7300000000000000001'
export const APP_SECRET = 'sandbox-app-secret'

/** What tokens are known from. */
export interface Known {
  grants: Grants
  now: number
}

/** Codes of tests that were used: sandbox-admin-anything, each good for once. */
export type UsedCodes = Set<string>

/** POST /oauth2/access_token/ */
export function redeem(parameters: Parameters, used: UsedCodes, known: Known): unknown {
  refuseOtherApps(parameters)
  const code = parameters.required('auth_code')
  const withIds = parameters.flag('return_advertiser_ids') ?? true
  parameters.refuseUnknown()
  const { token, scope } = redeemed(code, used, known)
  return {
    access_token: token,
    ...(withIds && { advertiser_ids: (accountsOf(token, known)?.accounts ?? []).map(account => account.id) }),
    scope,
    token_type: 'Bearer',
  }
}

function redeemed(code: string, used: UsedCodes, { grants, now }: Known): { token: string; scope: number[] } {
  const login = /^(sandbox-(?:admin|agency))-\w+$/.exec(code)?.[1]
  if (login !== undefined && !used.has(code)) {
    used.add(code)
    return { token: login, scope: [4, 5] }
  }
  const { grant } = grants.redeem('tiktok', { code, client_id: APP_ID }, now)
  if (grant === null)
    throw new TikTokError(40110, 'The auth_code is invalid: it has been used, cancelled or has expired.')
  const token = grants.issue(grant, { prefix: 'tt', expires_at: null, now })
  return { token, scope: grant.scopes.map(Number) }
}

/** POST /oauth2/revoke_token/: this consent of the person ends. */
export function revoke(parameters: Parameters, { grants, now }: Known): unknown {
  refuseOtherApps(parameters)
  const token = parameters.required('access_token')
  parameters.refuseUnknown()
  const grant = grants.of('tiktok', token, now)
  if (grant === null || grant === 'ended') throw tokenWrong()
  grants.revoke([grant])
  return {}
}

/** GET /user/info/ */
export function userInfo(parameters: Parameters, { token, grant }: Caller): unknown {
  parameters.refuseUnknown()
  if (grant === null) return { core_user_id: '7000000000000000001', display_name: token, email: '' }
  const { number, name, email } = personOf(grant.person)
  return { core_user_id: `700000000000000000${number}`, display_name: name, email }
}

/** GET /oauth2/advertiser/get/ */
export function authorizedAdvertisers(parameters: Parameters, caller: Caller): unknown {
  refuseOtherApps(parameters)
  parameters.refuseUnknown()
  const list = TIKTOK_ACCOUNTS.filter(account => caller.accounts.includes(account))
  return { list: list.map(({ id, name }) => ({ advertiser_id: id, advertiser_name: name })) }
}

function refuseOtherApps(parameters: Parameters): void {
  const [app_id, secret] = [parameters.required('app_id'), parameters.required('secret')]
  if (app_id !== APP_ID) throw new TikTokError(40113, `App ${app_id} does not exist or has been blocked.`)
  if (![APP_SECRET, 'sandbox-admin'].includes(secret)) {
    throw new TikTokError(40101, 'The app id does not match the secret or the auth_code.')
  }
}
