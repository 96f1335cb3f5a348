import { fork } from 'node:child_process'
import { once } from 'node:events'
import { createServer } from 'node:http'
import { text } from 'node:stream/consumers'
import type { ReportRequest, Source } from '#server/connectors/connector.ts'
import { csvRows } from '#server/connectors/csv.ts'
import { testWorld } from '#server/connectors/testing.ts'
import type { BenchCase } from './case.ts'

// A connector that reads one account to the end, beside fetching the same answers, parsing and discarding them. The platform is a process of its own,
// over loopback, and has all its answers ready from the second time on.

export interface ConnectorBench {
  what: string
  source: Source
  /** A question whose answer has so many rows. */
  request: (rows: number) => ReportRequest
  answer: (asked: Asked) => Answer
  sizes?: readonly number[]
}

/** What the platform is asked, as far as an answer hangs on it. */
export interface Asked {
  rows: number
  /** Of this platform: an address that it tells of itself begins with it. */
  origin: string
  path: string
  params: URLSearchParams
  body: string
}

export type Answer = { json: string; status?: number } | { csv: string }

const SIZES = [10_000, 100_000, 1_000_000]
const NOW = '2026-11-21T00:00:00Z'

/** The cases of a suite, which is `file`: run by itself, it is the platform. */
export function connectorCases(file: string, benches: readonly ConnectorBench[]): BenchCase[] {
  return benches.map(({ what, source, request, sizes = SIZES }, index) => ({
    id: 'P1',
    what: `connector: ${what}`,
    sizes,
    unit: 'rows',
    reach: { ratio: 1.5 },
    // At the smallest, the processor has hardly warmed up.
    binding: sizes.slice(1),
    async prepare(rows) {
      const platform = fork(file, { execArgv: [] })
      const [port] = await once(platform, 'message')
      const base_url = `http://127.0.0.1:${port}/${index}/${rows}`
      const read = (fetching = fetch) => readWhole({ source, request: request(rows), base_url }, fetching)
      let questions: Questions | null = null
      return {
        async ours() {
          const found = await read()
          if (found !== rows) throw new Error(`${found} rows instead of ${rows}`)
        },
        async floor() {
          questions ??= await recorded(read)
          for (const [url, init] of questions) await parse(await fetch(url, init))
        },
        stop: () => platform.kill(),
      }
    },
  }))
}

async function readWhole(
  { source, request, base_url }: { source: Source; request: ReportRequest; base_url: string },
  fetching: typeof fetch,
): Promise<number> {
  let rows = 0
  const world = { ...testWorld(base_url, NOW), fetch: fetching }
  for await (const page of source.fetchReport(request, world)) rows += page.length
  return rows
}

type Questions = Parameters<typeof fetch>[]

/** Everything that the connector asks for, so that the floor asks for the same. */
async function recorded(read: (fetching: typeof fetch) => Promise<number>): Promise<Questions> {
  const questions: Questions = []
  await read((url, init) => {
    questions.push([url, { ...init, signal: null }])
    return fetch(url, init)
  })
  return questions
}

async function parse(response: Response): Promise<void> {
  const body = await response.text()
  if (response.headers.get('content-type') === CSV) for (const fields of csvRows(body)) void fields.length
  else JSON.parse(body)
}

const CSV = 'text/csv;charset=utf-8'

/** The platform's side of a suite. */
export async function serve(benches: readonly ConnectorBench[]): Promise<void> {
  const ready = new Map<string, { status: number; type: string; bytes: Buffer }>()
  const server = createServer(async (request, response) => {
    const body = await text(request)
    const key = `${request.url} ${body}`
    const { status, type, bytes } =
      ready.get(key) ?? made(`http://${request.headers.host}${request.url}`, body)
    ready.set(key, { status, type, bytes })
    response.writeHead(status, { 'content-type': type }).end(bytes)
  }).listen(0, '127.0.0.1')
  process.once('disconnect', () => process.exit())
  await once(server, 'listening')
  const address = server.address()
  process.send?.(typeof address === 'object' ? address?.port : null)

  function made(asked: string, body: string) {
    const url = new URL(asked)
    const [, index = '', rows = '', ...path] = url.pathname.split('/')
    const origin = `${url.origin}/${index}/${rows}`
    const asked_of = { rows: Number(rows), origin, path: path.join('/'), params: url.searchParams, body }
    const answer = benches[Number(index)]?.answer(asked_of)
    if (!answer) throw new Error(`no bench ${index}`)
    return 'csv' in answer
      ? { status: 200, type: CSV, bytes: Buffer.from(answer.csv) }
      : { status: answer.status ?? 200, type: 'application/json', bytes: Buffer.from(answer.json) }
  }
}

/** So many days from one on; what lies `offset` days after it. */
export const daysFrom = (first: string, count: number) =>
  Array.from({ length: count }, (_, offset) => dayAfter(first, offset))

export const dayAfter = (first: string, offset: number) =>
  Temporal.PlainDate.from(first).add({ days: offset }).toString()

/** `make(0), make(1), …` with commas between, for the inside of a JSON list. */
export const listOf = (length: number, make: (at: number) => unknown) =>
  Array.from({ length }, (_, at) => JSON.stringify(make(at))).join(',')
