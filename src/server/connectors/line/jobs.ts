import { z } from 'zod'
import { chunked } from '#shared/chunked.ts'
import { ReportPending, PlatformFailure } from '#server/connectors/connector.ts'
import { isRefusal } from '#server/connectors/kit/failures.ts'
import { pollTogether } from '#server/connectors/kit/poll-rounds.ts'
import { slicesOf, type Slice } from '#server/connectors/kit/slices.ts'
import { callApi, pagesOf, pathOf, remove } from './client.ts'
import type { Level } from './fields.ts'
import { ReportNode, type LineIo } from './schema.ts'

// LINE prepares its reports asynchronously, and only for a whole account. The state of each request is
// remembered from attempt to attempt: the id of its report, or that it has to be requested in parts.

/** What one report is requested with. */
export interface ReportSpec {
  account: string
  level: Level
  days: Slice
  /** A row a day, or one for all the days. */
  is_daily: boolean
  by_os: boolean
  /** Whether the reports of parts of the days add up to that of all of them. */
  may_be_split: boolean
  /** Distinguishes requests of one run for the same report: each deletes its own. */
  request_key: string
}

/** One that has been submitted. */
export interface ReportJob {
  spec: ReportSpec
  id: string
  /** 1, or 2 for the one after a failure. */
  submission: number
  begun_ms: number
  /** Another request has read one like it before: it is not deleted here, but by LINE later. */
  is_kept: boolean
}

/** So long a worker may be held; three polls are within what a key may send at once, and a little later. */
const PAUSES_MS = [250, 500, 750, 500]
const SHORTEST_POLL_MS = 5000
const LONGEST_POLL_MS = 30_000
const SUBMISSIONS = 2
/** A list may not know yet of a report that was created a moment ago. */
const UNLISTED_MS = 60_000
const LONGEST_MS = 60 * 60_000
/** A hundred numbers make an address of two thousand characters, and fit on one page of the list. */
const POLLED_AT_ONCE = 100

/**
 * Returns once all reports are ready; throws ReportPending when that takes longer than a worker should wait.
 */
export async function finishReports(spec: ReportSpec[], io: LineIo): Promise<void> {
  let waiting: ReportJob[] = []
  for (const each of spec) waiting.push(...(await submitReports(each, io)))
  for (const pauseMs of PAUSES_MS) {
    if (waiting.length === 0) return
    waiting = await pollReports(waiting, { pauseMs, io })
  }
  if (waiting.length === 0) return
  const oldestMs = Math.max(...waiting.map(report => ageOf(report, io)))
  throw new ReportPending(Math.min(LONGEST_POLL_MS, Math.max(SHORTEST_POLL_MS, oldestMs)))
}

/** The reports of a request, one after another in time; submits those that have not been. */
export async function submitReports(spec: ReportSpec, io: LineIo): Promise<ReportJob[]> {
  const found = await submitOnce(spec, io, FIRST)
  if (found !== IN_PARTS) return [found]
  const reports: ReportJob[] = []
  for (const days of partsOf(spec.days)) reports.push(...(await submitReports({ ...spec, days }, io)))
  return reports
}

/** The report cannot be had as a whole: from now on its days are requested in parts. */
export async function splitReport(spec: ReportSpec, io: LineIo): Promise<void> {
  await io.jobs.forget(keyOf(spec))
  await io.jobs.startOnce(keyOf(spec), async () => IN_PARTS)
}

export const canBeSplit = ({ may_be_split, days }: ReportSpec) => may_be_split && days.start < days.end

/**
 * LINE does not know a report any more, most likely since it has been read: by an attempt that came no
 * further, or for a block with the same request. Submits another one, which is not deleted.
 */
export async function submitToKeep({ spec }: ReportJob, io: LineIo): Promise<ReportJob[]> {
  await io.jobs.forget(keyOf(spec))
  const again = await submitOnce(spec, io, { ...FIRST, is_kept: true })
  return again === IN_PARTS ? submitReports(spec, io) : [again]
}

/**
 * Deletes a report that has been read to its end. It stays known as submitted: a later reader finds that it
 * is gone.
 */
export async function removeReport({ spec, id, is_kept }: ReportJob, io: LineIo): Promise<void> {
  if (!is_kept) await remove(pathOf`adaccounts/${spec.account}/pfreports/${id}`, io)
}

const IN_PARTS = 'in parts'
const FIRST: Try = { submission: 1, is_kept: false }

type Try = Pick<ReportJob, 'submission' | 'is_kept'>

async function submitOnce(spec: ReportSpec, io: LineIo, which: Try): Promise<ReportJob | typeof IN_PARTS> {
  const job = await io.jobs.startOnce(keyOf(spec), () => submit(spec, io, which))
  return job === IN_PARTS ? IN_PARTS : { spec, ...StoredJob.parse(JSON.parse(job)) }
}

const StoredJob = z.object({
  id: z.string(),
  submission: z.int(),
  begun_ms: z.number(),
  is_kept: z.boolean(),
})

async function submit(spec: ReportSpec, io: LineIo, which: Try): Promise<string> {
  const path = pathOf`adaccounts/${spec.account}/pfreports`
  try {
    const { id } = await callApi({ method: 'POST', path, body: bodyOf(spec) }, ReportNode, io)
    return JSON.stringify({ id, begun_ms: io.now().getTime(), ...which } satisfies z.infer<typeof StoredJob>)
  } catch (error) {
    if (isRefusal(error, 'REQUEST_INPUT_PERIOD_LONGER_THAN_ONE_MONTH') && canBeSplit(spec)) return IN_PARTS
    throw error
  }
}

/** Removed campaigns are left out by default, and what they have cost with them. */
function bodyOf({ account, level, days, is_daily, by_os }: ReportSpec) {
  const breakdown = { ...(is_daily && { time: 'DAY' }), ...(by_os && { delivery: 'os' }) }
  return {
    level,
    since: days.start,
    until: days.end,
    ...((is_daily || by_os) && { breakdown }),
    filtering: { idType: 'ADACCOUNT', ids: [account] },
    includeRemove: true,
    fileFormat: 'CSV',
    locale: 'en',
  }
}

const keyOf = (spec: ReportSpec) => JSON.stringify([spec.request_key, bodyOf(spec)])

/** The months of the days, or halves of a month. */
function partsOf(days: Slice): Slice[] {
  const months = slicesOf(days, 'month')
  if (months.length > 1) return months
  const first = Temporal.PlainDate.from(days.start)
  const half = first.add({ days: Math.floor(first.until(days.end).days / 2) })
  return [
    { start: days.start, end: half.toString() },
    { start: half.add({ days: 1 }).toString(), end: days.end },
  ]
}

/** Polls many reports at once, after a pause; those that failed or are gone are submitted again. */
async function pollReports(
  reports: ReportJob[],
  { pauseMs, io }: { pauseMs: number; io: LineIo },
): Promise<ReportJob[]> {
  const statuses = await statusesAfter(pauseMs, reports, io)
  const waiting: ReportJob[] = []
  for (const report of reports) {
    const status = statuses.get(report.id) ?? 'UNLISTED'
    if (status === 'READY') continue
    if (status === 'ERROR') {
      waiting.push(...(await resubmit(report, io)))
      continue
    }
    if (status === 'UNLISTED' && ageOf(report, io) > UNLISTED_MS) {
      waiting.push(...(await submitToKeep(report, io)))
      continue
    }
    if (ageOf(report, io) > LONGEST_MS) {
      await io.jobs.forget(keyOf(report.spec))
      throw new PlatformFailure('platform_timeout', { platform_message: `report ${report.id}: ${status}` })
    }
    waiting.push(report)
  }
  return waiting
}

/** What failed twice will fail again. */
async function resubmit(report: ReportJob, io: LineIo): Promise<ReportJob[]> {
  await io.jobs.forget(keyOf(report.spec))
  if (report.submission >= SUBMISSIONS)
    throw new PlatformFailure('platform_unavailable', { platform_message: `report ${report.id}: ERROR` })
  const again = await submitOnce(report.spec, io, {
    submission: report.submission + 1,
    is_kept: report.is_kept,
  })
  return again === IN_PARTS ? submitReports(report.spec, io) : [again]
}

/** Of all accounts. */
async function statusesAfter(pauseMs: number, reports: ReportJob[], io: LineIo) {
  const byAccount = Map.groupBy(reports, ({ spec }) => spec.account)
  const ofAccounts = await Promise.all(
    [...byAccount].map(([account, some]) =>
      pollTogether(io.rounds ?? new Map(), {
        key: account,
        ids: some.map(({ id }) => id),
        pause: () => io.sleep(pauseMs),
        send: ids => statusesOf(account, ids, io),
      }),
    ),
  )
  return new Map(ofAccounts.flatMap(states => [...states]))
}

async function statusesOf(account: string, ids: readonly string[], io: LineIo) {
  const statuses = new Map<string, ReportNode['status']>()
  for (const some of chunked(ids, POLLED_AT_ONCE)) {
    const path = pathOf`adaccounts/${account}/pfreports`
    const params = some.map(id => ['ids', id] as const)
    for await (const nodes of pagesOf({ path, params }, ReportNode, io))
      for (const { id, status } of nodes) statuses.set(id, status)
  }
  return statuses
}

const ageOf = ({ begun_ms }: ReportJob, { now }: LineIo) => now().getTime() - begun_ms
