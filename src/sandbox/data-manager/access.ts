import { type Caller, isServiceAccount, mayUse } from '#sandbox/oauth/caller.ts'
import { GOOGLE_CUSTOMERS, type GoogleCustomer } from '#sandbox/dataset/google-ads.ts'
import { personAt } from '#sandbox/dataset/persons.ts'
import { type Login, reaches } from '#sandbox/google-ads/access.ts'
import { invalid, notAuthenticated, notEmulated, refused, scopeTooSmall } from './errors.ts'

/** Who calls, and the Cloud project that Google counts the call for. */
export interface DataManagerCaller {
  login: Login
  project: string
}

/** The caller behind an Authorization header: a name of ours as the token, or one of the token endpoint. */
export function callerOf(
  authorization: string | undefined,
  callerOfToken: (authorization: string | undefined) => Caller | null,
): DataManagerCaller {
  const token = /^Bearer (\S+)$/i.exec(authorization ?? '')?.[1]
  if (token === undefined) throw notAuthenticated('CREDENTIALS_MISSING')
  if (isLogin(token)) return { login: token, project: 'sandbox-people' }
  const caller = callerOfToken(authorization)
  if (!caller)
    throw notAuthenticated(token === 'sandbox-expired' ? 'ACCESS_TOKEN_EXPIRED' : 'ACCESS_TOKEN_INVALID')
  if (!mayUse(caller, 'datamanager')) throw scopeTooSmall()
  const { project } = caller
  // The agency has invited the system account to its managers.
  if (isServiceAccount(caller)) return { login: 'sandbox-agency', project }
  if (isLogin(caller.email)) return { login: caller.email, project }
  const person = personAt(caller.email)
  if (person !== null) return { login: person, project }
  throw refused('PERMISSION_DENIED', { status: 403 })
}

/** An open account that the login reaches through the account in which its person is a user. */
export function accountFor(
  id: string,
  { login, through }: { login: Login; through: string },
): GoogleCustomer {
  const account = GOOGLE_CUSTOMERS.find(each => each.id === id)
  if (account?.status !== 'ENABLED' || !reaches(login, through, id))
    throw refused('PERMISSION_DENIED', { status: 403 })
  return account
}

/** Google Ads accounts that may not upload lists of customers. */
const NOT_ALLOWLISTED = new Set(['9203141507'])
export const mayUpload = ({ id }: GoogleCustomer) => !NOT_ALLOWLISTED.has(id)

/** Other types of accounts than Google Ads, which this sandbox does not have. */
export const OTHER_ACCOUNT_TYPES = [
  'DISPLAY_VIDEO_PARTNER',
  'DISPLAY_VIDEO_ADVERTISER',
  'DATA_PARTNER',
  'GOOGLE_ANALYTICS_PROPERTY',
  'GOOGLE_AD_MANAGER_AUDIENCE_LINK',
]

/** `accountTypes/GOOGLE_ADS/accounts/{ten digits}` → the digits; `field` is where it stands. */
export function accountNamed(name: string, field: string): string {
  const [, type = '', id = ''] = /^accountTypes\/([A-Z_]+)\/accounts\/([^/]+)$/.exec(name) ?? []
  if (OTHER_ACCOUNT_TYPES.includes(type)) throw notEmulated(`accounts of type ${type}`)
  if (type !== 'GOOGLE_ADS' || !/^\d{10}$/.test(id))
    throw invalid([{ field, reason: 'INVALID_RESOURCE_NAME' }])
  return id
}

const isLogin = (text: string) => text === 'sandbox-admin' || text === 'sandbox-agency'
