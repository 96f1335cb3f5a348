import type { Caller } from '#sandbox/oauth/caller.ts'
import { isServiceAccount, mayUse } from '#sandbox/oauth/caller.ts'
import { personAt } from '#sandbox/dataset/persons.ts'
import { CHILDREN, GOOGLE_CUSTOMERS, type GoogleCustomer, GRANTS } from '#sandbox/dataset/google-ads.ts'
import { AdsError, errorInfo, FrontDoorError, noAccess, notAuthenticated, tokenExpired } from './errors.ts'

export type Login = keyof typeof GRANTS

/**
 * The login behind an Authorization header: a name of ours as the token, or a token of the token endpoint.
 */
export function loginOf(
  authorization: string | undefined,
  callerOfToken: (authorization: string | undefined) => Caller | null,
): Login {
  const token = /^Bearer (\S+)$/i.exec(authorization ?? '')?.[1]
  if (token === undefined) throw notAuthenticated('CREDENTIALS_MISSING')
  if (isLogin(token)) return token
  if (token === 'sandbox-expired') throw tokenExpired()
  if (token === 'sandbox-revoked') {
    throw new AdsError('authenticationError', 'OAUTH_TOKEN_REVOKED', 'OAuth token has been revoked.')
  }
  const caller = callerOfToken(authorization)
  if (!caller) {
    throw new AdsError(
      'authenticationError',
      'OAUTH_TOKEN_INVALID',
      'OAuth token in the header is not valid.',
    )
  }
  if (!mayUse(caller, 'adwords')) {
    throw new FrontDoorError(403, 'Request had insufficient authentication scopes.', [
      errorInfo('ACCESS_TOKEN_SCOPE_INSUFFICIENT'),
    ])
  }
  const login = loginOfCaller(caller)
  if (login !== null) return login
  throw new AdsError('authenticationError', 'NOT_ADS_USER', 'User in the cookie is not a valid Ads user.')
}

/** The customer of an address, if the login may work with it through the manager of the header. */
export function customerFor(
  id: string,
  { login, through }: { login: Login; through: string | undefined },
): GoogleCustomer {
  if (!/^\d{10}$/.test(id)) {
    throw new AdsError('requestError', 'INVALID_CUSTOMER_ID', `Invalid customer ID '${id}'.`)
  }
  if (through !== undefined && !/^\d{10}$/.test(through)) {
    throw new AdsError(
      'headerError',
      'INVALID_LOGIN_CUSTOMER_ID',
      'The login customer ID in the header is not a valid customer ID: ten digits without dashes.',
    )
  }
  const customer = GOOGLE_CUSTOMERS.find(each => each.id === id)
  if (!customer || !reaches(login, through ?? id, id)) throw noAccess()
  if (customer.status !== 'ENABLED') {
    throw new AdsError(
      'authorizationError',
      'CUSTOMER_NOT_ENABLED',
      "The customer account can't be accessed because it is not yet enabled or has been deactivated.",
    )
  }
  return customer
}

/** Whether the login may use `through`, which must be the customer itself or a manager above it. */
export const reaches = (login: Login, through: string, id: string) =>
  treeOf(through).some(below => below.id === id) &&
  GRANTS[login].some(grant => treeOf(grant).some(below => below.id === through)) &&
  (through !== id || GRANTS[login].includes(id))

/** A customer and all below it, each once, with its distance. */
export function treeOf(id: string, level = 0): { id: string; level: number }[] {
  const below = (CHILDREN[id] ?? []).flatMap(child => treeOf(child, level + 1))
  return [{ id, level }, ...below]
}

/** Names that are tokens in themselves; people have to agree first. */
export const isLogin = (text: string) => text === 'sandbox-admin' || text === 'sandbox-agency'

/** Whose token it is, for Google Ads; null for those who have no account there. */
export function loginOfCaller(caller: Caller): Login | null {
  // The agency has invited the system account to its managers.
  if (isServiceAccount(caller)) return 'sandbox-agency'
  if (isLogin(caller.email)) return caller.email
  const person = personAt(caller.email)
  return person !== null && GRANTS[person].length > 0 ? person : null
}
