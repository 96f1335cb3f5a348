import { isRecord } from '#sandbox/record.ts'
import type { IncomingMessage } from 'node:http'
import { readBody } from '#sandbox/http/body.ts'
import { multipartOf, type SentFile } from '#sandbox/http/multipart.ts'
import { invalid, notEmulated, notOneOf } from './errors.ts'

/** The parameters of a request, each read once under its rule; those that were not read are refused. */
export interface Parameters {
  text(name: string): string | null
  required(name: string): string
  /** A text that is one of a list. */
  choice<Choice extends string>(name: string, choices: readonly Choice[]): Choice | null
  whole(name: string, bounds: { usual: number; most: number }): number
  flag(name: string): boolean | null
  /** A list of texts: in an address the text of a JSON array, in a body an array. */
  list(name: string): string[] | null
  /** An object or an array: in an address as the text of it. */
  json(name: string): unknown
  /** A file of a multipart body. */
  file(name: string): SentFile
  /** Parameters that TikTok has and the sandbox does not. */
  notEmulated(...names: string[]): void
  refuseUnknown(): void
}

export type Raw = Readonly<Record<string, unknown>>

/** A customer file is smaller than this. */
const MOST_BYTES = 1024 ** 3 - 1

/**
 * Reads the query of a GET (each parameter once), the form of an upload or the JSON body of any other POST;
 * the bytes of the others are refused.
 */
export async function rawParameters(request: IncomingMessage, url: URL): Promise<Raw> {
  const names = [...url.searchParams.keys()]
  if (request.method !== 'POST') {
    const twice = names.find((name, index) => names.indexOf(name) !== index)
    if (twice !== undefined) throw invalid(`${twice}: Given more than once.`)
    return Object.fromEntries(url.searchParams)
  }
  if (names[0] !== undefined) throw invalid(`${names[0]}: Unknown field.`)
  const type = request.headers['content-type'] ?? ''
  if (url.pathname.endsWith('/file/upload/')) {
    const form = await multipartOf((await readBody(request, MOST_BYTES)) ?? Buffer.alloc(0), type)
    if (!form) throw invalid('The body of the request is not a valid multipart/form-data of less than 1 GB.')
    return { ...form.files, ...form.fields }
  }
  if (!/^application\/json\b/i.test(type)) {
    throw invalid('The Content-Type of the request must be application/json.')
  }
  const value = parsed((await readBody(request))?.toString('utf8') ?? '')
  if (!isRecord(value)) throw invalid('The body of the request is not a valid JSON object.')
  return value
}

export function parametersOf(raw: Raw, inAddress: boolean): Parameters {
  const read = new Set<string>()
  const take = (name: string): unknown => {
    read.add(name)
    return raw[name] ?? null
  }
  const text = (name: string): string | null => {
    const value = take(name)
    if (value === null || value === '') return null
    if (typeof value !== 'string') throw invalid(`${name}: Not a valid string.`)
    return value
  }
  const json = (name: string): unknown => {
    const value = take(name)
    if (!inAddress || value === null) return value
    const readValue = parsed(String(value))
    if (readValue === undefined) throw invalid(`${name}: Not a valid JSON text.`)
    return readValue
  }

  return {
    text,
    json,
    required(name) {
      const value = text(name)
      if (value === null) throw invalid(`${name}: Missing data for required field.`)
      return value
    },
    choice(name, choices) {
      const value = text(name)
      if (value === null) return null
      const chosen = choices.find(choice => choice === value)
      if (chosen === undefined) throw notOneOf(name, [value], choices)
      return chosen
    },
    whole(name, { usual, most }) {
      const value = take(name)
      if (value === null) return usual
      const fits = inAddress ? /^\d{1,9}$/.test(String(value)) : Number.isInteger(value)
      if (!fits) throw invalid(`${name}: Not a valid integer.`)
      const number = Number(value)
      if (number < 1 || number > most) throw invalid(`${name}: Must be between 1 and ${most}.`)
      return number
    },
    flag(name) {
      const value = take(name)
      if (value === null) return null
      if (value === true || (inAddress && value === 'true')) return true
      if (value === false || (inAddress && value === 'false')) return false
      throw invalid(`${name}: Not a valid boolean.`)
    },
    list(name) {
      const value = json(name)
      if (value === null) return null
      return textsOf(name, value)
    },
    file(name) {
      const value = take(name)
      if (!isSentFile(value)) throw invalid(`${name}: Missing data for required field.`)
      return value
    },
    notEmulated(...names) {
      const sent = names.find(name => take(name) !== null)
      if (sent !== undefined) throw notEmulated(sent)
    },
    refuseUnknown() {
      const unknown = Object.keys(raw).find(name => !read.has(name))
      if (unknown !== undefined) throw invalid(`${unknown}: Unknown field.`)
    },
  }
}

/** What a multipart body sent as a file; nothing in an address or in JSON holds bytes. */
export const isSentFile = (value: unknown): value is SentFile =>
  isRecord(value) && value['bytes'] instanceof Buffer

/** A list of different texts. */
export function textsOf(name: string, value: unknown): string[] {
  if (!Array.isArray(value)) throw invalid(`${name}: Not a valid list.`)
  return value.map((each, index) => {
    if (typeof each !== 'string') throw invalid(`${name}.${index}: Not a valid string.`)
    if (value.indexOf(each) !== index) throw invalid(`${name}: Duplicated value ${each}.`)
    return each
  })
}

/** The value of a JSON text; undefined for a text that is none. */
export function parsed(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return undefined
  }
}
