import { PlatformFailure, type AccountRef, type PlatformAccount } from '#server/connectors/connector.ts'
import { Refusal } from '#server/connectors/kit/failures.ts'
import { findAccount, firstTime } from '#server/connectors/kit/lists.ts'
import { callApi, pagesOf, pathOf } from './client.ts'
import { AdAccount, ChildGroup, ListPage, type LineIo } from './schema.ts'

/**
 * The accounts of the login's groups and of all groups below them: their own ones and those that were linked
 * to them, each once.
 */
export async function* listAccounts(io: LineIo): AsyncGenerator<PlatformAccount[]> {
  const isNew = firstTime()
  for await (const group of groupsOf(io)) {
    for await (const accounts of accountsOf(group, io)) {
      const fresh = accounts.filter(({ external_id }) => isNew(external_id))
      if (fresh.length > 0) yield fresh
    }
  }
}

/**
 * LINE has no request for one account: its campaigns show whether it can be read, the list of its group has
 * its name.
 */
export async function checkAccount({ external_id, via }: AccountRef, io: LineIo): Promise<PlatformAccount> {
  await callApi({ path: pathOf`adaccounts/${external_id}/campaigns`, params: [['size', '1']] }, ListPage, io)
  const account =
    (via === null ? null : await foundIn(accountsOf(via, io), external_id)) ??
    (await foundIn(listAccounts(io), external_id))
  if (account === null)
    throw new PlatformFailure('account_access_lost', { platform_message: 'in none of the groups' })
  return account
}

/** Breadth first, so that an account is found through the group nearest to the login. */
async function* groupsOf(io: LineIo): AsyncGenerator<string> {
  const groups = [...new Set(io.login.group_ids)]
  // The list grows while it is walked through.
  for (const group of groups) {
    yield group
    for await (const children of pagesOf({ path: pathOf`groups/${group}/children` }, ChildGroup, io)) {
      for (const { id } of children) if (!groups.includes(id)) groups.push(id)
    }
  }
}

async function* accountsOf(group: string, io: LineIo): AsyncGenerator<PlatformAccount[]> {
  for await (const accounts of pagesOf({ path: pathOf`groups/${group}/adaccounts` }, AdAccount, io)) {
    yield accounts.map(account => ({ ...account, via: group }))
  }
}

/** null when it is not there, or when the login has lost the group. */
async function foundIn(
  lists: AsyncIterable<PlatformAccount[]>,
  externalId: string,
): Promise<PlatformAccount | null> {
  try {
    return await findAccount(lists, externalId)
  } catch (error) {
    if (error instanceof Refusal && error.code === 'account_access_lost') return null
    throw error
  }
}
