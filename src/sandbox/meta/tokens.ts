import type { Grant, Redeemed, Redemption } from '#sandbox/oauth/grants.ts'
import { APP_ID, APP_SECRET, APP_TOKEN, type Known, knownCaller } from './access.ts'
import { GraphError, invalid } from './errors.ts'
import type { Parameters } from './parameters.ts'
import { PERMISSIONS } from './permissions.ts'

const TWO_MONTHS_S = 5_183_944
const SHORT_S = 5400

/** GET /oauth/access_token: a code for a token, or a good token for a fresh one of two months. */
export function exchange(parameters: Parameters, known: Known): unknown {
  const grant = parameters.text('grant_type')
  const [id, secret] = [parameters.text('client_id'), parameters.text('client_secret')]
  const token = parameters.text('fb_exchange_token')
  const [code, redirect_uri] = [parameters.text('code'), parameters.text('redirect_uri')]
  parameters.refuseUnknown()
  if (id !== APP_ID)
    throw new GraphError(
      400,
      101,
      'Error validating application. Cannot get application info due to a system error.',
    )
  if (secret !== APP_SECRET) throw new GraphError(400, 1, 'Error validating client secret.')
  if (grant === 'client_credentials') return { access_token: APP_TOKEN, token_type: 'bearer' }
  if (code !== null) return redeem({ code, redirect_uri, client_id: id }, known)
  if (grant !== 'fb_exchange_token' || token === null)
    throw invalid('grant_type must be fb_exchange_token, with fb_exchange_token')
  const caller = knownCaller(token, known)
  if (caller === null) {
    throw new GraphError(401, 190, 'Invalid OAuth access token - Cannot parse access token')
  }
  if (caller.grant === null) return { access_token: token, token_type: 'bearer', expires_in: TWO_MONTHS_S }
  return issued(caller.grant, TWO_MONTHS_S, known)
}

function redeem(redemption: Redemption, known: Known): unknown {
  const redeemed = known.grants.redeem('meta', redemption, known.now)
  if (redeemed.grant !== null) return issued(redeemed.grant, redeemed.is_lasting ? null : SHORT_S, known)
  const [words, error_subcode] = REFUSALS[redeemed.refused]
  throw new GraphError(400, 100, words, error_subcode === undefined ? {} : { error_subcode })
}

const REFUSALS: Record<NonNullable<Redeemed['refused']>, [string, number?]> = {
  unknown: ['Invalid verification code format.'],
  used: ['This authorization code has been used.', 36_009],
  late: ['This authorization code has expired.', 36_007],
  client: ['Error validating verification code. The code was issued to another app.'],
  redirect: [
    'Error validating verification code. Please make sure your redirect_uri is identical to the one you used in the OAuth dialog request',
    36_008,
  ],
  verifier: ['Invalid verification code format.'],
}

/** `lifeS`: null for a system user's, which does not end. */
function issued(grant: Grant, lifeS: number | null, { grants, now }: Known) {
  return {
    access_token: grants.issue(grant, {
      prefix: 'EAAG',
      expires_at: lifeS === null ? null : now + lifeS * 1000,
      now,
    }),
    token_type: 'bearer',
    ...(lifeS !== null && { expires_in: lifeS }),
  }
}

/** GET /debug_token, with the token of the app or of a user. */
export function debugToken(parameters: Parameters, known: Known, callerToken: string | null): unknown {
  const token = parameters.text('input_token')
  parameters.refuseUnknown()
  if (callerToken !== APP_TOKEN && (callerToken === null || knownCaller(callerToken, known) === null)) {
    throw new GraphError(
      400,
      100,
      '(#100) You must provide an app access token, or a user access token that is an owner or developer of the app',
    )
  }
  if (token === null) throw invalid('The parameter input_token is required')
  return { data: stateOf(token, known) }
}

function stateOf(token: string, known: Known) {
  const shared = { app_id: APP_ID, type: 'SYSTEM_USER', application: 'Sandbox' }
  try {
    const caller = knownCaller(token, known)
    if (caller === null)
      return {
        ...shared,
        is_valid: false,
        error: { code: 190, message: 'Invalid OAuth access token.' },
        scopes: [],
      }
    return {
      ...shared,
      is_valid: true,
      expires_at: 0,
      data_access_expires_at: 0,
      scopes: caller.grant?.scopes ?? PERMISSIONS,
      user_id: caller.user_id,
    }
  } catch (error) {
    if (!(error instanceof GraphError)) throw error
    return {
      ...shared,
      is_valid: false,
      error: { code: error.code, subcode: error.more.error_subcode, message: error.message },
      scopes: [],
    }
  }
}
