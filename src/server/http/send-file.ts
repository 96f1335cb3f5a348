import type { ServerResponse } from 'node:http'
import type { FastifyReply } from 'fastify'
import type { ByteRange, FileStore } from '#server/files/store.ts'
import { LEAST_BYTES_A_SECOND } from './arrivals.ts'
import { disposition } from './attachment.ts'
import type { RequestSlot } from './capacity.ts'
import { disconnectSignal } from './disconnect.ts'
import { refuse } from './refusal.ts'
import type { RequestLimits } from './request-limits.ts'

/** What is served, as its row has it. */
export interface ServedFile {
  sha256: string
  size: number
  mime: string
  name: string
  /** Nothing that people have uploaded is shown but images that we have decoded. */
  disposition: 'inline' | 'attachment'
}

interface Sending {
  store: FileStore
  reply: FastifyReply
  slot: RequestSlot
  requestLimits: Pick<RequestLimits, 'download'>
  now: Date
  /** Of the link: until then browsers need not ask again. */
  expires: Date
  /** A client that reads less than `LEAST_BYTES_A_SECOND` within such a time is disconnected. */
  pace_ms?: number
}

/**
 * Sends a stored file, or the one range of it that is asked for, at the speed of the client. The content
 * never changes, so its hash is the ETag.
 */
export async function sendFile(
  file: ServedFile,
  { store, reply, slot, requestLimits, now, expires, pace_ms = PACE_MS }: Sending,
): Promise<void> {
  const etag = `"${file.sha256}"`
  const { headers } = reply.request
  const ageS = Math.max(0, Math.floor((expires.getTime() - now.getTime()) / 1000))
  const validity = { etag, 'cache-control': `private, max-age=${ageS}, immutable` }
  if (isKnown(headers['if-none-match'], etag)) return void (await reply.code(304).headers(validity).send())
  const range = rangeIn(headers, { etag, size: file.size })
  if (range === 'beyond') {
    void reply.header('content-range', `bytes */${file.size}`)
    throw refuse('range_not_satisfiable')
  }
  const { start, end } = range ?? { start: 0, end: file.size - 1 }
  // From here on it takes as long as the storage and the client take.
  slot.release()
  const send = async () => {
    const content = await store.read(file.sha256, { start, end })
    // The client only sees that the connection ends.
    content.once('error', error => reply.request.log.error({ err: error }, 'a file was sent in part'))
    endSlow(reply.raw, pace_ms)
    if (range) void reply.code(206).header('content-range', `bytes ${start}-${end}/${file.size}`)
    await reply
      .headers({
        ...validity,
        'accept-ranges': 'bytes',
        'content-type': file.mime,
        'content-length': end - start + 1,
        'content-disposition': disposition(file.disposition, file.name),
      })
      .send(content)
  }
  await requestLimits.download(reply.request.ip, send, disconnectSignal(reply))
}

const PACE_MS = 30_000

function endSlow(response: ServerResponse, paceMs: number) {
  let before = response.socket?.bytesWritten ?? 0
  const timer = setInterval(() => {
    const written = response.socket?.bytesWritten ?? before
    if (written - before < (paceMs / 1000) * LEAST_BYTES_A_SECOND) response.destroy()
    before = written
  }, paceMs)
  response.once('close', () => clearInterval(timer))
}

/**
 * null: all of it, also where several ranges, other units or a range of another content are asked for;
 * beyond: it begins behind the end.
 */
function rangeIn(
  { range, 'if-range': ifRange }: { range?: string | undefined; 'if-range'?: string | string[] | undefined },
  { etag, size }: { etag: string; size: number },
): ByteRange | 'beyond' | null {
  if (range === undefined || (ifRange !== undefined && ifRange !== etag)) return null
  const [, first = '', last = ''] = /^bytes=[ \t]*(\d*)-(\d*)[ \t]*$/i.exec(range) ?? []
  if (first === '') {
    if (last === '') return null
    return Number(last) === 0 ? 'beyond' : { start: Math.max(0, size - Number(last)), end: size - 1 }
  }
  const start = Number(first)
  const end = last === '' ? size - 1 : Number(last)
  if (end < start && last !== '') return null
  return start >= size ? 'beyond' : { start, end: Math.min(end, size - 1) }
}

/** Whether the client has this content; in this comparison a weak tag is as good. */
const isKnown = (ifNoneMatch: string | undefined, etag: string) =>
  ifNoneMatch !== undefined &&
  (ifNoneMatch.trim() === '*' || ifNoneMatch.split(',').some(tag => tag.trim().replace(/^W\//, '') === etag))
