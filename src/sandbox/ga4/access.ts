import { type Caller, isServiceAccount, mayUse } from '#sandbox/oauth/caller.ts'
import { isPerson, maySee, personAt, type PersonId } from '#sandbox/dataset/persons.ts'
import { PROPERTIES, type Property } from '#sandbox/dataset/ga4.ts'
import { invalid, noAccess, notAuthenticated, scopeTooSmall } from './errors.ts'

export type Login = 'sandbox-admin' | 'sandbox-agency' | PersonId

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
  const caller = callerOfToken(authorization)
  if (!caller)
    throw notAuthenticated(token === 'sandbox-expired' ? 'ACCESS_TOKEN_EXPIRED' : 'ACCESS_TOKEN_INVALID')
  if (!mayUse(caller, 'analytics.readonly', 'analytics')) throw scopeTooSmall()
  // The system account was added to the agency's properties as a viewer.
  if (isServiceAccount(caller)) return 'sandbox-agency'
  if (isLogin(caller.email)) return caller.email
  const person = personAt(caller.email)
  if (person !== null) return person
  throw noAccess()
}

/** The property of an address, if the login may read it. */
export function propertyFor(id: string, login: Login): Property {
  if (!/^\d+$/.test(id)) {
    throw invalid(
      `Invalid property ID: ${id}. A numeric Property ID is required. To learn more about Property ID, see https://developers.google.com/analytics/devguides/reporting/data/v1/property-id.`,
    )
  }
  const property = visibleTo(login).find(each => each.property_id === id)
  if (!property) throw noAccess()
  return property
}

export function visibleTo(login: Login): Property[] {
  if (isPerson(login))
    return PROPERTIES.filter(({ account_name }) => maySee(login, { advertiser: account_name }))
  return PROPERTIES.filter(({ trait }) => login === 'sandbox-admin' || trait !== 'revoked')
}

/** Whether revenue and cost are zero for the login. */
export const isRestricted = ({ trait }: Property, login: Login) =>
  trait === 'restricted' && login !== 'sandbox-admin' && login !== 'agency-admin'

const isLogin = (text: string) => text === 'sandbox-admin' || text === 'sandbox-agency'
