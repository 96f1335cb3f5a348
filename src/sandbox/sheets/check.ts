import { badRequest, notSupported } from './errors.ts'
import { enums, messages } from './messages.ts'

interface Violation {
  field: string
  description: string
}

/** Where in the message a value is, and what is wrong so far. */
interface Position {
  path: string
  violations: Violation[]
}

/**
 * Read a JSON value as the named message. Unknown members, wrong types and unknown enum values are refused
 * with Google's text; numbers sent as text become numbers and nulls disappear, as its JSON mapping has it.
 */
export function readMessage<T>(message: string, value: unknown): T {
  const violations: Violation[] = []
  if (!isObject(value)) throw badRequest([{ description: `Invalid value (${message}), ${show(value)}` }])
  checkMessage(message, value, { path: '', violations })
  if (violations.length > 0) throw badRequest(violations)
  // The one place where unknown becomes a message: everything in it has just been checked against its shape.
  return value as T
}

/** An enum among the query parameters; null when absent. */
export function readEnumParameter(name: string, type: string, value: string | null): string | null {
  if (value === null || enums[type]?.includes(value)) return value
  const description = `Invalid value at '${snake(name)}' (type.googleapis.com/google.apps.sheets.v4.${type}), ${show(value)}`
  throw badRequest([{ field: snake(name), description }])
}

const shapes = new Map<string, Map<string, string>>()

/** Field name → type of a message; undefined for a message that is not described. */
export function shapeOf(message: string): Map<string, string> | undefined {
  const known = shapes.get(message)
  if (known) return known
  const line = messages[message]
  if (line === undefined) return undefined
  const shape = new Map(
    line
      .split(' ')
      .filter(Boolean)
      .map(entry => {
        const [name = '', type = 's'] = entry.split(':')
        return [name, type] as const
      }),
  )
  shapes.set(message, shape)
  return shape
}

function checkMessage(message: string, value: Record<string, unknown>, { path, violations }: Position) {
  const shape = shapeOf(message)
  if (!shape) return
  for (const name in value) {
    const type = shape.get(name)
    const member = value[name]
    if (type === undefined) {
      const where = path ? ` at '${path}'` : ''
      const description = `Invalid JSON payload received. Unknown name "${name}"${where}: Cannot find field.`
      violations.push({ field: path, description })
    } else if (member === null) {
      delete value[name]
    } else if (message === 'Request' && type === '*') {
      throw notSupported(name)
    } else if (type.startsWith('[]')) {
      checkList(type.slice(2), member, { path: join(path, name), violations })
    } else if (type !== 's' || typeof member !== 'string') {
      value[name] = checked(type, member, { path: join(path, name), violations })
    }
  }
}

function checkList(type: string, value: unknown, { path, violations }: Position) {
  if (!Array.isArray(value)) {
    violations.push({
      field: path,
      description: `Invalid value at '${path}' (${typeName(type)}), ${show(value)}`,
    })
    return
  }
  for (let i = 0; i < value.length; i++)
    value[i] = checked(type, value[i], { path: `${path}[${i}]`, violations })
}

function checked(type: string, value: unknown, { path, violations }: Position): unknown {
  if (type === '*') return value
  const result = scalar(type, value)
  if (result !== undefined) return result
  if (isObject(value) && messages[type] !== undefined) {
    checkMessage(type, value, { path, violations })
    return value
  }
  violations.push({
    field: path,
    description: `Invalid value at '${path}' (${typeName(type)}), ${show(value)}`,
  })
  return value
}

/** The value as the scalar type has it; undefined when it is not one. */
function scalar(type: string, value: unknown): unknown {
  if (type === 's') return typeof value === 'string' ? value : undefined
  if (type === 'b') return typeof value === 'boolean' ? value : undefined
  if (type === 'd') return typeof value === 'number' ? value : numberFromText(value)
  if (type === 'i') {
    const number = typeof value === 'number' ? value : numberFromText(value)
    return number !== undefined && Number.isInteger(number) && Math.abs(number) <= 2 ** 31
      ? number
      : undefined
  }
  const names = enums[type]
  if (!names) return undefined
  if (typeof value === 'number') return names[value]
  return typeof value === 'string' && names.includes(value) ? value : undefined
}

function numberFromText(value: unknown): number | undefined {
  if (typeof value !== 'string' || value.trim() === '') return undefined
  if (value === 'NaN') return NaN
  const number = Number(value)
  return Number.isNaN(number) ? undefined : number
}

function typeName(type: string) {
  const simple: Record<string, string> = {
    s: 'TYPE_STRING',
    b: 'TYPE_BOOL',
    i: 'TYPE_INT32',
    d: 'TYPE_DOUBLE',
  }
  return simple[type] ?? `type.googleapis.com/google.apps.sheets.v4.${type}`
}

const isObject = (value: unknown): value is Record<string, unknown> =>
  typeof value === 'object' && value !== null && !Array.isArray(value)

const join = (path: string, name: string) => (path ? `${path}.${snake(name)}` : snake(name))

const snake = (name: string) => name.replace(/[A-Z]/g, letter => `_${letter.toLowerCase()}`)

const show = (value: unknown) => (JSON.stringify(value) ?? 'undefined').slice(0, 200)
