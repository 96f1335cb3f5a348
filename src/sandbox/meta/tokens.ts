import { APP_ID, APP_SECRET, APP_TOKEN, knownCaller } from './access.ts'
import { GraphError, invalid } from './errors.ts'
import type { Parameters } from './parameters.ts'
import type { Dataset } from '#sandbox/dataset/dataset.ts'

const TWO_MONTHS = 5_183_944

/** GET /oauth/access_token: a good token for a fresh one of two months. */
export function exchange(parameters: Parameters, dataset: Dataset): unknown {
  const grant = parameters.text('grant_type')
  const [id, secret] = [parameters.text('client_id'), parameters.text('client_secret')]
  const token = parameters.text('fb_exchange_token')
  parameters.refuseUnknown()
  if (id !== APP_ID)
    throw new GraphError(
      400,
      101,
      'Error validating application. Cannot get application info due to a system error.',
    )
  if (secret !== APP_SECRET) throw new GraphError(400, 1, 'Error validating client secret.')
  if (grant === 'client_credentials') return { access_token: APP_TOKEN, token_type: 'bearer' }
  if (grant !== 'fb_exchange_token' || token === null)
    throw invalid('grant_type must be fb_exchange_token, with fb_exchange_token')
  if (knownCaller(token, dataset) === null) {
    throw new GraphError(401, 190, 'Invalid OAuth access token - Cannot parse access token')
  }
  return { access_token: token, token_type: 'bearer', expires_in: TWO_MONTHS }
}

/** GET /debug_token, with the token of the app or of a user. */
export function debugToken(parameters: Parameters, dataset: Dataset, callerToken: string | null): unknown {
  const token = parameters.text('input_token')
  parameters.refuseUnknown()
  if (callerToken !== APP_TOKEN && (callerToken === null || knownCaller(callerToken, dataset) === null)) {
    throw new GraphError(
      400,
      100,
      '(#100) You must provide an app access token, or a user access token that is an owner or developer of the app',
    )
  }
  if (token === null) throw invalid('The parameter input_token is required')
  return { data: stateOf(token, dataset) }
}

function stateOf(token: string, dataset: Dataset) {
  const shared = { app_id: APP_ID, type: 'SYSTEM_USER', application: 'Sandbox' }
  try {
    const caller = knownCaller(token, dataset)
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
      scopes: ['ads_read', 'ads_management', 'business_management'],
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
