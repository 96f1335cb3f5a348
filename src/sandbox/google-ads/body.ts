import type { IncomingMessage } from 'node:http'
import { readBody } from '#sandbox/http/body.ts'
import { FrontDoorError, unknownName } from './errors.ts'
import { camelCase } from './fields/field.ts'

type Kind = 'text' | 'flag' | 'number' | Record<string, 'flag'>
/** The members that a message has. */
export type Shape = Record<string, Kind>

const JSON_SYNTAX = 'Invalid JSON payload received. Expected an object.'

/**
 * The JSON of a request as that message; refuses unknown members and wrong types, as Google's front door
 * does.
 */
export async function readMessage(request: IncomingMessage, shape: Shape): Promise<Record<string, unknown>> {
  const type = String(request.headers['content-type'] ?? '')
  const bytes = await readBody(request)
  if (bytes === null) throw new FrontDoorError(400, 'Request payload size exceeds the limit.')
  if (!/^application\/json\b/i.test(type)) throw new FrontDoorError(400, JSON_SYNTAX)
  return messageOf(parsed(bytes.toString('utf8')), shape, '')
}

function parsed(text: string): unknown {
  if (text.trim() === '') return {}
  try {
    return JSON.parse(text)
  } catch {
    throw new FrontDoorError(400, JSON_SYNTAX)
  }
}

function messageOf(value: unknown, shape: Shape, path: string): Record<string, unknown> {
  if (typeof value !== 'object' || value === null || Array.isArray(value))
    throw new FrontDoorError(400, JSON_SYNTAX)
  const members = Object.entries(value).map(([spelling, member]): [string, unknown] => {
    const name = camelCase(spelling)
    const kind = shape[name]
    if (kind === undefined)
      throw unknownName(`Unknown name "${spelling}"${path && ` at '${path}'`}: Cannot find field.`, path)
    return [name, memberOf(member, kind, path === '' ? name : `${path}.${name}`)]
  })
  return Object.fromEntries(members)
}

function memberOf(value: unknown, kind: Kind, path: string): unknown {
  if (value === null) return undefined
  if (typeof kind === 'object') return messageOf(value, kind, path)
  const type = { text: 'string', flag: 'boolean', number: 'number' }[kind]
  if (typeof value !== type) throw unknownName(`Invalid value at '${path}' (${TYPES[kind]})`, path)
  return value
}

const TYPES = { text: 'TYPE_STRING', flag: 'TYPE_BOOL', number: 'TYPE_INT32' }
