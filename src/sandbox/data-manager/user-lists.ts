import { z } from 'zod'
import { GOOGLE_CUSTOMERS, type GoogleCustomer } from '#sandbox/dataset/google-ads.ts'
import { type Remembered, rememberedAs } from '#sandbox/memory.ts'
import { isRecord } from '#sandbox/record.ts'
import { mayUpload } from './access.ts'
import { invalid, malformed, refused, type Violation } from './errors.ts'
import { passes, readFilter } from './filter.ts'
import { createMembership, type Membership, MembershipState } from './membership.ts'
import { snakeCase, type UserListMessage } from './messages.ts'

export interface UserList {
  id: string
  account: string
  /** What was written of it, as it came. */
  fields: UserListMessage
  access: 'OWNED' | 'SHARED'
  members: Membership
}

export interface UserLists {
  list(account: GoogleCustomer, url: URL, now: number): object
  find(account: GoogleCustomer, id: string): UserList | undefined
  create(account: GoogleCustomer, fields: UserListMessage, isRehearsal: boolean): UserList
  update(list: UserList, fields: UserListMessage, how: { mask: string; isRehearsal: boolean }): UserList
  remove(list: UserList): void
  remembered: Remembered
  reset(): void
}

const Stored = z.object({
  lastId: z.number(),
  lists: z.array(
    z.object({
      id: z.string(),
      account: z.string(),
      fields: z.custom<UserListMessage>(isRecord),
      access: z.enum(['OWNED', 'SHARED']),
      members: MembershipState,
    }),
  ),
})

const DAY_S = 86_400
const LONGEST_S = 540 * DAY_S
const MOST = 1000

export function createUserLists(fillingMs: () => number): UserLists {
  let lists: UserList[] = []
  let lastId = 0
  const ofAccount = ({ id }: GoogleCustomer) => lists.filter(({ account }) => account === id)
  const isTaken = (account: string, name: string, but: string | null) =>
    lists.some(each => each.account === account && each.fields.displayName === name && each.id !== but)
  const reset = () => {
    lists = initialLists(fillingMs)
    lastId = 8_000_000_000
  }
  reset()
  return {
    reset,
    list: (account, url, now) => pageOf(ofAccount(account), url, now),
    find: (account, id) => ofAccount(account).find(list => list.id === id),
    create(account, fields, isRehearsal) {
      check(fields, name => isTaken(account.id, name, null))
      if (fields.ingestedUserListInfo && !mayUpload(account))
        throw refused('NOT_ALLOWLISTED', { status: 403 })
      const id = isRehearsal ? '' : String((lastId += 1))
      const members = createMembership(fillingMs)
      const list: UserList = { id, account: account.id, fields, access: 'OWNED', members }
      if (!isRehearsal) lists.push(list)
      return list
    },
    update(list, fields, { mask, isRehearsal }) {
      if (list.access !== 'OWNED') throw refused('OWNERSHIP_REQUIRED_FOR_UPDATE')
      if (!list.fields.ingestedUserListInfo) throw refused('USER_LIST_MUTATION_NOT_SUPPORTED')
      const after = { ...list.fields, ...changesOf(fields, mask) }
      check(after, name => isTaken(list.account, name, list.id))
      if (isRehearsal) return { ...list, fields: after }
      list.fields = after
      return list
    },
    remove(list) {
      if (list.access !== 'OWNED') throw refused('OWNERSHIP_REQUIRED_FOR_UPDATE')
      lists = lists.filter(each => each !== list)
    },
    remembered: rememberedAs(Stored, {
      get: () => ({ lastId, lists: lists.map(list => ({ ...list, members: list.members.state() })) }),
      set(stored) {
        lastId = stored.lastId
        lists = stored.lists.map(list => ({ ...list, members: createMembership(fillingMs, list.members) }))
      },
    }),
  }
}

/** A user list as the answers show it; numbers that are nought are left out. */
export function userListMessage({ id, account, fields, access, members }: UserList, now: number): object {
  const { records, matched } = members.countAt(now)
  const count = matched > 0 ? String(matched) : undefined
  const { ingestedUserListInfo: info, ...written } = fields
  return {
    ...(id !== '' && { name: `accountTypes/GOOGLE_ADS/accounts/${account}/userLists/${id}`, id }),
    ...(access !== 'OWNED' && { readOnly: true }),
    ...written,
    membershipStatus: written.membershipStatus ?? 'OPEN',
    membershipDuration: written.membershipDuration ?? `${LONGEST_S}s`,
    accessReason: access,
    sizeInfo: { displayNetworkMembersCount: count, searchNetworkMembersCount: count },
    targetNetworkInfo: { eligibleForDisplay: true, eligibleForSearch: true },
    ...(info && {
      ingestedUserListInfo: {
        ...info,
        contactIdInfo: {
          ...info.contactIdInfo,
          ...(matched > 0 && { matchRatePercentage: Math.round((100 * matched) / records) }),
        },
      },
    }),
  }
}

/** What accounts have before anything is uploaded: visitors, and one of them a list that another shares. */
const initialLists = (fillingMs: () => number): UserList[] =>
  GOOGLE_CUSTOMERS.filter(({ manager }) => !manager).flatMap(({ id: account, number }) => {
    const members = () => createMembership(fillingMs)
    const visitors = { displayName: 'All visitors (AdWords)', membershipDuration: `${30 * DAY_S}s` }
    const own: UserList = {
      id: `70000000${number}`,
      account,
      fields: visitors,
      access: 'OWNED',
      members: members(),
    }
    const shared: UserList = {
      ...own,
      id: `71000000${number}`,
      fields: {
        displayName: 'Shared by the brand',
        ingestedUserListInfo: { uploadKeyTypes: ['CONTACT_ID'] },
      },
      access: 'SHARED',
      members: members(),
    }
    return account === '4203141502' ? [own, shared] : [own]
  })

function check(fields: UserListMessage, isTaken: (name: string) => boolean): void {
  const [first, ...others] = violationsOf(fields, isTaken)
  if (first) throw invalid([first, ...others])
}

function violationsOf(
  { displayName = '', membershipDuration, ingestedUserListInfo: info }: UserListMessage,
  isTaken: (name: string) => boolean,
): Violation[] {
  const wrong = (field: string, reason: string) => ({ field: `user_list.${field}`, reason })
  const seconds = Number(membershipDuration?.slice(0, -1) ?? 0)
  return [
    ...(displayName.trim() === '' ? [wrong('display_name', 'REQUIRED_FIELD_MISSING')] : []),
    ...(displayName.length > 255 ? [wrong('display_name', 'FIELD_VALUE_TOO_LONG')] : []),
    ...(isTaken(displayName) ? [wrong('display_name', 'DISPLAY_NAME_ALREADY_USED')] : []),
    ...(seconds > LONGEST_S ? [wrong('membership_duration', 'MEMBERSHIP_DURATION_TOO_LONG')] : []),
    ...(seconds < 0 || seconds % DAY_S !== 0 ? [wrong('membership_duration', 'INVALID_ARGUMENT')] : []),
    ...(!info ? [wrong('ingested_user_list_info', 'REQUIRED_FIELD_MISSING')] : []),
    ...(info && info.uploadKeyTypes.length === 0
      ? [wrong('ingested_user_list_info.upload_key_types', 'REQUIRED_FIELD_MISSING')]
      : []),
    ...(info?.uploadKeyTypes.some(type => type !== 'CONTACT_ID')
      ? [wrong('ingested_user_list_info.upload_key_types', 'UNSUPPORTED_USER_LIST_UPLOAD_KEY_TYPES')]
      : []),
  ]
}

const CHANGEABLE = [
  'displayName',
  'description',
  'membershipStatus',
  'integrationCode',
  'membershipDuration',
] as const

/** The fields that a mask names; without one those that came. What cannot change is refused by its name. */
function changesOf(fields: UserListMessage, mask: string): UserListMessage {
  const { name: _name, ...sent } = fields
  const named = mask === '' ? Object.keys(sent) : mask.split(',').map(path => camelCased(path.trim()))
  const immutable = named.find(path => path.startsWith('ingestedUserListInfo'))
  if (immutable !== undefined)
    throw invalid([{ field: `user_list.${snakeCase(immutable)}`, reason: 'IMMUTABLE_FIELD_FOR_UPDATE' }])
  const changed = CHANGEABLE.filter(path => named.includes(path))
  if (changed.length === 0 || changed.length < named.length)
    throw invalid([{ field: 'update_mask', reason: 'INVALID_UPDATE_MASK' }])
  return Object.fromEntries(changed.map(path => [path, sent[path]]))
}

const camelCased = (path: string) => path.replaceAll(/_([a-z])/g, (_, letter: string) => letter.toUpperCase())

/** One page under pageSize (50 usually, 1,000 at most), pageToken and filter. */
function pageOf(lists: UserList[], { searchParams }: URL, now: number): object {
  const size = Number(searchParams.get('pageSize') ?? 0)
  if (!Number.isInteger(size) || size < 0)
    throw malformed(`Invalid value at 'page_size' (TYPE_INT32)`, 'page_size')
  const filter = searchParams.get('filter') ?? ''
  const conditions = readFilter(filter)
  const fitting = lists.filter(list => passes(list, conditions))
  const position = positionIn(searchParams.get('pageToken'), filter)
  const until = position + Math.min(size || 50, MOST)
  return {
    ...(fitting.length > position && {
      userLists: fitting.slice(position, until).map(list => userListMessage(list, now)),
    }),
    ...(until < fitting.length && { nextPageToken: tokenOf(until, filter) }),
  }
}

const tokenOf = (position: number, filter: string) =>
  Buffer.from(JSON.stringify([position, filter])).toString('base64url')

function positionIn(token: string | null, filter: string): number {
  if (token === null || token === '') return 0
  const [, position, of] = /^\[(\d+),(.*)\]$/s.exec(Buffer.from(token, 'base64url').toString()) ?? []
  if (of !== JSON.stringify(filter)) throw invalid([{ field: 'page_token', reason: 'INVALID_PAGE_TOKEN' }])
  return Number(position)
}
