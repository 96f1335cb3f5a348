import { createHash } from 'node:crypto'
import { z } from 'zod'
import type { Collector, MemberColumn } from '#shared/audiences.ts'
import {
  type Batch,
  type MemberRows,
  type PartState,
  type SentPart,
  type Target,
  type Upload,
  UploadLost,
} from '#server/connectors/audience.ts'
import { PlatformFailure } from '#server/connectors/connector.ts'
import { isRefusal } from '#server/connectors/kit/failures.ts'
import { callAudience, findOrMake } from './audience-calls.ts'
import { AUDIENCE_NODE_FIELDS, AudienceNode, type MetaIo, Received } from './schema.ts'

// An upload is a session of batches. Batches of a session that adds or removes people may come twice, and
// what comes too late is dropped in silence: so another session goes on in time. A replacement is one
// session, whose first batch is taken once; when it ends too early, the rest is added afterwards.

const Progress = z.object({
  /** The upload that this is about. */
  upload: z.int(),
  /** rest: a replacement that has ended too early; what is left is added. */
  mode: z.enum(['add', 'remove', 'replace', 'rest']),
  /** How many sessions were there before this one. */
  earlier: z.int(),
  /** How many batches this session has sent, and how many rows Meta says it has received. */
  seq: z.int(),
  received: z.int(),
  /** When its first batch was sent. */
  first_at: z.int(),
})
type Progress = z.infer<typeof Progress>

/** Makes the audience where there is none, and opens the upload. */
export async function beginUpload(target: Target, upload: Upload, io: MetaIo): Promise<PartState> {
  const { id, is_new } = await findOrMake(target, customerFile(target), io)
  const begun = { ...target, external_id: id }
  const known = Progress.safeParse(target.progress).data
  if (known?.upload === upload.session) return { external_id: id, progress: known }
  // In an empty audience there is nobody to replace.
  const mode = upload.action === 'replace' && is_new ? 'add' : upload.action
  if (mode === 'replace') await untilSettled(begun, io)
  return { external_id: id, progress: { ...NEW_SESSION, upload: upload.session, mode, earlier: 0 } }
}

const NEW_SESSION = { seq: 0, received: 0, first_at: 0 }

/** Rows without any identifier are not sent, and no batch without rows. */
export async function sendBatch(target: Target, batch: Batch, io: MetaIo): Promise<SentPart> {
  const progress = Progress.parse(target.progress)
  const data = await dataOf(batch)
  const step = { target, data, is_last: batch.is_last, rows: batch.upload.rows, io }
  const sent =
    data.length === 0
      ? progress
      : await (progress.mode === 'replace' ? sendReplacing(progress, step) : sendMore(progress, step))
  return { external_id: target.external_id, progress: sent, request_id: String(sessionId(sent)) }
}

interface Step {
  target: Target
  data: string[][]
  is_last: boolean
  /** Of the whole upload. */
  rows: number
  io: MetaIo
}

/** Adds or removes people; in a further session where this one is over. */
async function sendMore(progress: Progress, step: Step): Promise<Progress> {
  const at = step.io.now().getTime()
  if (progress.seq > 0 && at > progress.first_at + SESSION_MS) return sendMore(nextSession(progress), step)
  try {
    const { num_received } = await post('users', progress, step)
    // Nothing was received: the session had ended, and the batch was dropped.
    if (num_received <= progress.received && progress.seq > 0) return sendMore(nextSession(progress), step)
    const firstAt = progress.seq === 0 ? at : progress.first_at
    return { ...progress, seq: progress.seq + 1, received: num_received, first_at: firstAt }
  } catch (error) {
    if (progress.seq > 0 && isRefusal(error, NO_FIRST_BATCH, OVER_TIME, FINISHED))
      return sendMore(nextSession(progress), step)
    throw error
  }
}

/** Ten minutes before the 90 after which Meta drops what comes. */
const SESSION_MS = 80 * 60_000
const IN_PROGRESS = '2650/1870145'
const NO_FIRST_BATCH = '2650/1870147'
const OVER_TIME = '2650/1870158'
const FINISHED = '2650/1870159'

const nextSession = (progress: Progress): Progress => ({
  ...progress,
  ...NEW_SESSION,
  earlier: progress.earlier + 1,
})

/** One batch of a replacement. */
async function sendReplacing(progress: Progress, step: Step): Promise<Progress> {
  const sent = { ...progress, seq: progress.seq + 1 }
  try {
    await post('usersreplace', progress, step)
    return sent
  } catch (error) {
    if (progress.seq === 0 && isRefusal(error, IN_PROGRESS)) return firstAgain(progress, step, error)
    return afterRefusal(error, sent, step)
  }
}

/**
 * A replacement is under way, ours or another: the first batch is taken once, so its response may have been
 * lost. As the second batch of our session the same rows are taken if the first was.
 */
async function firstAgain(progress: Progress, step: Step, refusal: PlatformFailure): Promise<Progress> {
  const first = { ...progress, seq: 1 }
  try {
    await post('usersreplace', first, step)
    return { ...first, seq: 2 }
  } catch (error) {
    if (isRefusal(error, NO_FIRST_BATCH)) throw refusal
    return afterRefusal(error, first, step)
  }
}

async function afterRefusal(error: unknown, sent: Progress, step: Step): Promise<Progress> {
  // The response to the last batch was lost.
  if (isRefusal(error, FINISHED) && step.is_last) return sent
  if (isRefusal(error, FINISHED, OVER_TIME)) return sendRest(sent, step)
  if (isRefusal(error, NO_FIRST_BATCH)) throw new UploadLost(error)
  throw error
}

/** The replacement has ended with what had come by then. */
async function sendRest(progress: Progress, step: Step): Promise<Progress> {
  await untilSettled(step.target, step.io)
  return sendMore({ ...nextSession(progress), mode: 'rest' }, step)
}

/** Throws while another change is under way: the job comes again. */
async function untilSettled(target: Target, io: MetaIo): Promise<void> {
  const params = { fields: AUDIENCE_NODE_FIELDS }
  const { operation_status } = await callAudience({ target, params }, AudienceNode, io)
  if (operation_status.code !== REPLACING && operation_status.code !== FILLING) return
  throw new PlatformFailure('platform_unavailable', {
    retry_after_ms: 5 * 60_000,
    platform_message: `${operation_status.description} [${operation_status.code}]`,
  })
}

const REPLACING = 414
const FILLING = 441

/** The batch after those that the session has sent. */
function post(edge: 'users' | 'usersreplace', progress: Progress, { target, data, is_last, rows, io }: Step) {
  const session = {
    session_id: sessionId(progress),
    batch_seq: progress.seq + 1,
    last_batch_flag: is_last,
    estimated_num_total: rows,
  }
  const params = {
    payload: JSON.stringify({ schema: SCHEMA, data }),
    session: JSON.stringify(session),
    ...(progress.mode === 'remove' && { method: 'DELETE' }),
  }
  return callAudience({ target, edge: `/${edge}`, method: 'POST', params }, Received, io)
}

/** Below 2^53, and another one for each session of an upload. */
function sessionId({ upload, earlier }: Progress): number {
  if (earlier === 0) return upload
  const bytes = createHash('sha256').update(`${upload}/${earlier}`).digest()
  return bytes.readUIntBE(0, 6) + 1
}

async function dataOf({ chunks }: Batch): Promise<string[][]> {
  const data: string[][] = []
  for await (const rows of chunks) data.push(...payloadRows(rows))
  return data
}

/** The schema and rows of a payload: the same columns always, since a session must not change them. */
export function payloadRows({ columns, rows }: MemberRows): string[][] {
  const places = MEMBER_COLUMNS.map(column => columns.indexOf(column))
  return rows.map(row => places.map(place => row[place] ?? '')).filter(row => row.some(value => value !== ''))
}

const KEYS = {
  email: 'EMAIL',
  phone: 'PHONE',
  first_name: 'FN',
  last_name: 'LN',
  birth_year: 'DOBY',
  birth_month: 'DOBM',
  birth_day: 'DOBD',
  gender: 'GEN',
  postal_code: 'ZIP',
  country: 'COUNTRY',
} as const satisfies Partial<Record<MemberColumn, string>>
export const MEMBER_COLUMNS: readonly (keyof typeof KEYS)[] = [
  'email',
  'phone',
  'first_name',
  'last_name',
  'birth_year',
  'birth_month',
  'birth_day',
  'gender',
  'postal_code',
  'country',
]
export const SCHEMA = MEMBER_COLUMNS.map(column => KEYS[column])

const SOURCES: Record<Collector, string> = {
  advertiser: 'USER_PROVIDED_ONLY',
  partner: 'PARTNER_PROVIDED_ONLY',
  both: 'BOTH_USER_AND_PARTNER_PROVIDED',
}
const customerFile = ({ audience }: Target) => ({
  subtype: 'CUSTOM',
  customer_file_source: SOURCES[audience.collected_by],
})
