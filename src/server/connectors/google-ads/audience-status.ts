import type { ErrorCode } from '#shared/errors.ts'
import type { PartStatus, Target } from '#server/connectors/audience.ts'
import { isRefusal } from '#server/connectors/kit/failures.ts'
import { callDataManager, isFailure } from './data-manager.ts'
import { RequestStatus, type DestinationStatus, type UserList } from './data-manager-schema.ts'
import { reachedBefore, reaching, readUserList } from './user-lists.ts'
import type { GoogleAdsIo } from './schema.ts'

const MINUTE = 60_000
const HOUR = 60 * MINUTE
/** Longer than Google takes; what it says of a request is not available for ever. */
const PROCESSED_AFTER = 48 * HOUR
/** Fewer people than this in a network, and the list does not serve there. */
const LEAST_PEOPLE = 100

/** How a list stands: its requests, until Google has processed them, and how many people it has found. */
export async function audienceStatus(target: Target, io: GoogleAdsIo): Promise<PartStatus> {
  const { external_id: id, progress } = target
  const { sent_at: sentAt = null } = progress
  if (id === null) return stopped('audience_gone')
  const age = typeof sentAt === 'number' ? io.now().getTime() - sentAt : PROCESSED_AFTER
  try {
    const { value: list } = await reaching(reachedBefore(target), io, reached =>
      readUserList(id, reached, io),
    )
    const statuses = age < PROCESSED_AFTER ? await statusesOf(target, id, io) : []
    return statusOf(list, statuses, age)
  } catch (error) {
    if (isFailure(error, 'audience_gone', 'audience_flagged', 'no_access')) return stopped(error.code)
    throw error
  }
}

/**
 * What Google says of each request of the last upload about this list. The last one is looked at first:
 * while it is being processed, the others do not matter.
 */
async function statusesOf(target: Target, id: string, io: GoogleAdsIo): Promise<DestinationStatus[]> {
  const statuses: DestinationStatus[] = []
  for (const requestId of requestsOf(target).toReversed()) {
    const found = await destinationStatus(requestId, id, io)
    if (found) statuses.push(found)
    if (found?.requestStatus === 'PROCESSING') return statuses
  }
  return statuses
}

/** The requests of the last upload, as they are stored. */
export const requestsOf = ({ progress: { requests } }: Target): readonly string[] =>
  Array.isArray(requests) ? requests : []

async function destinationStatus(
  requestId: string,
  id: string,
  io: GoogleAdsIo,
): Promise<DestinationStatus | undefined> {
  const path = `v1/requestStatus:retrieve?${new URLSearchParams({ requestId })}`
  try {
    const { value } = await callDataManager({ path }, RequestStatus, io)
    return value.requestStatusPerDestination.find(
      ({ destination }) => destination.productDestinationId === id,
    )
  } catch (error) {
    // Google has forgotten it.
    if (isRefusal(error, 'INVALID_REQUEST_ID')) return undefined
    throw error
  }
}

function statusOf(list: UserList, statuses: DestinationStatus[], age: number): PartStatus {
  const { displayNetworkMembersCount: display, searchNetworkMembersCount: search } = list.sizeInfo
  const facts = {
    size: display === search ? String(display) : `${display} / ${search}`,
    match: matchOf(list, statuses),
    code: null,
    poll_after_ms: pollAfter(age),
  }
  if (statuses.some(({ requestStatus }) => requestStatus === 'PROCESSING'))
    return { ...facts, state: 'matching', size: null, match: null }
  const failed = statuses.filter(({ requestStatus }) => requestStatus === 'FAILED')
  if (failed.length > 0 && failed.length === statuses.length)
    return { ...facts, state: 'failed', code: whyFailed(failed) }
  const people = Math.max(display, search)
  // Google counts later than it processes: nobody at all may be anybody yet.
  if (people === 0 && statuses.length > 0) return { ...facts, state: 'matching', size: null }
  return { ...facts, state: people < LEAST_PEOPLE ? 'too_small' : 'ready' }
}

/** More rarely, the longer it takes: mostly hours. */
const pollAfter = (age: number) => Math.min(HOUR, Math.max(MINUTE, age / 4))

/** The words of the upload; of several that differ, those that the whole list's rate has. */
function matchOf({ ingestedUserListInfo: info }: UserList, statuses: DestinationStatus[]): string | null {
  const ranges = new Set(
    statuses.flatMap(
      ({ audienceMembersIngestionStatus: { userDataIngestionStatus: status } }) =>
        status.uploadMatchRateRange ?? [],
    ),
  )
  const [range] = ranges
  if (range !== undefined && ranges.size === 1) return range
  const { matchRatePercentage: percent } = info.contactIdInfo
  return percent === undefined ? null : rangeOf(percent)
}

function rangeOf(percent: number): string {
  if (percent < 20) return 'LESS_THAN_20'
  if (percent < 31) return '20_TO_30'
  const from = 10 * Math.floor((percent - 1) / 10) + 1
  return `${from}_TO_${from + 9}`
}

const whyFailed = (statuses: DestinationStatus[]): ErrorCode => {
  const reasons = statuses.flatMap(({ errorInfo }) => errorInfo.errorCounts.map(({ reason }) => reason))
  return reasons.some(reason => reason.endsWith('_CONSENT')) ? 'consent_denied' : 'platform_error'
}

const stopped = (code: ErrorCode): PartStatus => ({
  state: 'stopped',
  size: null,
  match: null,
  code,
  poll_after_ms: HOUR,
})
