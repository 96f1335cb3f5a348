import type { MemberRows, Target } from '#server/connectors/audience.ts'
import { PlatformFailure, type AccountRef } from '#server/connectors/connector.ts'
import { isRefusal } from '#server/connectors/kit/failures.ts'
import { callAudience, callAudiences, findAudience } from './audience-calls.ts'
import { payloadRows, SCHEMA } from './audience-uploads.ts'
import { Done, type MetaIo, Received, Shared } from './schema.ts'

/** The ads that use it stop for good. */
export async function removeAudience(target: Target, io: MetaIo): Promise<void> {
  const found = await findAudience(target, io)
  if (found === null) return
  await unlessGone(() =>
    callAudience(
      { target: { ...target, external_id: found }, method: 'POST', params: { method: 'DELETE' } },
      Done,
      io,
    ),
  )
}

/** Accounts of one business; Meta takes those that have it already, too. */
export async function shareAudience(
  home: Target,
  recipients: readonly AccountRef[],
  io: MetaIo,
): Promise<void> {
  const params = { ...accountsOf(recipients), permissions: 'targeting' }
  const { sharing_data } = await changeShares(home, params, io)
  const refused = sharing_data.filter(({ errors }) => errors.length > 0)
  if (refused.length > 0)
    throw new PlatformFailure('platform_error', {
      platform_message: refused
        .map(({ ad_acct_id, errors }) => `${ad_acct_id}: ${JSON.stringify(errors)}`)
        .join('; '),
    })
}

export async function unshareAudience(home: Target, recipient: AccountRef, io: MetaIo): Promise<void> {
  const params = { ...accountsOf([recipient]), method: 'DELETE' }
  await unlessGone(() => changeShares(home, params, io))
}

const accountsOf = (accounts: readonly AccountRef[]) => ({
  adaccounts: JSON.stringify(accounts.map(({ external_id }) => external_id)),
})

/** Meta's reference and its own libraries name the edge differently. */
async function changeShares(target: Target, params: Record<string, string>, io: MetaIo) {
  const change = (edge: string) => callAudience({ target, edge, method: 'POST', params }, Shared, io)
  try {
    return await change('/adaccounts')
  } catch (error) {
    if (!isRefusal(error, UNKNOWN_PATH)) throw error
    return change('/ad_accounts')
  }
}

const UNKNOWN_PATH = '2500'

/** Takes people out of every customer file of an account; Meta does not say whether they were in one. */
export async function eraseMembers(account: AccountRef, rows: MemberRows, io: MetaIo): Promise<'done'> {
  const { external_id } = account
  const payload = JSON.stringify({ schema: SCHEMA, data: payloadRows(rows) })
  const call = {
    method: 'POST' as const,
    path: `act_${external_id}/usersofanyaudience`,
    params: { payload, method: 'DELETE' },
    account: external_id,
  }
  await callAudiences(call, Received.partial(), io)
  return 'done'
}

async function unlessGone(change: () => Promise<unknown>): Promise<void> {
  try {
    await change()
  } catch (error) {
    if (!(error instanceof PlatformFailure) || error.code !== 'audience_gone') throw error
  }
}
