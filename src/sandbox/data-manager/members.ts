import type { GoogleCustomer } from '#sandbox/dataset/google-ads.ts'
import type { DataManagerCaller } from './access.ts'
import { accountFor, mayUpload, OTHER_ACCOUNT_TYPES } from './access.ts'
import { invalid, notEmulated, refused, type Violation } from './errors.ts'
import type { AccountMessage, DestinationMessage, MemberMessage, MembersMessage } from './messages.ts'
import type { UserList, UserLists } from './user-lists.ts'

/** A destination of a request, with the user list that it leads to. */
export interface Destination {
  message: DestinationMessage
  list: UserList
}

const MOST_DESTINATIONS = 10
const MOST_MEMBERS = 10_000
const MOST_IDENTIFIERS = 10

/**
 * The destinations of a request. Access is judged before anything else; where the login account is left out
 * it is the account itself.
 */
export function destinationsOf(
  messages: readonly DestinationMessage[],
  caller: DataManagerCaller,
  lists: UserLists,
): Destination[] {
  if (messages.length === 0) throw invalid([missing('destinations')])
  if (messages.length > MOST_DESTINATIONS)
    throw invalid([{ field: 'destinations', reason: 'TOO_MANY_DESTINATIONS' }])
  const references = messages.map(({ reference }) => reference).filter(reference => reference !== '')
  if (new Set(references).size < references.length)
    throw invalid([{ field: 'destinations', reason: 'DUPLICATE_DESTINATION_REFERENCE' }])
  return messages.map((message, index) => destinationOf(message, { index, caller, lists }))
}

function destinationOf(
  message: DestinationMessage,
  { index, caller, lists }: { index: number; caller: DataManagerCaller; lists: UserLists },
): Destination {
  const at = `destinations[${index}]`
  if (message.linkedAccount)
    throw invalid([
      {
        field: `${at}.linked_account`,
        reason: 'LINKED_ACCOUNT_ONLY_ALLOWED_WITH_DATA_PARTNER_LOGIN_ACCOUNT',
      },
    ])
  const operating = accountIn(message.operatingAccount, `${at}.operating_account`)
  const through = message.loginAccount ? accountIn(message.loginAccount, `${at}.login_account`) : operating
  if (message.productDestinationId === '') throw invalid([missing(`${at}.product_destination_id`)])
  const account = accountFor(operating, { login: caller.login, through })
  if (!mayUpload(account)) throw refused('NOT_ALLOWLISTED', { status: 403 })
  return { message, list: listOf(message, { at, account, lists }) }
}

function accountIn(account: AccountMessage | undefined, field: string): string {
  const { accountType = '', product = '', accountId = '' } = account ?? {}
  const type = accountType.endsWith('_UNSPECIFIED') ? product : accountType
  if (OTHER_ACCOUNT_TYPES.includes(type)) throw notEmulated(`accounts of type ${type}`)
  if (type !== 'GOOGLE_ADS') throw invalid([missing(`${field}.account_type`)])
  if (accountId === '') throw invalid([missing(`${field}.account_id`)])
  if (!/^\d{10}$/.test(accountId)) throw invalid([{ field: `${field}.account_id`, reason: 'INVALID_FORMAT' }])
  return accountId
}

function listOf(
  { productDestinationId }: DestinationMessage,
  { at, account, lists }: { at: string; account: GoogleCustomer; lists: UserLists },
): UserList {
  const field = `${at}.product_destination_id`
  const found = lists.find(account, productDestinationId)
  if (!found) throw invalid([{ field, reason: 'INVALID_USER_LIST_ID' }])
  if (!found.fields.ingestedUserListInfo) throw invalid([{ field, reason: 'INVALID_USER_LIST_TYPE' }])
  if (found.access !== 'OWNED') throw refused('OWNERSHIP_REQUIRED_FOR_UPDATE')
  return found
}

/** Refuses a request for everything that is wrong with its members. */
export function checkMembers({ audienceMembers, encoding, destinations }: MembersMessage): void {
  if (encoding === 'BASE64') throw notEmulated('encoding BASE64')
  if (audienceMembers.length > MOST_MEMBERS)
    throw invalid([{ field: 'audience_members', reason: 'TOO_MANY_AUDIENCE_MEMBERS' }])
  const references = new Set(destinations.map(({ reference }) => reference))
  const [first, ...others] = [
    ...(encoding === 'HEX' ? [] : [missing('encoding')]),
    ...(audienceMembers.length > 0 ? [] : [missing('audience_members')]),
    ...audienceMembers.flatMap((member, index) => violationsOf(member, index, references)),
  ]
  if (first) throw invalid([first, ...others])
}

function violationsOf(
  { destinationReferences, userData }: MemberMessage,
  index: number,
  references: ReadonlySet<string>,
): Violation[] {
  const at = `audience_members[${index}]`
  const identifiers = userData?.userIdentifiers ?? []
  const field = `${at}.user_data.user_identifiers`
  if (destinationReferences.some(reference => !references.has(reference)))
    return [{ field: `${at}.destination_references`, reason: 'INVALID_DESTINATION' }]
  if (identifiers.length === 0) return [missing(field)]
  if (identifiers.length > MOST_IDENTIFIERS) return [{ field, reason: 'TOO_MANY_USER_IDENTIFIERS' }]
  return identifiers.flatMap(({ emailAddress, phoneNumber }, place) => {
    const [hashed, more] = [emailAddress, phoneNumber].filter(value => value !== undefined)
    if (hashed === undefined || more !== undefined) return [missing(`${field}[${place}]`)]
    const reason = whyNoHash(hashed)
    const name = emailAddress === undefined ? 'phone_number' : 'email_address'
    return reason === null ? [] : [{ field: `${field}[${place}].${name}`, reason }]
  })
}

/** Upper case is hex, too. */
function whyNoHash(text: string): string | null {
  if (text === '') return 'REQUIRED_FIELD_MISSING'
  if (text.length % 2 === 1 || !/^[\da-f]+$/i.test(text)) return 'INVALID_HEX_ENCODING'
  return text.length === 64 ? null : 'INVALID_SHA256_FORMAT'
}

const missing = (field: string): Violation => ({ field, reason: 'REQUIRED_FIELD_MISSING' })
