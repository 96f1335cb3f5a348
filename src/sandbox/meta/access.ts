import { createHmac } from 'node:crypto'
import type { IncomingMessage } from 'node:http'
import type { Account } from '#sandbox/dataset/agency.ts'
import { maySee, personOf } from '#sandbox/dataset/persons.ts'
import type { Dataset } from '#sandbox/dataset/dataset.ts'
import type { Grant, Grants } from '#sandbox/oauth/grants.ts'
import { accessRevoked, GraphError, invalid, notVisible, tokenExpired } from './errors.ts'
import type { Parameters } from './parameters.ts'

export const APP_ID = '460133700014200'
export const APP_SECRET = 'sandbox-app-secret'
export const APP_TOKEN = `${APP_ID}|${APP_SECRET}`

/** The caller, and which ad accounts they see. */
export interface Caller {
  token: string
  user_id: string
  name: string
  accounts: Account[]
  /** The consent behind the token; null for the agency's system users, which have every permission. */
  grant: Grant | null
}

/** What tokens are known from. */
export interface Known {
  dataset: Dataset
  grants: Grants
  now: number
}

/** Of a system user that was made for reports alone. */
const ADS_ONLY: Grant = {
  id: 'ads-only',
  provider: 'meta',
  person: 'agency-admin',
  client_id: APP_ID,
  scopes: ['ads_read'],
  issued_at: 0,
}

/** The caller behind the header or the parameter; refuses as Meta does. */
export function callerOf(request: IncomingMessage, parameters: Parameters, known: Known): Caller {
  const token = tokenOf(request, parameters)
  if (token === null) {
    throw new GraphError(
      400,
      2500,
      'An active access token must be used to query information about the current user.',
    )
  }
  const proof = parameters.text('appsecret_proof')
  if (proof !== null && proof !== proofOf(token)) {
    throw new GraphError(400, 100, 'Invalid appsecret_proof provided in the API argument', {
      type: 'GraphMethodException',
    })
  }
  const caller = knownCaller(token, known)
  if (caller === null) {
    throw new GraphError(401, 190, 'Invalid OAuth access token - Cannot parse access token')
  }
  return caller
}

export const proofOf = (token: string) => createHmac('sha256', APP_SECRET).update(token).digest('hex')

/** The caller of a token; null when it is unknown. Throws 190 when the token was valid once. */
export function knownCaller(token: string, { dataset, grants, now }: Known): Caller | null {
  const accounts = dataset.accounts('fb')
  const system = { token, name: token, grant: null }
  if (token === 'sandbox-admin') return { ...system, user_id: '10220000000000001', accounts }
  if (token === 'sandbox-agency' || token === 'sandbox-ads-only') {
    return {
      ...system,
      grant: token === 'sandbox-agency' ? null : ADS_ONLY,
      user_id: '10220000000000002',
      accounts: accounts.filter(account => !account.traits.includes('expired')),
    }
  }
  if (token === 'sandbox-expired') throw tokenExpired()
  if (token === 'sandbox-revoked') throw notAuthorized()
  const grant = grants.of('meta', token, now)
  if (grant === 'ended') throw grants.isRevoked(token) ? notAuthorized() : tokenExpired()
  if (grant === null) return null
  const { name, number } = personOf(grant.person)
  const own = accounts.filter(account => maySee(grant.person, account))
  return { token, name, user_id: `1022000000000000${number}`, accounts: own, grant }
}

const notAuthorized = () =>
  new GraphError(401, 190, 'Error validating access token: The user has not authorized application.', {
    error_subcode: 458,
  })

/** The account of that bare number, if the caller may work with it. */
export function accountFor(caller: Caller, id: string): Account {
  const account = caller.accounts.find(each => each.id === id)
  if (!account) throw notVisible(`act_${id}`)
  if (account.traits.includes('expired')) throw tokenExpired()
  if (account.traits.includes('revoked')) throw accessRevoked()
  return account
}

export function tokenOf(request: IncomingMessage, parameters: Parameters): string | null {
  const header = request.headers.authorization
  if (header === undefined) return parameters.text('access_token')
  const bearer = /^Bearer (\S+)$/i.exec(header)?.[1] ?? /^OAuth (\S+)$/i.exec(header)?.[1]
  if (bearer === undefined) throw invalid('Malformed Authorization header')
  return bearer
}
