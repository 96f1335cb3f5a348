import { createHash } from 'node:crypto'
import { chunked } from '#shared/chunked.ts'
import { errorFacts } from '#shared/errors.ts'
import { ReportPending, PlatformFailure, type AccountRef } from '#server/connectors/connector.ts'
import { isRefusal, unreadable } from '#server/connectors/kit/failures.ts'
import { finishJobs, type JobState, type ReportService } from '#server/connectors/kit/report-jobs.ts'
import { LyReportJobs, type LyIo, type LyReportJob } from '#server/connectors/yahoo/schema.ts'
import { productOf } from './accounts.ts'
import { callApi, download, numberOf, type ApiCall } from './client.ts'
import { refusedElement } from './failures.ts'

/** One report: an element of ReportDefinitionService/add. */
export interface Definition {
  fields: readonly string[]
  operand: Readonly<Record<string, unknown>>
  /** The conversions that are counted, of those that its rows name; null: rows name none. */
  actions: readonly string[] | null
}

const REMOVED_AT_ONCE = 30

/** How LY prepares reports. */
export const reportService = (account: AccountRef, io: LyIo): ReportService<Definition> => ({
  keyOf: definition => keyOf(definition, account),
  submit: definition => submit(definition, account, io),
  poll: ids => poll(ids, account, io),
})

/**
 * The file of a finished report. It may be gone since: two requests of a run with the same report share it,
 * and the first reader deletes it. Then it is prepared once more, and not deleted.
 */
export async function fileOf(definition: Definition, account: AccountRef, io: LyIo): Promise<Buffer[]> {
  const key = keyOf(definition, account)
  const file = await fileUnder(key, account, io)
  if (file !== null) return file
  await io.jobs.startOnce(retainedKey(key), async () => 'kept')
  await finishJobs([definition], reportService(account, io), io)
  const again = await fileUnder(key, account, io)
  if (again === null) throw new ReportPending(POLL_AFTER_MS)
  return again
}

/** Whether a later attempt will need what has been submitted. */
export const isWaiting = (error: unknown) =>
  error instanceof ReportPending || (error instanceof PlatformFailure && errorFacts(error.code).retried)

/**
 * Deletes reports that are not needed any more: unfinished ones count among the sixty that an account may
 * have under way.
 */
export async function removeAll(
  definitions: readonly Definition[],
  account: AccountRef,
  io: LyIo,
): Promise<void> {
  const accountId = numberOf(account.external_id)
  const operands: string[] = []
  for (const definition of definitions) {
    const key = keyOf(definition, account)
    const id = await io.jobs.find(key)
    if (id === null || (await io.jobs.find(retainedKey(key))) !== null) continue
    operands.push(`{"accountId":${accountId},"reportJobId":${id}}`)
    await io.jobs.forget(key)
  }
  for (const operand of chunked(operands, REMOVED_AT_ONCE)) {
    const body = `{"accountId":${accountId},"operand":[${operand.join(',')}]}`
    try {
      await callApi({ ...callOf(account, 'remove'), body }, LyReportJobs, io)
    } catch (error) {
      // They expire by themselves after a week, and what has been read is not lost.
      if (!(error instanceof PlatformFailure)) throw error
    }
  }
}

/** LY's codes for a report that has been deleted or has expired, and for one that is still under way. */
const GONE = 'I0001'
const NOT_FINISHED = 'S0001'
const POLL_AFTER_MS = 5000
const retainedKey = (key: string) => `${key} kept`

/** null where there is no file: nothing was submitted, or it is gone or not finished. */
async function fileUnder(key: string, account: AccountRef, io: LyIo): Promise<Buffer[] | null> {
  const id = await io.jobs.find(key)
  if (id === null) return null
  try {
    const body = `{"accountId":${numberOf(account.external_id)},"reportJobId":${id}}`
    return await download({ ...callOf(account, 'download'), body }, hasTotal, io)
  } catch (error) {
    if (isRefusal(error, GONE)) await io.jobs.forget(key)
    else if (!isRefusal(error, NOT_FINISHED)) throw error
    return null
  }
}

/** Says the whole call, in the length that a name may have. */
const keyOf = ({ operand, actions }: Definition, { provider, external_id }: AccountRef) =>
  createHash('sha256')
    .update(JSON.stringify([provider, external_id, operand, ...(actions ? [actions] : [])]))
    .digest('base64url')

function callOf(account: AccountRef, operation: string): Omit<ApiCall, 'body'> {
  return {
    provider: productOf(account),
    operation: `ReportDefinitionService/${operation}`,
    base: account.via ?? account.external_id,
    account: account.external_id,
  }
}

async function submit({ operand }: Definition, account: AccountRef, io: LyIo): Promise<string | null> {
  const body = `{"accountId":${numberOf(account.external_id)},"operand":[${JSON.stringify(operand)}]}`
  const { values } = await callApi({ ...callOf(account, 'add'), body }, LyReportJobs, io)
  const [value] = values
  if (value?.reportDefinition) return value.reportDefinition.reportJobId
  if (!value?.errors?.length) throw unreadable('ReportDefinitionService/add: neither a report nor a refusal')
  const refusal = refusedElement(value.errors, io)
  if (isRefusal(refusal, 'LT001')) return null
  throw refusal
}

async function poll(ids: string[], account: AccountRef, io: LyIo): Promise<ReadonlyMap<string, JobState>> {
  const accountId = numberOf(account.external_id)
  const body = `{"accountId":${accountId},"reportJobIds":[${ids.join(',')}],"numberResults":500,"startIndex":1}`
  const { values } = await callApi({ ...callOf(account, 'get'), body }, LyReportJobs, io)
  const jobs = values.flatMap(({ reportDefinition }) => reportDefinition ?? [])
  return new Map(jobs.map(job => [job.reportJobId, stateOf(job, io.now())]))
}

function stateOf(job: LyReportJob, now: Date): JobState {
  switch (job.reportJobStatus) {
    case 'COMPLETED':
      return { state: 'finished' }
    case 'WAIT':
    case 'IN_PROGRESS':
      return { state: 'running', age_ms: ageOf(job, now) }
    default: {
      const platform_message = `${job.reportJobStatus}: ${job.reportJobErrorDetail ?? ''}`.slice(0, 1000)
      const isTooLarge = /over limit|file size/i.test(platform_message)
      const code = isTooLarge ? 'too_large' : 'platform_unavailable'
      return { state: 'failed', failure: new PlatformFailure(code, { platform_message }) }
    }
  }
}

/** "2026/11/20 19:18:38" or "20261120191838", of Japan. */
function ageOf({ requestTime }: LyReportJob, now: Date): number {
  const digits = requestTime?.replaceAll(/\D/g, '') ?? ''
  const [, date, hour, minute, second] = /^(\d{8})(\d{2})(\d{2})(\d{2})$/.exec(digits) ?? []
  if (date === undefined) return 0
  const requested = Temporal.PlainDateTime.from(`${date}T${hour}:${minute}:${second}`).toZonedDateTime(
    'Asia/Tokyo',
  )
  return Math.max(0, now.getTime() - requested.epochMilliseconds)
}

/**
 * A file with rows ends in a row of totals, which is requested to know that nothing is missing; one without
 * rows is its header alone.
 */
function hasTotal(file: readonly Buffer[]): boolean {
  const block = file.at(-1) ?? Buffer.alloc(0)
  const lines = block.at(-1) === NEW_LINE ? block.subarray(0, -1) : block
  const start = lines.lastIndexOf(NEW_LINE) + 1
  const isOnly = start === 0 && file.length < 2
  return isOnly || lines.subarray(start, start + TOTAL.length).equals(TOTAL)
}

const NEW_LINE = 10
const TOTAL = Buffer.from('Total,')
