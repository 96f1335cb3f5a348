import type { AccountRef, PlatformAccount } from '#server/connectors/connector.ts'
import { unreadable } from '#server/connectors/kit/failures.ts'
import { firstTime } from '#server/connectors/kit/lists.ts'
import { callApi, pagesOf } from './client.ts'
import { AD_ACCOUNT_FIELDS, AdAccount, type MetaIo } from './schema.ts'

/** Every ad account that the login sees, each once. */
export async function* listAccounts(io: MetaIo): AsyncGenerator<PlatformAccount[]> {
  const params = { fields: AD_ACCOUNT_FIELDS }
  const isNew = firstTime()
  for await (const accounts of pagesOf(
    { path: 'me/adaccounts', params, account: null, bare_ids: true },
    io,
  )) {
    const fresh = accounts.map(accountOf).filter(({ external_id }) => isNew(external_id))
    if (fresh.length === 0 && accounts.length > 0) throw unreadable('me/adaccounts: a page that came twice')
    if (fresh.length > 0) yield fresh
  }
}

export async function checkAccount({ external_id }: AccountRef, io: MetaIo): Promise<PlatformAccount> {
  const params = { fields: AD_ACCOUNT_FIELDS }
  const call = { path: `act_${external_id}`, params, account: external_id, bare_ids: true }
  const account = await callApi(call, AdAccount, io)
  if (account.external_id !== external_id) throw unreadable(`${call.path}: another account`)
  return account
}

function accountOf(account: unknown, index: number): PlatformAccount {
  const read = AdAccount.safeParse(account)
  if (!read.success) throw unreadable(`me/adaccounts: data[${index}].${read.error.issues[0]?.path.join('.')}`)
  return read.data
}
