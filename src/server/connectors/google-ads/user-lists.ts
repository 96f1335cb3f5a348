import type { AccountRef } from '#server/connectors/connector.ts'
import type { Target } from '#server/connectors/audience.ts'
import { isRefusal, unreadable } from '#server/connectors/kit/failures.ts'
import { managersFor } from './accounts.ts'
import { accountName, callDataManager, isFailure, type Answer } from './data-manager.ts'
import { Done, UserList, UserListPage } from './data-manager-schema.ts'
import type { GoogleAdsIo } from './schema.ts'

/** An account, and the one in which the login's person is a user: null is the account itself. */
export interface Reached {
  account: string
  through: string | null
}

/** Tries the managers that may lead to an account, the known one first, until one does. */
export async function reaching<Result>(
  account: Pick<AccountRef, 'external_id' | 'via'>,
  io: GoogleAdsIo,
  attempt: (reached: Reached) => Promise<Result>,
): Promise<Result> {
  const [first, ...others] = managersFor(account, io.login)
  const tried = (through: string | null) => attempt({ account: account.external_id, through })
  let failure: unknown
  for (const through of [first, ...others]) {
    try {
      return await tried(through)
    } catch (error) {
      if (!isFailure(error, 'no_access')) throw error
      failure ??= error
    }
  }
  throw failure
}

/** The account as its list was reached before; other managers are tried where that has changed. */
export function reachedBefore({ account, progress }: Target): Pick<AccountRef, 'external_id' | 'via'> {
  const { through } = progress
  const isKnown = through === null || typeof through === 'string'
  return { external_id: account.external_id, via: isKnown ? through : account.via }
}

const listsOf = ({ account }: Reached) => `v1/${accountName(account)}/userLists`

export const readUserList = (id: string, reached: Reached, io: GoogleAdsIo): Promise<Answer<UserList>> =>
  callDataManager({ path: `${listsOf(reached)}/${id}`, through: reached.through }, UserList, io)

/** The one that an earlier call has made, whose response was lost; it is known by our tag. */
export async function findUserList(tag: string, reached: Reached, io: GoogleAdsIo): Promise<UserList | null> {
  const filter = `integration_code = "${tag}"`
  for await (const lists of userListsOf(reached, filter, io)) {
    const [list] = lists
    if (list) return list
  }
  return null
}

const MOST_PAGES = 100

/** All that fit a filter, page by page. */
export async function* userListsOf(
  reached: Reached,
  filter: string,
  io: GoogleAdsIo,
): AsyncGenerator<UserList[]> {
  let token = ''
  for (let pages = 0; pages < MOST_PAGES; pages += 1) {
    const parameters = new URLSearchParams({ pageSize: '1000', filter, ...(token && { pageToken: token }) })
    const path = `${listsOf(reached)}?${parameters}`
    const { value } = await callDataManager({ path, through: reached.through }, UserListPage, io)
    yield value.userLists
    token = value.nextPageToken ?? ''
    if (token === '') return
  }
  throw unreadable('userLists: pages without end')
}

/** Makes a list, once for a tag, under a name that the account does not have yet. */
export async function createUserList(
  { name, description, tag, window_days: days }: Target['audience'],
  reached: Reached,
  io: GoogleAdsIo,
): Promise<UserList> {
  const body = { description, integrationCode: tag, ...customerFile(days) }
  return underFreeName(name, async displayName => {
    try {
      return await sendUserList({ displayName, ...body }, reached, io)
    } catch (error) {
      // It may be our own, of a call whose response was lost.
      const known = isNameTaken(error) ? await findUserList(tag, reached, io) : null
      if (known === null) throw error
      return known
    }
  })
}

/** Whether the account takes lists of customers; nothing is made. */
export async function rehearseUserList(reached: Reached, io: GoogleAdsIo): Promise<void> {
  const path = `${listsOf(reached)}?validateOnly=true`
  const body = { displayName: REHEARSED, ...customerFile(1) }
  try {
    await callDataManager({ path, body, through: reached.through }, Done, io)
  } catch (error) {
    if (!isNameTaken(error)) throw error
  }
}
const REHEARSED = 'Access check'

/** A list that nobody targets is closed by Google, and takes no members until it is opened again. */
export const openUserList = (id: string, reached: Reached, io: GoogleAdsIo): Promise<void> =>
  changeUserList(id, { fields: { membershipStatus: 'OPEN' }, reached }, io)

async function changeUserList(
  id: string,
  { fields, reached }: { fields: object; reached: Reached },
  io: GoogleAdsIo,
): Promise<void> {
  const path = `${listsOf(reached)}/${id}?updateMask=${Object.keys(fields).join()}`
  await callDataManager({ path, method: 'PATCH', body: fields, through: reached.through }, Done, io)
}

/** One that is gone already is no failure. */
export async function deleteUserList(id: string, reached: Reached, io: GoogleAdsIo): Promise<void> {
  const path = `${listsOf(reached)}/${id}`
  try {
    await callDataManager({ path, method: 'DELETE', through: reached.through }, Done, io)
  } catch (error) {
    if (!isFailure(error, 'audience_gone')) throw error
  }
}

async function sendUserList(body: object, reached: Reached, io: GoogleAdsIo): Promise<UserList> {
  const { value } = await callDataManager(
    { path: listsOf(reached), body, through: reached.through },
    UserList,
    io,
  )
  return value
}

const customerFile = (days: number) => ({
  membershipDuration: `${days * 86_400}s`,
  ingestedUserListInfo: {
    uploadKeyTypes: ['CONTACT_ID'],
    contactIdInfo: { dataSourceType: 'DATA_SOURCE_TYPE_FIRST_PARTY' },
  },
})

/** Names are unique in an account: " (2)" to " (9)" follow a name that another list has. */
async function underFreeName<Result>(
  name: string,
  attempt: (displayName: string) => Promise<Result>,
): Promise<Result> {
  for (let number = 1; ; number += 1) {
    try {
      return await attempt(number === 1 ? name : `${name} (${number})`)
    } catch (error) {
      if (number === 9 || !isNameTaken(error)) throw error
    }
  }
}

const isNameTaken = (error: unknown) => isRefusal(error, 'DISPLAY_NAME_ALREADY_USED')
