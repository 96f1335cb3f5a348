import { chunked } from '#shared/chunked.ts'
import { accessResults, type AccessResult, type Consent, type MemberColumn } from '#shared/audiences.ts'
import type {
  AccountAccess,
  AudienceConnector,
  AudienceOperations,
  Batch,
  MemberRows,
  PartState,
  SentPart,
  Target,
  Upload,
} from '#server/connectors/audience.ts'
import { PlatformFailure, type AccountRef } from '#server/connectors/connector.ts'
import { audienceStatus, requestsOf } from './audience-status.ts'
import { callDataManager, isFailure } from './data-manager.ts'
import { Accepted, type UserList } from './data-manager-schema.ts'
import { GoogleAdsLogin, type GoogleAdsIo } from './schema.ts'
import {
  createUserList,
  deleteUserList,
  findUserList,
  openUserList,
  reaching,
  reachedBefore,
  readUserList,
  rehearseUserList,
  userListsOf,
  type Reached,
} from './user-lists.ts'

const COLUMNS = ['email', 'email_google', 'phone_e164'] as const satisfies readonly MemberColumn[]
const DESTINATIONS_AT_ONCE = 10

/**
 * Customer Match. Every account has a user list of its own, and one request fills ten of them. To replace a
 * list, the new members are added and then everyone is taken out who was last added before that began.
 */
export const googleAdsAudiences: AudienceConnector<GoogleAdsLogin> = {
  login: GoogleAdsLogin,
  hosts: ['google_data_manager', 'google_token'],
  parts: [{ part: 'all', columns: COLUMNS }],
  batch_chunks: 1,
  targets_at_once: DESTINATIONS_AT_ONCE,
  removes_members: true,
  open: (io): AudienceOperations => ({
    check: account => check(account, io),
    begin: (target, upload) => begin(target, upload, io),
    send: (targets, batch) => send(targets, batch, io),
    finish: (target, upload) => finish(target, upload, io),
    poll: target => audienceStatus(target, io),
    remove: target => remove(target, io),
    erase: (account, rows) => erase(account, rows, io),
  }),
}

async function check(account: AccountRef, io: GoogleAdsIo): Promise<AccountAccess> {
  const access = (result: AccessResult, message: string | null) => ({
    result,
    business: null,
    fix_url: result === 'terms_not_accepted' || result === 'not_eligible' ? FIX_URL : null,
    message,
  })
  try {
    await reaching(account, io, reached => rehearseUserList(reached, io))
    return access('ok', null)
  } catch (error) {
    if (!(error instanceof PlatformFailure)) throw error
    const result = resultOf(error)
    if (result === undefined) throw error
    const isReadable = result === 'no_access' && (await mayRead(account, io))
    return access(isReadable ? 'read_only' : result, error.platform_message)
  }
}
const FIX_URL = 'https://ads.google.com/aw/audiences'

function resultOf({ code }: PlatformFailure): AccessResult | undefined {
  if (code === 'scope_missing') return 'credential_expired'
  if (code === 'account_access_lost') return 'no_access'
  return accessResults.find(result => result === code)
}

async function mayRead(account: AccountRef, io: GoogleAdsIo): Promise<boolean> {
  try {
    await reaching(account, io, reached => findUserList('none', reached, io))
    return true
  } catch (error) {
    if (isFailure(error, 'no_access', 'account_access_lost')) return false
    throw error
  }
}

/**
 * Finds or makes the list, and takes the time by Google's clock: a replacement takes out who was last added
 * before it.
 */
async function begin(target: Target, upload: Upload, io: GoogleAdsIo): Promise<PartState> {
  const { external_id: id, progress } = target
  return reaching(reachedBefore(target), io, async reached => {
    const list = id === null ? await listFor(target, reached, io) : { id }
    const { value, at } = await readUserList(list.id, reached, io)
    if (value.membershipStatus === 'CLOSED') await openUserList(list.id, reached, io)
    const hasBegun = progress['session'] === upload.session
    return {
      external_id: list.id,
      progress: {
        through: reached.through,
        session: upload.session,
        as_of: hasBegun ? (progress['as_of'] ?? null) : (at ?? upload.begun_at).toISOString(),
        requests: hasBegun ? requestsOf(target) : [],
        sent_at: hasBegun ? (progress['sent_at'] ?? null) : null,
      },
    }
  })
}

const listFor = async (target: Target, reached: Reached, io: GoogleAdsIo): Promise<UserList> =>
  (await findUserList(target.audience.tag, reached, io)) ?? createUserList(target.audience, reached, io)

async function send(
  targets: readonly Target[],
  { upload, chunks }: Batch,
  io: GoogleAdsIo,
): Promise<SentPart[]> {
  const members = []
  for await (const chunk of chunks) members.push(...membersOf(chunk))
  const [first] = targets
  if (members.length === 0 || !first) return targets.map(target => ({ ...stateOf(target), request_id: null }))
  const action = upload.action === 'remove' ? 'remove' : 'ingest'
  const body = {
    destinations: targets.map(destinationOf),
    audienceMembers: members,
    encoding: 'HEX',
    ...(action === 'ingest' && agreements(first.audience.consent)),
  }
  const { value } = await callDataManager({ path: `v1/audienceMembers:${action}`, body }, Accepted, io)
  return targets.map(target => afterRequest(target, value.requestId, io))
}

/** After a replacement: everyone goes who was last added before it began. */
async function finish(target: Target, upload: Upload, io: GoogleAdsIo): Promise<PartState> {
  const { as_of: moment } = target.progress
  if (upload.action !== 'replace' || typeof moment !== 'string') return stateOf(target)
  const body = { destinations: [destinationOf(target)], removeAsOfTime: moment }
  const { value } = await callDataManager({ path: 'v1/audienceMembers:removeAll', body }, Accepted, io)
  return afterRequest(target, value.requestId, io)
}

async function remove(target: Target, io: GoogleAdsIo): Promise<void> {
  await reaching(reachedBefore(target), io, async reached => {
    const id = target.external_id ?? (await findUserList(target.audience.tag, reached, io))?.id
    if (id !== undefined) await deleteUserList(id, reached, io)
  })
}

/** Takes people out of every customer file of the account, ours or not. */
async function erase(
  account: AccountRef,
  rows: MemberRows,
  io: GoogleAdsIo,
): Promise<'done' | 'nothing_there'> {
  const audienceMembers = membersOf(rows)
  const destinations = await reaching(account, io, async reached => {
    const lists = (await Array.fromAsync(userListsOf(reached, OWN_FILES, io))).flat()
    return lists.map(({ id }) => destinationTo(id, reached))
  })
  if (destinations.length === 0 || audienceMembers.length === 0) return 'nothing_there'
  for (const some of chunked(destinations, DESTINATIONS_AT_ONCE)) {
    const body = { destinations: some, audienceMembers, encoding: 'HEX' }
    await callDataManager({ path: 'v1/audienceMembers:remove', body }, Accepted, io)
  }
  return 'done'
}
const OWN_FILES = 'access_reason = OWNED AND ingested_user_list_info.upload_key_types : CONTACT_ID'

const idOf = ({ external_id: id }: Target): string => {
  if (id === null) throw new PlatformFailure('audience_gone')
  return id
}

const stateOf = ({ external_id, progress }: Target): PartState => ({ external_id, progress })

/** Of a request whose response was lost nothing is known; it was sent again. */
function afterRequest(target: Target, requestId: string, io: GoogleAdsIo): SentPart {
  const requests = [...requestsOf(target), requestId]
  const progress = { ...target.progress, requests, sent_at: io.now().getTime() }
  return { external_id: target.external_id, progress, request_id: requestId }
}

function destinationOf(target: Target) {
  const { external_id: account, via: through } = reachedBefore(target)
  return destinationTo(idOf(target), { account, through })
}

const destinationTo = (id: string, { account, through }: Reached) => ({
  ...(through !== null && { loginAccount: { accountType: 'GOOGLE_ADS', accountId: through } }),
  operatingAccount: { accountType: 'GOOGLE_ADS', accountId: account },
  productDestinationId: id,
})

/** An empty `email_google` means that it is the same as `email`. */
function membersOf({ columns, rows }: MemberRows) {
  const [email, google, phone] = COLUMNS.map(column => columns.indexOf(column))
  const valueIn = (row: readonly string[], at = -1) => (at < 0 ? '' : (row[at] ?? ''))
  return rows.flatMap(row => {
    const emailAddress = valueIn(row, google) || valueIn(row, email)
    const phoneNumber = valueIn(row, phone)
    const userIdentifiers = [
      ...(emailAddress === '' ? [] : [{ emailAddress }]),
      ...(phoneNumber === '' ? [] : [{ phoneNumber }]),
    ]
    return userIdentifiers.length === 0 ? [] : [{ userData: { userIdentifiers } }]
  })
}

/** The advertiser's consent as it is, and the terms of Customer Match. */
const agreements = ({ ad_user_data: userData, ad_personalization: personalization }: Consent) => ({
  consent: {
    ...(userData !== 'unknown' && { adUserData: CONSENT[userData] }),
    ...(personalization !== 'unknown' && { adPersonalization: CONSENT[personalization] }),
  },
  termsOfService: { customerMatchTermsOfServiceStatus: 'ACCEPTED' },
})

const CONSENT = { granted: 'CONSENT_GRANTED', denied: 'CONSENT_DENIED' } as const
