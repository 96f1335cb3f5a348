import type { ErrorCode } from '#shared/errors.ts'
import type { PartStatus, Target } from '#server/connectors/audience.ts'
import { PlatformFailure } from '#server/connectors/connector.ts'
import { nextPollMs } from '#server/connectors/kit/matching-polls.ts'
import { callAudience, listOf } from './audience-calls.ts'
import { AUDIENCE_NODE_FIELDS, AudienceNode, type MetaIo, Recipient } from './schema.ts'

/** How an audience stands at Meta. */
export async function pollAudience(target: Target, io: MetaIo): Promise<PartStatus> {
  try {
    const params = { fields: AUDIENCE_NODE_FIELDS }
    const node = await callAudience({ target, params }, AudienceNode, io)
    const isOwn = node.account_id === target.account.external_id
    return isOwn || (await isRecipient(target, io)) ? statusOf(node, io.now()) : stopped('audience_gone')
  } catch (error) {
    if (error instanceof PlatformFailure && STOPPING.has(error.code)) return stopped(error.code)
    throw error
  }
}

/** Whether another account still shares the audience with this one. */
async function isRecipient({ account, external_id }: Target, io: MetaIo): Promise<boolean> {
  const call = { path: `${external_id}/adaccounts`, account: account.external_id }
  return (await listOf(call, Recipient, io)).some(({ id }) => id === account.external_id)
}

function statusOf(node: AudienceNode, now: Date): PartStatus {
  const { code } = node.operation_status
  const size = sizeOf(node)
  if (WORKING.has(code)) {
    const since = new Date((node.time_content_updated ?? 0) * 1000)
    return { ...NOTHING_WRONG, state: 'matching', size, poll_after_ms: nextPollMs(since, now) }
  }
  const stop = STOPS[code]
  if (stop) return { ...NOTHING_WRONG, ...stop, size }
  if (node.delivery_status.code >= NOT_USABLE) return { ...stopped('platform_error'), size }
  return { ...NOTHING_WRONG, state: node.delivery_status.code === TOO_SMALL ? 'too_small' : 'ready', size }
}

/** As Meta shows it: 3400–3600. */
const sizeOf = ({
  approximate_count_lower_bound: lower,
  approximate_count_upper_bound: upper,
}: AudienceNode): string | null => (lower < 0 || upper < 0 ? null : `${lower}–${upper}`)

/** Being replaced or filled; a lookalike that is being made, or made again. */
const WORKING: ReadonlySet<number> = new Set([414, 432, 433, 434, 441])
const STOPS: Readonly<Record<number, Pick<PartStatus, 'state' | 'code'>>> = {
  415: { state: 'failed', code: 'platform_error' },
  // The pixel is missing or not valid; one that is silent may speak again.
  421: { state: 'stopped', code: 'platform_error' },
  423: { state: 'stopped', code: 'platform_error' },
  431: { state: 'failed', code: 'platform_error' },
  470: { state: 'stopped', code: 'account_inactive' },
  471: { state: 'stopped', code: 'audience_flagged' },
  500: { state: 'failed', code: 'platform_error' },
}
const TOO_SMALL = 300
const NOT_USABLE = 400

/** What an audience does not come back from by itself. */
const STOPPING: ReadonlySet<ErrorCode> = new Set([
  'audience_gone',
  'no_access',
  'terms_not_accepted',
  'not_claimed_by_business',
  'audience_flagged',
])

const NOTHING_WRONG = { match: null, code: null, poll_after_ms: 0 }
const stopped = (code: ErrorCode): PartStatus => ({ ...NOTHING_WRONG, state: 'stopped', size: null, code })
