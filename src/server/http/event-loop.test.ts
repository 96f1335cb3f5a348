import { once } from 'node:events'
import { Worker } from 'node:worker_threads'
import { randomUUID } from 'node:crypto'
import { afterAll, describe, expect, it } from 'vitest'
import { z } from 'zod'
import { memberColumns } from '#shared/audiences.ts'
import { routes } from '#server/app.ts'
import { customerFile } from '#server/resources/audiences/testing/members.ts'
import { longGif, png, pngChunk } from '#server/files/testing/pictures.ts'
import type { Route } from './route.ts'
import { testApi } from './testing/api.ts'

/**
 * Whatever body is sent, it delays no other request: hostile ones of the largest accepted size, at every
 * route that reads one, while the event loop is timed. The processor time of the thread between two
 * iterations of the loop is measured, so that a busy machine gives the same result as an idle one.
 */
const IS_LONG = Boolean(process.env.LONG)
const MOST_MS = 100
const JSON_BYTES = 1024 * 1024
const FORM_BYTES = 6 * 1024 * 1024

const api = await testApi()
const superuser = await api.signedIn('superuser')
const client = new Worker(new URL('./testing/event-loop-worker.ts', import.meta.url), { execArgv: [] })
afterAll(() => client.terminate())

interface Hostile {
  what: string
  type: string
  body: Buffer
}
type Schema = z.core.JSONSchema.BaseSchema

it(`no body holds the loop longer than ${MOST_MS} ms, at any route`, async () => {
  // Compiling during the first ones is not caused by a body.
  for (const route of routes.filter(({ method }) => method !== 'GET').slice(0, 5))
    await heldBy(route, jsonOf('nothing', '{}'))
  const floorMs = floor()
  const mostMs = Math.max(MOST_MS, FLOORS * floorMs)
  const late: string[] = []
  let requests = 0
  for (const route of routes)
    for (const hostile of hostileTo(route)) {
      requests++
      const heldMs = await heldBy(route, hostile)
      // Once more: a garbage collection may have fallen into it.
      if (heldMs > mostMs && (await heldBy(route, hostile)) > mostMs)
        late.push(`${route.method} ${route.path}, ${hostile.what}: ${Math.round(heldMs)} ms`)
    }
  expect(late).toEqual([])
  expect(requests).toBeGreaterThan(100)
})

describe('a batch of hashed people', async () => {
  const columns = JSON.stringify(memberColumns)
  const members = (rows: string, action = 'add') =>
    jsonOf(
      'people',
      `{"session":"${randomUUID()}","seq":1,"last":true,"action":"${action}","columns":${columns},"rows":${rows}}`,
    )
  const route = routes.find(({ path }) => path.endsWith('/members/') && path.startsWith('/api/lta/'))
  const advertiser = await api.advertiser('Aurora', [superuser.user.id])
  const { id } = await customerFile(superuser, { advertiser })
  const key = Buffer.alloc(32)
  await api.db
    .insertInto('suppressed_member')
    .values({ advertiser, key, created_at: api.clock.now })
    .execute()
  // No hashes of anything: made to look alike in most of their bytes.
  const hashOf = (n: number) => n.toString(16).padStart(8, '0').padEnd(64, '5')
  const alike = JSON.stringify(
    Array.from({ length: 10_000 }, (_, n) =>
      memberColumns.map((_column, at) => (at < 4 ? hashOf(n * 4 + at) : '')),
    ),
  )

  it.each([
    ['that is added', members(alike)],
    ['that replaces a list', members(alike, 'replace')],
    ['that is removed', members(alike, 'remove')],
    ['of numbers', members(listed(listed('1', memberColumns.length), 10_000))],
    ['of nothing', members(listed(listed('null', memberColumns.length), 10_000))],
    ['of long texts', members(listed(`["${filled('x', 700)}"]`, 10_000))],
    ['of one row', members(`[${listed('""', 129_000)}]`)],
    ['of rows that are none', members(listed('1', 129_000))],
  ])('%s holds the loop no longer either', async (_, hostile) => {
    expect(route).toBeDefined()
    if (!route) return
    const mostMs = Math.max(MOST_MS, FLOORS * floor())
    const at = { ...route, path: route.path.replace(':id', String(id)) }
    const again = {
      ...hostile,
      body: Buffer.from(String(hostile.body).replace(/"session":"[^"]*"/, `"session":"${randomUUID()}"`)),
    }
    const heldMs = await heldBy(at, hostile)
    expect(Math.min(heldMs, heldMs > mostMs ? await heldBy(at, again) : heldMs)).toBeLessThan(mostMs)
  })
})

describe('links in bulk', () => {
  const route = routes.find(({ path }) => path === '/api/ad/bulk/')
  const utm = ['utm_source', 'utm_medium', 'utm_campaign', 'utm_id', 'utm_term', 'utm_content']
  const links = (landing: string, value: string) => {
    const values = Object.fromEntries(utm.map(field => [field, value.slice(0, 100)]))
    const extra = Array.from({ length: 10 }, (_, at) => ({ key: `${at}`, value: value.slice(0, 200) }))
    const row = { advertiser: 1, platform: 'meta', landing_url: landing, ...values, extra }
    return jsonOf('links', JSON.stringify({ rows: Array.from({ length: 500 }, () => row) }))
  }

  it.each([
    ['of placeholders', links('https://a.demo/', '__CID__'.repeat(29))],
    ['of nearly placeholders', links('https://a.demo/', '__A{{'.repeat(40))],
    ['of nearly people', links('https://a.demo/', '+1(@.'.repeat(40))],
    ['of many parameters', links(`https://a.demo/?${'&'.repeat(1980)}`, 'a')],
    ['of encoded parameters', links(`https://a.demo/?${'%61&'.repeat(495)}`, 'a')],
    ['of wrong names', jsonOf('links', `{"rows":${listed('{"x":1}', 500)}}`)],
    ['of rows that are none', jsonOf('links', `{"rows":${listed('1', 29_000)}}`)],
  ])('%s hold the loop no longer either', async (_, hostile) => {
    expect(route).toBeDefined()
    if (!route) return
    const mostMs = Math.max(MOST_MS, FLOORS * floor())
    const heldMs = await heldBy(route, hostile)
    expect(Math.min(heldMs, heldMs > mostMs ? await heldBy(route, hostile) : heldMs)).toBeLessThan(mostMs)
  })
})

/** On a machine where a fixed piece of work takes longer than the limit, that is the limit. */
const FLOORS = 4
function floor(): number {
  const times = [1, 2, 3].map(() => {
    const from = process.threadCpuUsage()
    JSON.stringify(JSON.parse(`[${'{"a":1},'.repeat(100_000)}0]`))
    return msSince(from)
  })
  return Math.min(...times)
}

/** The longest iteration of the loop during this request, in milliseconds of processor time. */
async function heldBy({ method, path }: Route, { type, body }: Hostile): Promise<number> {
  const url = api.origin + path.replaceAll(/:\w+/g, '1')
  const headers = { authorization: `Bearer ${superuser.token}`, 'content-type': type }
  client.postMessage({ url, method, headers, body })
  const answered = once(client, 'message')
  let most = 0
  let from = process.threadCpuUsage()
  const timer = setInterval(() => {
    most = Math.max(most, msSince(from))
    from = process.threadCpuUsage()
  }, 1)
  await answered
  // The iteration in which it responded.
  await new Promise(resolve => setTimeout(resolve, 1))
  clearInterval(timer)
  return Math.max(most, msSince(from))
}

function msSince(from: NodeJS.CpuUsage): number {
  const { user, system } = process.threadCpuUsage(from)
  return (user + system) / 1000
}

function hostileTo(route: Route): Hostile[] {
  const { body, takes_form, streams_form } = route.facts
  if (route.method === 'GET') return []
  const schema = body && z.toJSONSchema(body, { io: 'input', unrepresentable: 'any' })
  const atPlaces = schema ? pathsOf(schema).flatMap(hostileAt) : []
  return [
    ...(IS_LONG ? general : general.slice(0, 1)),
    ...(IS_LONG ? atPlaces : atPlaces.slice(0, 2)),
    ...(schema?.type === 'string' ? (IS_LONG ? files : files.slice(0, 3)) : []),
    ...(takes_form ? (IS_LONG ? forms : forms.slice(0, 6)) : []),
    ...(streams_form ? uploads : []),
  ]
}

const jsonOf = (what: string, text: string): Hostile => ({
  what,
  type: 'application/json',
  body: Buffer.from(text),
})
/** Repeated as often as it fits. */
const filled = (bit: string, bytes = JSON_BYTES - 100) =>
  bit.repeat(Math.floor(bytes / Buffer.byteLength(bit)))
const listed = (bit: string, count: number) => `[${Array.from({ length: count }, () => bit).join(',')}]`
const keyed = (count: number) => `{${Array.from({ length: count }, (_, n) => `"k${n}":0`).join(',')}}`
/** The largest accepted size. */
const MOST_VALUES = 29_000

/** To any route; the worst first. */
const general = [
  jsonOf('as many keys as accepted', keyed(MOST_VALUES)),
  jsonOf('more keys than accepted', keyed(80_000)),
  jsonOf('nested lists', filled('[')),
  jsonOf('nested objects', filled('{"a":')),
  jsonOf('a list of numbers', listed('0', 500_000)),
  jsonOf('a list of texts', listed('"x"', 250_000)),
  jsonOf('as many numbers as accepted', listed('1e308', MOST_VALUES)),
  jsonOf('a prototype', `{"__proto__":${keyed(MOST_VALUES)}}`),
  jsonOf('a long number', `{"a":${filled('9')}}`),
  jsonOf('backslashes', `{"a":"${filled('\\\\')}"}`),
  jsonOf('pairs', `{"a":"${filled('\\ud83d\\ude00')}"}`),
  jsonOf('half a surrogate pair at the end', `{"a":"${filled('\\ud83d\\ude00')}\\ud83d"}`),
  jsonOf('an endless text', `{"a":"${filled('x')}`),
]

/** In the shape of the schema, where it takes something. */
interface BodyPath {
  path: string
  schema: Schema
  around: (text: string) => string
}

function pathsOf(schema: Schema, path = '', around: BodyPath['around'] = text => text): BodyPath[] {
  const inner = [...(schema.anyOf ?? []), ...(schema.oneOf ?? [])].filter(each => typeof each === 'object')
  const fields = Object.entries(schema.properties ?? {}).flatMap(([name, field]) =>
    typeof field === 'object'
      ? pathsOf(field, `${path}.${name}`, text => around(`{${JSON.stringify(name)}:${text}}`))
      : [],
  )
  const items =
    typeof schema.items === 'object' && !Array.isArray(schema.items)
      ? pathsOf(schema.items, `${path}[]`, text => around(`[${text}]`))
      : []
  const all = [
    { path, schema, around },
    ...inner.flatMap(each => pathsOf(each, path, around)),
    ...fields,
    ...items,
  ]
  // Lists first: each of their items is validated.
  return all.toSorted(
    (one, other) => Number(other.schema.type === 'array') - Number(one.schema.type === 'array'),
  )
}

function hostileAt({ path, schema, around }: BodyPath): Hostile[] {
  const at = (what: string, text: string) => jsonOf(`${path}: ${what}`, around(text))
  if (schema.type === 'array')
    return [
      at('a list of objects', listed('{}', MOST_VALUES / 2)),
      at('a list of numbers', listed('1', MOST_VALUES)),
      at('a list of texts', listed(JSON.stringify('x'.repeat(30)), MOST_VALUES)),
    ]
  if (schema.type === 'object') return [at('keys', keyed(MOST_VALUES))]
  if (schema.type !== 'string') return []
  return ['a', '0', '-', '2026-', ' ', '@.', '(', '品', '\\\\', '!A1:'].map(bit =>
    at(`a text of ${bit}`, `"${filled(bit, JSON_BYTES - 1000)}"`),
  )
}

/** Of 256 kB, see reports/report-text.test.ts. */
const FILE_BYTES = 256 * 1024
const files = ['[', '- - ', '%\n', ',', '"" ', '\\x', '- {channel: fb, accounts: [a]}\n', '---\n'].map(
  bit => ({
    what: `a file of ${JSON.stringify(bit)}`,
    type: 'application/yaml',
    body: Buffer.from(filled(bit, FILE_BYTES)),
  }),
)

const B = 'boundary-of-browsers-0123456789'
const part = (n: number, text: string) =>
  `--${B}\r\ncontent-disposition: form-data; name="f${n}"\r\n\r\n${text}\r\n`
const formOf = (what: string, ...parts: (string | Buffer)[]): Hostile => ({
  what: `a form of ${what}`,
  type: `multipart/form-data; boundary=${B}`,
  body: Buffer.concat([...parts, `--${B}--\r\n`].map(each => Buffer.from(each))).subarray(0, FORM_BYTES),
})
const numbered = (count: number, text: string) =>
  Array.from({ length: count }, (_, n) => part(n, text)).join('')
const pictureOf = (what: string, begin: Iterable<number>, bit: Iterable<number>, name = 'image') =>
  formOf(
    what,
    `--${B}\r\ncontent-disposition: form-data; name="${name}"; filename="a"\r\ncontent-type: image/png\r\n\r\n`,
    Buffer.concat([Buffer.from([...begin]), Buffer.alloc(5 * 1024 * 1024 - 100, Buffer.from([...bit]))]),
    '\r\n',
  )
const PNG = [0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a]
const JPEG = [0xff, 0xd8]
const FRAME = [0xff, 0xc0, 0, 11, 8, 0, 9, 0, 9, 1, 1, 0x11, 0]
const forms = formsWith('image')
/** Files are read whole, by code of ours; the others are bounded by their size. */
const uploads = [
  ...formsWith('file'),
  pictureOf('a PNG of texts', png(1, 1).subarray(0, 33), pngChunk('tEXt', Buffer.alloc(0)), 'file'),
  pictureOf('a GIF of comments', longGif(1, 1, 0).subarray(0, -1), [0x21, 0xfe, 0], 'file'),
  pictureOf('a GIF of pictures', longGif(1, 1, 0).subarray(0, -1), longGif(1, 1, 1).subarray(19, -1), 'file'),
  pictureOf(
    'a WebP of chunks',
    Buffer.from('RIFF\0\0\x4f\0WEBPVP8X\x0a\0\0\0'),
    Buffer.from('abcd\0\0\0\0'),
    'file',
  ),
  pictureOf('a ZIP of files', [], Buffer.from(`PK\x03\x04${'\0'.repeat(22)}\x01\0\0\0a`), 'file'),
  pictureOf('a page of comments', [], Buffer.from('<!---->'), 'file'),
]

function formsWith(name: string): Hostile[] {
  return [
    formOf('10,000 parts', numbered(10_000, 'x')),
    formOf('as many parts as fit', numbered(60_000, '')),
    formOf('one long text', part(0, 'x'.repeat(5_900_000))),
    formOf('invalid boundaries', part(0, '\r\n--y'.repeat(1_100_000))),
    formOf('line ends', '\r\n'.repeat(3_000_000)),
    formOf('an endless header', `--${B}\r\ncontent-disposition: form-data; name="${'a'.repeat(5_900_000)}`),
    formOf('many header lines', `--${B}\r\n${'a: b\r\n'.repeat(900_000)}`),
    pictureOf('a PNG of nothing', PNG, [0], name),
    pictureOf('a PNG of chunks', PNG, [0, 0, 0, 0, 0x49, 0x44, 0x41, 0x54, 0, 0, 0, 0], name),
    pictureOf('a JPEG of segments', JPEG, [0xff, 0xe1, 0, 2], name),
    pictureOf('a JPEG of padding', JPEG, [0xff], name),
    pictureOf('a JPEG of a scan of padding', [...JPEG, ...FRAME, 0xff, 0xda, 0, 2], [0xff], name),
    pictureOf('a JPEG of a scan of FF', [...JPEG, ...FRAME, 0xff, 0xda, 0, 2], [0xff, 0], name),
    pictureOf('a GIF', Buffer.from('GIF89a'), [0x2c], name),
    pictureOf('a WebP', Buffer.from('RIFF\0\0\0\0WEBPVP8 '), [0], name),
  ]
}
