import { createHash } from 'node:crypto'
import { JobUnderWay, PlatformFailure, type AccountRef } from '../../connector.ts'
import { unreadable } from '../../exchange.ts'
import { isRefused } from '../client.ts'
import type { Made, Maker } from '../made.ts'
import { LyReportJobs, type LyIo, type LyReportJob } from '../schema.ts'
import { productOf } from './accounts.ts'
import { ask, download, numberOf, refusedElement, type Question } from './wire.ts'

/** A report that LY makes: one element of ReportDefinitionService/add. */
export interface Definition {
  fields: readonly string[]
  operand: Readonly<Record<string, unknown>>
}

const REMOVED_AT_ONCE = 30

/** How LY makes reports. */
export const makerAt = (account: AccountRef, io: LyIo): Maker<Definition> => ({
  keyOf: definition => keyOf(definition, account),
  begin: definition => begin(definition, account, io),
  look: ids => look(ids, account, io),
})

/** The text of a report that has been made. */
export async function textOf(definition: Definition, account: AccountRef, io: LyIo): Promise<string> {
  const key = keyOf(definition, account)
  const id = await io.jobs.begun(key, async () => (await begin(definition, account, io)) ?? noRoom())
  const body = `{"accountId":${numberOf(account.external_id)},"reportJobId":${id}}`
  try {
    return await download({ ...questionOf(account, 'download'), body }, hasTotal, io)
  } catch (error) {
    // Not made yet, or gone: whoever looks again begins it anew.
    if (isRefused(error, 'I0001')) await io.jobs.forget(key)
    if (isRefused(error, 'I0001', 'S0001')) throw new JobUnderWay(LOOK_AGAIN_MS)
    throw error
  }
}

/** Takes back reports that nobody waits for any more: they count among the sixty that an account may have under way. */
export async function removeAll(
  definitions: readonly Definition[],
  account: AccountRef,
  io: LyIo,
): Promise<void> {
  const ids: string[] = []
  for (const definition of definitions) {
    const key = keyOf(definition, account)
    try {
      ids.push(await io.jobs.begun(key, () => Promise.reject(new NeverBegun())))
      await io.jobs.forget(key)
    } catch (error) {
      if (!(error instanceof NeverBegun)) throw error
    }
  }
  for (let at = 0; at < ids.length; at += REMOVED_AT_ONCE) {
    const accountId = numberOf(account.external_id)
    const operand = ids
      .slice(at, at + REMOVED_AT_ONCE)
      .map(id => `{"accountId":${accountId},"reportJobId":${id}}`)
    const body = `{"accountId":${accountId},"operand":[${operand.join(',')}]}`
    try {
      await ask({ ...questionOf(account, 'remove'), body }, LyReportJobs, io)
    } catch (error) {
      // They vanish by themselves after a week: nothing that has been read is lost for it.
      if (!(error instanceof PlatformFailure)) throw error
    }
  }
}

class NeverBegun extends Error {}

const LOOK_AGAIN_MS = 5000

function noRoom(): never {
  throw new JobUnderWay(LOOK_AGAIN_MS)
}

/** Says the whole question, in the length that a name may have. */
const keyOf = ({ operand }: Definition, { provider, external_id }: AccountRef) =>
  createHash('sha256')
    .update(JSON.stringify([provider, external_id, operand]))
    .digest('base64url')

function questionOf(account: AccountRef, operation: string): Omit<Question, 'body'> {
  return {
    provider: productOf(account),
    operation: `ReportDefinitionService/${operation}`,
    base: account.via ?? account.external_id,
    account: account.external_id,
  }
}

async function begin({ operand }: Definition, account: AccountRef, io: LyIo): Promise<string | null> {
  const body = `{"accountId":${numberOf(account.external_id)},"operand":[${JSON.stringify(operand)}]}`
  const { values } = await ask({ ...questionOf(account, 'add'), body }, LyReportJobs, io)
  const [value] = values
  if (value?.reportDefinition) return value.reportDefinition.reportJobId
  if (!value?.errors?.length) throw unreadable('ReportDefinitionService/add: neither a report nor a refusal')
  const refusal = refusedElement(value.errors, io)
  if (isRefused(refusal, 'LT001')) return null
  throw refusal
}

async function look(ids: string[], account: AccountRef, io: LyIo): Promise<ReadonlyMap<string, Made>> {
  const accountId = numberOf(account.external_id)
  const body = `{"accountId":${accountId},"reportJobIds":[${ids.join(',')}],"numberResults":500,"startIndex":1}`
  const { values } = await ask({ ...questionOf(account, 'get'), body }, LyReportJobs, io)
  const jobs = values.flatMap(({ reportDefinition }) => reportDefinition ?? [])
  return new Map(jobs.map(job => [job.reportJobId, madeOf(job, io.now())]))
}

function madeOf(job: LyReportJob, now: Date): Made {
  switch (job.reportJobStatus) {
    case 'COMPLETED':
      return { state: 'made' }
    case 'WAIT':
    case 'IN_PROGRESS':
      return { state: 'under_way', age_ms: ageOf(job, now) }
    default: {
      const platform_message = `${job.reportJobStatus}: ${job.reportJobErrorDetail ?? ''}`.slice(0, 1000)
      const is_too_large = /over limit|file size/i.test(platform_message)
      const code = is_too_large ? 'too_large' : 'platform_unavailable'
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

/** A file with rows ends in a row of totals, which is asked for to know that nothing is missing; one without rows is its header alone. */
function hasTotal(text: string): boolean {
  const end = text.endsWith('\n') ? text.length - 1 : text.length
  const last = text.slice(text.lastIndexOf('\n', end - 1) + 1)
  return last.startsWith('Total,') || !text.slice(0, end).includes('\n')
}
