import { isUtf8 } from 'node:buffer'
import type { z } from 'zod'
import { PlatformFailure, type ConnectorContext } from '#server/connectors/connector.ts'
import { unmarked } from './csv-bytes.ts'
import { unreadable } from './failures.ts'

/** The whole response to one request. */
export interface HttpResponse {
  status: number
  headers: Headers
  /** The body in blocks, of which all but the last end where a line ends; most bodies are one block. */
  blocks: Buffer[]
  /** The body in one piece. */
  readonly bytes: Buffer
}

export interface HttpLimits {
  /** Ends earlier than the run's own signal, for responses that are not needed any more. */
  signal?: AbortSignal
  timeout_ms?: number
  max_bytes?: number
  /** Left out: the body is one block. */
  block_bytes?: number
}

const TIMEOUT_MS = 60_000
const MAX_BYTES = 64 * 1024 * 1024

/**
 * One request and its response to the last byte; redirects are not followed. Throws
 * platform_unavailable for what never reached a response, platform_timeout, too_large for one beyond
 * `max_bytes`; when the run is cancelled, the signal's reason.
 */
export async function sendHttp(
  context: Pick<ConnectorContext, 'fetch' | 'signal'>,
  url: string,
  init: RequestInit,
  { signal = context.signal, timeout_ms = TIMEOUT_MS, ...limits }: HttpLimits = {},
): Promise<HttpResponse> {
  const timeout = AbortSignal.timeout(timeout_ms)
  try {
    const response = await context.fetch(url, {
      ...init,
      redirect: 'manual',
      signal: AbortSignal.any([signal, timeout]),
    })
    const { status, headers } = response
    const blocks = await blocksOf(response, limits)
    return {
      status,
      headers,
      blocks,
      get bytes() {
        return inOnePiece(blocks)
      },
    }
  } catch (error) {
    signal.throwIfAborted()
    if (error instanceof PlatformFailure) throw error
    if (timeout.aborted) throw new PlatformFailure('platform_timeout')
    throw new PlatformFailure('platform_unavailable', { cause: causeOf(error) })
  }
}

/**
 * What lies below fetch's own error: that one repeats a header that cannot be sent, and with it the token.
 */
export const causeOf = (error: unknown): unknown => (error instanceof Error ? error.cause : undefined)

/** Read by hand: iterating over a stream costs as much as reading the numbers of a page. */
async function blocksOf(
  { body }: Response,
  { max_bytes = MAX_BYTES, block_bytes = Infinity }: HttpLimits,
): Promise<Buffer[]> {
  const blocks: Buffer[] = []
  if (body === null) return blocks
  const reader = body.getReader()
  let chunks: Buffer[] = []
  let bytes = 0
  let unblocked = 0
  for (let part = await reader.read(); !part.done; part = await reader.read()) {
    const { buffer, byteOffset, byteLength } = part.value
    bytes += byteLength
    unblocked += byteLength
    if (bytes > max_bytes) {
      await reader.cancel()
      throw new PlatformFailure('too_large')
    }
    const chunk = Buffer.from(buffer, byteOffset, byteLength)
    const end = unblocked < block_bytes ? 0 : chunk.lastIndexOf(NEW_LINE) + 1
    if (end === 0) {
      chunks.push(chunk)
      continue
    }
    blocks.push(Buffer.concat([...chunks, chunk.subarray(0, end)]))
    chunks = [chunk.subarray(end)]
    unblocked = byteLength - end
  }
  if (unblocked > 0) blocks.push(inOnePiece(chunks))
  return blocks
}

function inOnePiece(pieces: readonly Buffer[]): Buffer {
  const [only, ...others] = pieces
  return only && others.length === 0 ? only : Buffer.concat(pieces)
}

const NEW_LINE = 10

/** The blocks of a text in UTF-8, without a byte order mark. */
export function utf8Blocks({ blocks }: HttpResponse): Buffer[] {
  if (!blocks.every(block => isUtf8(block))) throw unreadable('not UTF-8')
  const [first] = blocks
  if (first) blocks[0] = unmarked(first)
  return blocks
}

/** Bytes that are no UTF-8 would silently become other names. */
export function utf8({ bytes }: Pick<HttpResponse, 'bytes'>): string {
  try {
    return new TextDecoder('utf-8', { fatal: true }).decode(bytes)
  } catch {
    throw unreadable('not UTF-8')
  }
}

/**
 * The body as JSON; undefined when it is none. A page that something in between sends, in whatever encoding,
 * is judged by its status. `keeps_digits`: numbers beyond 2^53 stay the digits that they were written in.
 */
export function json(response: Pick<HttpResponse, 'status' | 'bytes'>, keepsDigits = false): unknown {
  try {
    const text = utf8(response)
    if (!keepsDigits) return JSON.parse(text)
    // TypeScript does not know yet that a reviver is given the source of a number.
    return (JSON.parse as (text: string, reviver: Reviver) => unknown)(text, keepDigits)
  } catch (error) {
    if (response.status < 300 && error instanceof PlatformFailure) throw error
    return undefined
  }
}

type Reviver = (key: string, value: unknown, context: { source?: string }) => unknown

const keepDigits: Reviver = (_key, value, { source }) =>
  Number.isInteger(value) && !Number.isSafeInteger(value) ? source : value

/** A GET, or a POST of JSON where there is a body. */
export function jsonRequest(body: unknown, headers: Record<string, string>): RequestInit {
  if (body === undefined) return { headers }
  return {
    method: 'POST',
    headers: { ...headers, 'content-type': 'application/json' },
    body: JSON.stringify(body),
  }
}

const LONGEST_WAIT_MS = 24 * 3_600_000

/** A wait that a platform states. None is meant to be longer than a day, and every run waits for it. */
export const boundedWait = (waitMs: number) => Math.min(Math.max(waitMs, 0), LONGEST_WAIT_MS)

/** Reads a response, or the part of one that is named, by a schema. */
export function parseWith<Schema extends z.ZodType>(
  schema: Schema,
  body: unknown,
  what: string,
): z.output<Schema> {
  const read = schema.safeParse(body)
  if (read.success) return read.data
  const [issue] = read.error.issues
  throw unreadable(`${what}: ${issue?.path.map(String).join('.') ?? ''} ${issue?.message ?? ''}`)
}
