import type { IncomingMessage } from 'node:http'
import { readBody } from '#sandbox/http/body.ts'
import { isRecord } from '#sandbox/record.ts'
import { GraphError, invalid } from './errors.ts'

/** The parameters of a request, from query and form together; reading one marks it as known. */
export interface Parameters {
  text(name: string): string | null
  /** A list: JSON array or joined by commas. */
  list(name: string): string[]
  json(name: string): unknown
  integer(name: string): number | null
  boolean(name: string): boolean | null
  /** Refuses parameters that were not read. */
  refuseUnknown(): void
  /** Everything but the token, sorted, to follow and compare requests. */
  entries(): [string, string][]
}

/** Parameters that the Graph API itself understands, whatever the endpoint. */
const GENERAL = [
  'access_token',
  'appsecret_proof',
  'debug',
  'pretty',
  'locale',
  'format',
  'method',
  'suppress_http_code',
  // Of the node itself: Meta's own libraries repeat it.
  'id',
]

export async function readParameters(request: IncomingMessage, url: URL): Promise<Parameters> {
  const values = new Map<string, string>()
  for (const [name, value] of url.searchParams) values.set(name, value)
  if (request.method === 'POST' || request.method === 'DELETE') {
    for (const [name, value] of await formOf(request)) values.set(name, value)
  }
  return parametersOf(values)
}

function parametersOf(values: Map<string, string>): Parameters {
  const known = new Set(GENERAL)
  const text = (name: string) => {
    known.add(name)
    const value = values.get(name)
    return value === undefined || value === '' ? null : value
  }
  const json = (name: string): unknown => {
    const value = text(name)
    if (value === null) return null
    try {
      return JSON.parse(value)
    } catch {
      throw invalid(`Param ${name} must be valid JSON`)
    }
  }
  return {
    text,
    json,
    list(name) {
      const value = text(name)
      if (value === null) return []
      if (!value.startsWith('[')) return value.split(',')
      const items = json(name)
      if (!Array.isArray(items) || items.some(item => typeof item !== 'string' && typeof item !== 'number')) {
        throw invalid(`Param ${name} must be an array of strings`)
      }
      return items.map(String)
    },
    integer(name) {
      const value = text(name)
      if (value === null) return null
      if (!/^\d{1,9}$/.test(value)) throw invalid(`Param ${name} must be an integer`)
      return Number(value)
    },
    boolean(name) {
      const value = text(name)
      if (value === null) return null
      if (!['true', 'false', '1', '0'].includes(value)) throw invalid(`Param ${name} must be a boolean`)
      return value === 'true' || value === '1'
    },
    refuseUnknown() {
      const unknown = [...values.keys()].find(name => !known.has(name))
      if (unknown !== undefined) throw invalid(`Unknown parameter: ${unknown}`)
    },
    entries: () =>
      [...values]
        .filter(([name]) => name !== 'access_token')
        .toSorted(([left], [right]) => (left < right ? -1 : 1)),
  }
}

async function formOf(request: IncomingMessage): Promise<Iterable<[string, string]>> {
  const body = await readBody(request)
  if (body === null) throw invalid('The request is too large')
  if (body.length === 0) return []
  const type = request.headers['content-type'] ?? ''
  if (/^application\/x-www-form-urlencoded\b/i.test(type)) return new URLSearchParams(body.toString('utf8'))
  if (/^multipart\/form-data\b/i.test(type)) {
    const form = await new Response(new Uint8Array(body), { headers: { 'content-type': type } }).formData()
    return [...form].map(([name, value]): [string, string] => [name, typeof value === 'string' ? value : ''])
  }
  if (/^application\/json\b/i.test(type)) return jsonForm(body.toString('utf8'))
  throw new GraphError(400, 2500, `(#2500) Unsupported content type ${type}`)
}

/** The same parameters as an object, as Meta's own libraries send them. */
function jsonForm(text: string): [string, string][] {
  const form = parsed(text)
  if (!isRecord(form)) throw invalid('The body must be an object')
  return Object.entries(form).map(([name, value]) => [
    name,
    typeof value === 'string' ? value : JSON.stringify(value),
  ])
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    throw invalid('The body must be valid JSON')
  }
}
