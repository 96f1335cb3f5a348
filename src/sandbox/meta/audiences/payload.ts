import { invalid } from '#sandbox/meta/errors.ts'
import type { GraphRequest } from '#sandbox/meta/graph.ts'
import { isRecord } from '#sandbox/record.ts'
import { missing, notEmulated } from './errors.ts'

/** Rows of hashes, read from `payload`. */
export interface Payload {
  /** Names the columns and their order, the same for the same schema. */
  schema: string
  keys: readonly string[]
  rows: readonly (readonly unknown[])[]
}

/** Where a batch stands in its session, read from `session`. */
export interface SessionOf {
  id: string
  seq: number
  last: boolean
}

const MOST_ROWS = 10_000
/** Keys whose values are hashed; those of EXTERN_ID and MADID travel in clear. */
const HASHED = [
  'EMAIL',
  'PHONE',
  'GEN',
  'DOBY',
  'DOBM',
  'DOBD',
  'LN',
  'FN',
  'FI',
  'CT',
  'ST',
  'ZIP',
  'COUNTRY',
]
const KNOWN_ELSEWHERE = ['MADID', 'EXTERN_ID', 'PAGEUID', 'LOOKALIKE_VALUE', 'DOB']

export function readPayload({ parameters }: GraphRequest): Payload {
  const payload = parameters.json('payload')
  if (payload === null) throw missing('payload')
  if (!isRecord(payload)) throw invalid('Param payload must be an object')
  const { schema, data, ...others } = payload
  const unknown = Object.keys(others)[0]
  if (unknown !== undefined) throw notEmulated(`payload.${unknown}`)
  if (!Array.isArray(data) || data.length === 0) throw invalid('Param payload[data] must be an array of rows')
  if (data.length > MOST_ROWS)
    throw invalid(`Param payload[data] has ${data.length} rows; at most ${MOST_ROWS} are taken`)
  const keys = keysOf(schema)
  const isFlat = typeof schema === 'string'
  const rows = data.map((row: unknown, index) => {
    if (Array.isArray(row)) return row
    if (!isFlat) throw invalid(`Param payload[data][${index}] must be an array`)
    return [row]
  })
  return { schema: keys.join(), keys, rows }
}

/** ["EMAIL", "PHONE"], or for one key alone the older "EMAIL_SHA256". */
function keysOf(schema: unknown): string[] {
  const keys = typeof schema === 'string' ? [schema.replace(/_SHA256$/, '')] : schema
  if (!Array.isArray(keys) || keys.length === 0 || keys.some(key => typeof key !== 'string'))
    throw invalid('Param payload[schema] must be a key or an array of keys')
  for (const key of keys) {
    if (KNOWN_ELSEWHERE.includes(key)) throw notEmulated(`the key ${key}`)
    if (!HASHED.includes(key)) throw invalid(`Param payload[schema] has an unknown key ${key}`)
  }
  if (new Set(keys).size < keys.length) throw invalid('Param payload[schema] has a key twice')
  return keys
}

/** null: a batch that stands alone. */
export function readSession({ parameters }: GraphRequest): SessionOf | null {
  const session = parameters.json('session')
  if (session === null) return null
  if (!isRecord(session)) throw invalid('Param session must be an object')
  const {
    session_id: id,
    batch_seq: seq,
    last_batch_flag: last = false,
    estimated_num_total: total,
  } = session
  if (!/^[1-9]\d{0,18}$/.test(String(id)) || (typeof id === 'number' && !Number.isSafeInteger(id)))
    throw invalid('Param session[session_id] must be a positive 64-bit integer')
  if (typeof seq !== 'number' || !Number.isInteger(seq) || seq < 1)
    throw invalid('Param session[batch_seq] must be an integer from 1 on')
  if (typeof last !== 'boolean') throw invalid('Param session[last_batch_flag] must be a boolean')
  if (total !== undefined && (typeof total !== 'number' || !Number.isInteger(total) || total < 0))
    throw invalid('Param session[estimated_num_total] must be an integer')
  return { id: String(id), seq, last }
}

/** Why a row is no entry, with the row as Meta repeats it; null for a good one. */
export function invalidEntry(row: readonly unknown[], { keys }: Payload): Record<string, string> | null {
  const text = JSON.stringify(row)
  if (row.length !== keys.length) return { [text]: 'The number of values differs from that of the schema' }
  if (row.every(value => value === '')) return { [text]: 'Empty entry' }
  const wrong = row.findIndex(value => value !== '' && !/^[0-9a-f]{64}$/i.test(String(value)))
  return wrong < 0 ? null : { [text]: `Invalid hash for ${keys[wrong]}` }
}
