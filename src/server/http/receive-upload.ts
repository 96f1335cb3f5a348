import type { IncomingMessage } from 'node:http'
import type { Readable } from 'node:stream'
import { Busboy } from '@fastify/busboy'
import type { FastifyReply, FastifyRequest } from 'fastify'
import type { z } from 'zod'
import type { ErrorCode } from '#shared/errors.ts'
import type { Temporary, TemporaryFile } from '#server/files/temporary.ts'
import type { RequestSlot } from './capacity.ts'
import { disconnectSignal } from './disconnect.ts'
import { boundaryOf } from './form.ts'
import { parseFields } from './parse.ts'
import { refuse } from './refusal.ts'

/** What a route takes: texts, and then one file called `file`. */
export interface UploadForm<Texts extends z.ZodObject, Admitted> {
  texts: Texts
  most_bytes: number
  /** What is wrong with a file of more. */
  too_large: ErrorCode
  /** Called before the file is read: throws unless this person may upload it. */
  admit(texts: z.output<Texts>): Promise<Admitted>
}

/** It is gone when the request is. */
export interface ReceivedFile extends TemporaryFile {
  /** As the client calls it: nothing that may be shown, stored or used as a path. */
  client_name: string
}

/** Of the request, the part of its surroundings that an upload needs. */
interface Upload {
  request: FastifyRequest
  reply: FastifyReply
  slot: RequestSlot
  effects: { files: { temporary: Temporary } }
}

/**
 * Reads a form into a temporary file, counted and hashed on the way, and calls `use`. While it arrives the
 * request holds no slot; it must hold no session of the database either, so `run` is not one transaction.
 *
 * The rest of a refused form is still read and dropped, so that a client that sends first and listens later
 * gets its answer.
 */
export async function receiveUpload<Texts extends z.ZodObject, Admitted, Result>(
  { request: { raw }, reply, slot, effects }: Upload,
  form: UploadForm<Texts, Admitted>,
  use: (file: ReceivedFile, admitted: Admitted) => Promise<Result>,
): Promise<Result> {
  const { temporary } = effects.files
  slot.release()
  const signal = disconnectSignal(reply)
  const { file, admitted } = await receive(raw, form, { temporary, signal })
  try {
    slot.take()
    return await use(file, admitted)
  } finally {
    await temporary.discard(file.path)
  }
}

interface Received<Admitted> {
  file: ReceivedFile
  admitted: Admitted
}

async function receive<Texts extends z.ZodObject, Admitted>(
  raw: IncomingMessage,
  form: UploadForm<Texts, Admitted>,
  { temporary, signal }: { temporary: Temporary; signal: AbortSignal },
): Promise<Received<Admitted>> {
  const parser = openParser(raw, form)
  const finished = Promise.withResolvers<void>()
  const stop = (error: unknown) => finished.reject(error)
  const breakOff = () => stop(refuse('invalid', { detail: 'the request has ended early' }))
  const texts = new Map<string, string>()
  let saving: Promise<Received<Admitted>> | undefined
  let part: Readable | undefined
  let arrived = 0
  const count = (chunk: Buffer) => {
    arrived += chunk.length
    if (arrived > form.most_bytes + MOST_BESIDE) stop(refuse('payload_too_large'))
  }

  parser.on('field', (name, value, ...isCut) => {
    if (isCut[1]) return stop(refuse('invalid', { fields: { [name]: ['field_too_long'] } }))
    if (saving || texts.has(name) || value.includes('\0')) return stop(refuse('invalid'))
    texts.set(name, value)
  })
  parser.on('file', (_name, stream, clientName: string | undefined) => {
    part = stream
    // Until it is read, which is later.
    part.on('error', () => {})
    part.once('limit', () => stop(tooLarge(form)))
    saving = admitAndSave()
    saving.catch(stop)
    async function admitAndSave() {
      const admitted = await form.admit(parseFields(form.texts, Object.fromEntries(texts)))
      return { admitted, file: { ...(await temporary.write(stream)), client_name: clientName ?? '' } }
    }
  })
  for (const event of ['fieldsLimit', 'filesLimit', 'partsLimit', 'error'] as const)
    parser.on(event, () => stop(refuse('invalid')))
  parser.on('finish', () => finished.resolve())
  raw.on('error', breakOff).on('data', count)
  signal.addEventListener('abort', breakOff, { once: true })
  if (signal.aborted || raw.destroyed) breakOff()
  raw.pipe(parser)
  try {
    await finished.promise
    if (!saving) throw refuse('invalid', { fields: { file: ['field_required'] } })
    const received = await saving
    if (received.file.size === 0) throw refuse('invalid', { fields: { file: ['file_empty'] } })
    if (arrived > received.file.size + MOST_BESIDE) throw refuse('invalid')
    return received
  } catch (error) {
    part?.destroy()
    const saved = await saving?.catch(() => null)
    if (saved) await temporary.discard(saved.file.path)
    throw error
  } finally {
    raw.unpipe(parser).off('data', count)
    signal.removeEventListener('abort', breakOff)
    raw.resume()
  }
}

function openParser<Admitted>(raw: IncomingMessage, form: UploadForm<z.ZodObject, Admitted>) {
  const { 'content-type': type, 'content-length': length } = raw.headers
  const boundary = boundaryOf(type)
  if (boundary === undefined) throw refuse('invalid')
  if (Number(length ?? 0) > form.most_bytes + MOST_BESIDE) throw tooLarge(form)
  return new Busboy({
    headers: { 'content-type': `multipart/form-data; boundary=${boundary}` },
    preservePath: true,
    isPartAFile: name => name === 'file',
    limits: {
      fileSize: form.most_bytes,
      files: 1,
      fields: MOST_TEXTS,
      parts: MOST_TEXTS + 1,
      fieldSize: LONGEST_TEXT,
      headerPairs: 10,
      headerSize: LONGEST_HEAD,
    },
  })
}

/** More than any form of ours has. */
const MOST_TEXTS = 10
/** Twenty tags of forty characters, each written as an escape. */
const LONGEST_TEXT = 16 * 1024
/** The headers of a part, in bytes. */
const LONGEST_HEAD = 2000
/** Everything but the file. */
const MOST_BESIDE = 64 * 1024

const tooLarge = ({ too_large }: Pick<UploadForm<z.ZodObject, unknown>, 'too_large'>) =>
  refuse('invalid', { fields: { file: [too_large] } })
