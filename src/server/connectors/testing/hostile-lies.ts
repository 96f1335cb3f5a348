import { gzipSync } from 'node:zlib'
import { aboutJson } from './hostile-json.ts'
import { aboutTable } from './hostile-tables.ts'
import type { Answer, Exchange, Lie } from './hostile.ts'
import { HTML, answerWith, untruth, type Untruth } from './hostile-untruth.ts'

// Every way in which a response can be wrong.

export function untruthsAbout({ answer }: Exchange, elsewhere: string): Untruth[] {
  const text = answer.body.toString()
  return [
    ...onTheWire(answer, elsewhere),
    ...refusals(),
    ...cutOff(answer),
    ...(isJson(text)
      ? aboutJson(answer, text, elsewhere)
      : text.includes(',')
        ? aboutTable(answer, text)
        : []),
  ]
}

const isJson = (text: string) => /^\s*[[{]/.test(text)

const typed = (type: string, body: Buffer | string, status = 200): Answer => ({
  status,
  headers: [['content-type', type]],
  body: Buffer.from(body),
})
const withHeader = (answer: Answer, ...added: [string, string][]): Answer => {
  const names = new Set(added.map(([name]) => name))
  return { ...answer, headers: [...answer.headers.filter(([name]) => !names.has(name)), ...added] }
}

/** Begins, and leaves one waiting. */
export const NEVER = 'an answer that never comes'
/** Costs hundreds of megabytes. */
export const isHeavy = ({ kind }: Untruth) => kind.startsWith('no end') || kind.startsWith('a bomb')

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

function onTheWire(answer: Answer, elsewhere: string): Untruth[] {
  const json = (body: string, status = 200) => typed('application/json', body, status)
  return [
    untruth('cut before a word', () => response => void response.socket?.destroy()),
    untruth('an empty 200', () => answerWith(answer, '')),
    untruth('204', () => ({ ...answerWith(answer, ''), status: 204 })),
    ...[200, 403, 404, 418, 429, 500, 502, 503, 504].map(status =>
      untruth(`HTML with ${status}`, () => typed('text/html', HTML, status)),
    ),
    ...SHAPES.map(shape => untruth(`JSON ${shape.slice(0, 20)}`, () => json(shape))),
    ...[301, 302, 303, 307, 308].map(status =>
      untruth(`redirection by ${status}`, () => ({
        status,
        headers: [['location', `${elsewhere}/taken`]],
        body: Buffer.alloc(0),
      })),
    ),
    untruth(NEVER, () => response => {
      response.writeHead(200, { 'content-type': 'application/json' })
      response.write('{')
    }),
    untruth('no end', () => endless('application/json')),
    untruth('no end of a table', () => endless('text/csv')),
    untruth('a bomb', () => withHeader({ ...answer, body: bomb() }, ['content-encoding', 'gzip'])),
    untruth('a bomb of a table', () => ({
      status: 200,
      headers: [
        ['content-type', 'text/csv'],
        ['content-encoding', 'gzip'],
      ],
      body: bomb(),
    })),
    untruth('not the gzip that it says', () => withHeader(answer, ['content-encoding', 'gzip'])),
    untruth('half a gzip', () =>
      withHeader({ ...answer, body: gzipSync(answer.body).subarray(0, -12) }, ['content-encoding', 'gzip']),
    ),
    untruth('an encoding that nobody knows', () => withHeader(answer, ['content-encoding', 'wish'])),
    untruth('a byte that is no UTF-8', () =>
      answerWith(
        answer,
        Buffer.concat([answer.body.subarray(0, -9), Buffer.of(0xff), answer.body.subarray(-9)]),
      ),
    ),
    untruth('a byte order mark', () =>
      answerWith(answer, Buffer.concat([Buffer.of(0xef, 0xbb, 0xbf), answer.body])),
    ),
    untruth('UTF-16', () => answerWith(answer, Buffer.from(`\ufeff${answer.body.toString()}`, 'utf16le'))),
    untruth('another type', () => withHeader(answer, ['content-type', 'text/html'])),
    untruth('the type of JSON', () => withHeader(answer, ['content-type', 'application/json'])),
    untruth('the type of a table', () => withHeader(answer, ['content-type', 'text/csv; charset=shift_jis'])),
    untruth('a character set that nobody knows', () =>
      withHeader(answer, ['content-type', 'text/csv; charset=wish']),
    ),
    untruth('no type', () => ({
      ...answer,
      headers: answer.headers.filter(([name]) => name !== 'content-type'),
    })),
    untruth('two types', () =>
      withHeader(answer, ['content-type', 'text/html'], ['content-type', 'application/json']),
    ),
    untruth('two lengths', () => twoLengths(answer)),
    untruth('a date of another age', () => withHeader(answer, ['date', 'Thu, 01 Jan 1970 00:00:00 GMT'])),
    ...[...WAITS, ''].flatMap(wait => {
      const headers: [string, string][] = wait === '' ? [] : [['retry-after', wait], ...USAGES(wait)]
      return [429, 403, 503].map(status =>
        untruth(`${status} and to come back in ${wait}`, () => ({ status, headers, body: Buffer.alloc(0) })),
      )
    }),
    ...WAITS.map(wait =>
      untruth(`odd headers about use, ${wait}`, () =>
        withHeader(answer, ...USAGES(wait), ['x-tt-ads-throttle', '']),
      ),
    ),
    untruth('two times to come back', () => ({
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
 * Refusals in every form that there is, which repeat what was asked, or are called what every object knows.
 */
function refusals(): Untruth[] {
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
        (textOf: (secrets: readonly string[]) => string): Lie =>
        (response, secrets) =>
          void response
            .writeHead(status, { 'content-type': 'application/json' })
            .end(JSON.stringify(forms(textOf(secrets))[form]))
      return [
        untruth(`${status} that repeats secrets, as ${form}`, () =>
          refusing(secrets => `${secrets.join(' ')} ${secrets.map(encodeURIComponent).join(' ')}`),
        ),
        ...['constructor', '__proto__'].map(word =>
          untruth(`${status} called ${word}, as ${form}`, () => refusing(() => word)),
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

let a_bomb: Buffer | null = null
/** A gigabyte of spaces. */
function bomb(): Buffer {
  a_bomb ??= gzipSync(Buffer.alloc(1024 ** 3, ' '), { level: 1 })
  return a_bomb
}

const endless =
  (type: string): Lie =>
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
  ({ body }: Answer): Lie =>
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

/** Cut off where nobody can tell from the frame, and where the frame tells. */
function cutOff({ status, headers, body }: Answer): Untruth[] {
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
      const cut: Lie = response => {
        response.writeHead(status, [...headers, ['content-length', String(body.length)]].flat())
        response.write(part, () => setImmediate(() => response.socket?.destroy()))
      }
      const short = untruth('silently cut', () => ({ status, headers, body: part }), String(place))
      return [
        short,
        { ...short, name: `${short.name}, once`, once: true },
        untruth('cut', () => cut, String(place)),
      ]
    })
}
