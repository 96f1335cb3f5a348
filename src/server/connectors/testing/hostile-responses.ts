import { gzipSync } from 'node:zlib'
import { aboutJson } from './hostile-json.ts'
import { aboutTable } from './hostile-tables.ts'
import type { WireResponse, Exchange, Replacement } from './hostile.ts'
import { HTML, responseWith, mutation, type Mutation } from './hostile-mutation.ts'

// Every way in which a response can be wrong.

export function mutationsOf({ original }: Exchange, elsewhere: string): Mutation[] {
  const text = original.body.toString()
  return [
    ...onTheWire(original, elsewhere),
    ...refusals(),
    ...cutOff(original),
    ...(isJson(text)
      ? aboutJson(original, text, elsewhere)
      : text.includes(',')
        ? aboutTable(original, text)
        : []),
  ]
}

const isJson = (text: string) => /^\s*[[{]/.test(text)

const typed = (type: string, body: Buffer | string, status = 200): WireResponse => ({
  status,
  headers: [['content-type', type]],
  body: Buffer.from(body),
})
const withHeader = (original: WireResponse, ...added: [string, string][]): WireResponse => {
  const names = new Set(added.map(([name]) => name))
  return { ...original, headers: [...original.headers.filter(([name]) => !names.has(name)), ...added] }
}

/** Begins, and never ends. */
export const NEVER = 'a response that never comes'
/** Costs hundreds of megabytes. */
export const isHeavy = ({ kind }: Mutation) => kind.startsWith('no end') || kind.startsWith('a bomb')

const SHAPES = [
  'null',
  '[]',
  '{}',
  '"text"',
  '0',
  '1e400',
  'true',
  '[[]]',
  '[null]',
  '{"data":null}',
  '{"data":[null]}',
  '{"error":null}',
  '{"errors":[]}',
  '{"errors":[null]}',
  `${'['.repeat(50_000)}${']'.repeat(50_000)}`,
]
const WAITS = ['-5', '1000000000', 'soon', '1e9', '99999', 'Fri, 31 Dec 9999 23:59:59 GMT']

function onTheWire(original: WireResponse, elsewhere: string): Mutation[] {
  const json = (body: string, status = 200) => typed('application/json', body, status)
  return [
    mutation('cut before a word', () => response => void response.socket?.destroy()),
    mutation('an empty 200', () => responseWith(original, '')),
    mutation('204', () => ({ ...responseWith(original, ''), status: 204 })),
    ...[200, 403, 404, 418, 429, 500, 502, 503, 504].map(status =>
      mutation(`HTML with ${status}`, () => typed('text/html', HTML, status)),
    ),
    ...SHAPES.map(shape => mutation(`JSON ${shape.slice(0, 20)}`, () => json(shape))),
    ...[301, 302, 303, 307, 308].map(status =>
      mutation(`redirection by ${status}`, () => ({
        status,
        headers: [['location', `${elsewhere}/taken`]],
        body: Buffer.alloc(0),
      })),
    ),
    mutation(NEVER, () => response => {
      response.writeHead(200, { 'content-type': 'application/json' })
      response.write('{')
    }),
    mutation('no end', () => endless('application/json')),
    mutation('no end of a table', () => endless('text/csv')),
    mutation('a bomb', () => withHeader({ ...original, body: bomb() }, ['content-encoding', 'gzip'])),
    mutation('a bomb of a table', () => ({
      status: 200,
      headers: [
        ['content-type', 'text/csv'],
        ['content-encoding', 'gzip'],
      ],
      body: bomb(),
    })),
    mutation('not the gzip that it says', () => withHeader(original, ['content-encoding', 'gzip'])),
    mutation('half a gzip', () =>
      withHeader({ ...original, body: gzipSync(original.body).subarray(0, -12) }, [
        'content-encoding',
        'gzip',
      ]),
    ),
    mutation('an unknown encoding', () => withHeader(original, ['content-encoding', 'wish'])),
    mutation('a byte that is no UTF-8', () =>
      responseWith(
        original,
        Buffer.concat([original.body.subarray(0, -9), Buffer.of(0xff), original.body.subarray(-9)]),
      ),
    ),
    mutation('a byte order mark', () =>
      responseWith(original, Buffer.concat([Buffer.of(0xef, 0xbb, 0xbf), original.body])),
    ),
    mutation('UTF-16', () =>
      responseWith(original, Buffer.from(`\ufeff${original.body.toString()}`, 'utf16le')),
    ),
    mutation('another type', () => withHeader(original, ['content-type', 'text/html'])),
    mutation('the type of JSON', () => withHeader(original, ['content-type', 'application/json'])),
    mutation('the type of a table', () =>
      withHeader(original, ['content-type', 'text/csv; charset=shift_jis']),
    ),
    mutation('an unknown character set', () =>
      withHeader(original, ['content-type', 'text/csv; charset=wish']),
    ),
    mutation('no type', () => ({
      ...original,
      headers: original.headers.filter(([name]) => name !== 'content-type'),
    })),
    mutation('two types', () =>
      withHeader(original, ['content-type', 'text/html'], ['content-type', 'application/json']),
    ),
    mutation('two lengths', () => twoLengths(original)),
    mutation('a date of another age', () => withHeader(original, ['date', 'Thu, 01 Jan 1970 00:00:00 GMT'])),
    ...[...WAITS, ''].flatMap(wait => {
      const headers: [string, string][] = wait === '' ? [] : [['retry-after', wait], ...USAGES(wait)]
      return [429, 403, 503].map(status =>
        mutation(`${status} and to come back in ${wait}`, () => ({ status, headers, body: Buffer.alloc(0) })),
      )
    }),
    ...WAITS.map(wait =>
      mutation(`odd headers about use, ${wait}`, () =>
        withHeader(original, ...USAGES(wait), ['x-tt-ads-throttle', '']),
      ),
    ),
    mutation('two times to come back', () => ({
      status: 429,
      headers: [
        ['retry-after', '1'],
        ['retry-after', '100000'],
      ],
      body: Buffer.alloc(0),
    })),
  ]
}

/**
 * Refusals in every form that there is, which repeat what was sent, or have names that every object has.
 */
function refusals(): Mutation[] {
  const forms = (text: string): Record<string, unknown> => ({
    Meta: { error: { message: text, code: 100, type: text, error_subcode: 1, fbtrace_id: text } },
    Google: {
      error: {
        code: 400,
        message: text,
        status: text,
        errors: [{ reason: text }],
        details: [
          { reason: text },
          { errors: [{ errorCode: { [text]: text }, message: text }], requestId: text },
        ],
      },
    },
    'a token service': { error: text, error_description: text },
    TikTok: { code: 40002, message: text, request_id: text, data: {} },
    LINE: { errors: [{ reason: text, property: text }] },
    'LINE, bare': [{ reason: text, property: text }],
    LY: {
      rid: text,
      rval: null,
      errors: [{ code: text, message: text, details: [{ requestKey: text, requestValue: text }] }],
    },
    'Yahoo DSP': { errors: { message: text } },
  })
  return [200, 400, 401, 403, 429, 500].flatMap(status =>
    Object.keys(forms('')).flatMap(form => {
      const refusing =
        (textOf: (secrets: readonly string[]) => string): Replacement =>
        (response, secrets) =>
          void response
            .writeHead(status, { 'content-type': 'application/json' })
            .end(JSON.stringify(forms(textOf(secrets))[form]))
      return [
        mutation(`${status} that repeats secrets, as ${form}`, () =>
          refusing(secrets => `${secrets.join(' ')} ${secrets.map(encodeURIComponent).join(' ')}`),
        ),
        ...['constructor', '__proto__'].map(word =>
          mutation(`${status} called ${word}, as ${form}`, () => refusing(() => word)),
        ),
      ]
    }),
  )
}

/** Meta's headers about quotas, with numbers beyond all reason. */
const USAGES = (wait: string): [string, string][] => {
  const said = /^[-\d]+(e\d+)?$/.test(wait) ? wait : `"${wait}"`
  const usage = `{"acc_id_util_pct":100,"app_id_util_pct":${said},"reset_time_duration":${said}}`
  const use = `{"type":"ads_insights","call_count":${said},"total_cputime":1e308,"total_time":1,"estimated_time_to_regain_access":${said}}`
  return [
    ['x-ad-account-usage', usage],
    ['x-fb-ads-insights-throttle', usage],
    ['x-app-usage', `{"call_count":${said},"total_cputime":1e400,"total_time":-1}`],
    ['x-business-use-case-usage', `{"__proto__":[${use}],"1":[${use}]}`],
  ]
}

let aBomb: Buffer | null = null
/** A gigabyte of spaces. */
function bomb(): Buffer {
  aBomb ??= gzipSync(Buffer.alloc(1024 ** 3, ' '), { level: 1 })
  return aBomb
}

const endless =
  (type: string): Replacement =>
  response => {
    response.writeHead(200, { 'content-type': type })
    const part = Buffer.alloc(1024 * 1024, ' ')
    const more = () => {
      while (!response.destroyed && response.write(part)) {}
      if (!response.destroyed) response.once('drain', more)
    }
    more()
  }

const twoLengths =
  ({ body }: WireResponse): Replacement =>
  response => {
    response.socket?.end(
      Buffer.concat([
        Buffer.from(
          `HTTP/1.1 200 OK\r\ncontent-length: ${body.length}\r\ncontent-length: ${body.length - 1}\r\n\r\n`,
        ),
        body,
      ]),
    )
  }

const CUTS = 12

/** Cut off with a length that fits, and with one that does not. */
function cutOff({ status, headers, body }: WireResponse): Mutation[] {
  const places = [
    1,
    body.length - 1,
    body.length - 2,
    ...Array.from({ length: CUTS }, (_, at) => Math.floor((body.length * (at + 0.5)) / CUTS)),
  ]
  return [...new Set(places)]
    .filter(place => place > 0 && place < body.length)
    .flatMap(place => {
      const part = body.subarray(0, place)
      const cut: Replacement = response => {
        response.writeHead(status, [...headers, ['content-length', String(body.length)]].flat())
        response.write(part, () => setImmediate(() => response.socket?.destroy()))
      }
      const short = mutation('silently cut', () => ({ status, headers, body: part }), String(place))
      return [
        short,
        { ...short, name: `${short.name}, once`, once: true },
        mutation('cut', () => cut, String(place)),
      ]
    })
}
