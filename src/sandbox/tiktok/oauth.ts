import { type HttpResponse } from '#sandbox/http/response.ts'
import { TIKTOK_ACCOUNTS } from '#sandbox/dataset/tiktok.ts'
import { accountsOf, type Caller } from './access.ts'
import { TikTokError } from './errors.ts'
import type { Parameters } from './parameters.ts'

export const APP_ID = '7300000000000000001'
export const APP_SECRET = 'sandbox-app-secret'

const CODE_LIFE = 3_600_000

/** Consents that were not redeemed yet, and the state of the others. */
export interface Consents {
  /** GET /portal/auth: the person agrees at once, as the agency. */
  consent(url: URL, now: number): HttpResponse
  /** POST /oauth2/access_token/ */
  redeem(parameters: Parameters, now: number): unknown
  reset(): void
}

export function createConsents(): Consents {
  let codes = new Map<string, { issued: number; used: boolean }>()
  let count = 0

  return {
    consent(url, now) {
      const redirect = URL.parse(url.searchParams.get('redirect_uri') ?? '')
      const loopback = redirect !== null && ['127.0.0.1', 'localhost', '[::1]'].includes(redirect.hostname)
      if (url.searchParams.get('app_id') !== APP_ID || !loopback) {
        return { status: 400, type: 'text/plain; charset=utf-8', body: 'Invalid app_id or redirect_uri' }
      }
      const code = `sandbox-agency-${++count}`
      codes.set(code, { issued: now, used: false })
      for (const name of ['auth_code', 'code']) redirect.searchParams.set(name, code)
      redirect.searchParams.set('state', url.searchParams.get('state') ?? '')
      return {
        status: 302,
        type: 'text/plain; charset=utf-8',
        headers: { location: redirect.href },
        body: '',
      }
    },
    redeem(parameters, now) {
      refuseOtherApps(parameters)
      const code = parameters.required('auth_code')
      const withIds = parameters.flag('return_advertiser_ids') ?? true
      parameters.refuseUnknown()
      // Codes of tests: sandbox-admin-anything, each good for once.
      const token = /^(sandbox-(?:admin|agency))-\w+$/.exec(code)?.[1]
      const known = codes.get(code) ?? { issued: now, used: false }
      if (token === undefined || known.used || now - known.issued > CODE_LIFE) {
        throw new TikTokError(40110, 'The auth_code is invalid: it has been used, cancelled or has expired.')
      }
      codes.set(code, { ...known, used: true })
      return {
        access_token: token,
        ...(withIds && { advertiser_ids: (accountsOf(token) ?? []).map(account => account.id) }),
        scope: [4, 5],
        token_type: 'Bearer',
      }
    },
    reset() {
      codes = new Map()
    },
  }
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
