import { fork } from 'node:child_process'
import { once } from 'node:events'
import { createServer } from 'node:http'
import { text } from 'node:stream/consumers'
import { catalogueOf } from '#shared/channels/all.ts'
import type { ConnectorContext, Page, ReportRequest, Source } from '#server/connectors/connector.ts'
import { csvRows } from '#server/connectors/kit/csv.ts'
import { testContext } from '#server/connectors/testing/context.ts'
import { chunksOf } from '#server/table/chunks.ts'
import { planReport, type Plan } from '#server/table/plan.ts'
import { openReconciliation } from '#server/resources/runs/reconciliation.ts'
import { startTable } from '#server/table/shape.ts'
import type { TableChunk } from '#server/table/stored-table.ts'
import { testAccount } from '#server/table/testing/table.ts'
import type { BenchCase, Prepared } from './case.ts'

// A connector that reads one account to the end, beside fetching the same responses, parsing and discarding
// them; and the same all the way into the JSON of a spreadsheet, beside stringifying the same cells as well.
// The platform is a process of its own, over loopback, and has all its responses ready from the second time
// on.

export interface ConnectorBench {
  what: string
  source: Source
  /** A request whose response has this many rows. */
  request: (rows: number) => ReportRequest
  reply: (target: BenchRequest) => PlatformReply
  sizes?: readonly number[]
  /** The most that the way into a spreadsheet's JSON may take, as a ratio to its floor. */
  reach: number
}

/** The parts of the request that the response depends on. */
export interface BenchRequest {
  rows: number
  /** The platform's address, which begins every URL that it returns. */
  origin: string
  path: string
  params: URLSearchParams
  body: string
}

export type PlatformReply = { json: string; status?: number } | { csv: string }

/** A million rows of JSON take minutes, with five rounds of ours and of the floor. */
const SIZES = [10_000, 100_000, ...(process.env.LONG ? [1_000_000] : [])]
export const SIZES_OF_FILES = [10_000, 100_000, 1_000_000]
const NOW = '2026-11-21T00:00:00Z'

/** The cases of a suite, which is `file`: run by itself, it is the platform. */
export function connectorCases(file: string, benches: readonly ConnectorBench[]): BenchCase[] {
  return benches.flatMap((bench, index) => {
    const { what, sizes = SIZES } = bench
    // At the smallest, the processor has hardly warmed up.
    const common = { id: 'P1', sizes, unit: 'rows', binding: sizes.slice(1) }
    const started = (rows: number) => startPlatform(file, { bench, index, rows })
    return [
      {
        ...common,
        what: `${what} → columns`,
        reach: { ratio: 1.5 },
        prepare: async rows => columnsBeside(await started(rows)),
      },
      {
        ...common,
        what: `${what} → columns → table → spreadsheet JSON`,
        reach: { ratio: bench.reach, megabytes: 300 },
        prepare: async rows => tableBeside(await started(rows)),
      },
    ]
  })
}

export interface Platform {
  rows: number
  request: ReportRequest
  /** Reads the connector's pages to the end. */
  read: (take: (page: Page) => void, more?: Partial<ConnectorContext>) => Promise<void>
  stop: () => unknown
}

export async function startPlatform(
  file: string,
  { bench, index, rows }: { bench: ConnectorBench; index: number; rows: number },
): Promise<Platform> {
  const platform = fork(file, { execArgv: [] })
  const [port] = await once(platform, 'message')
  const request = bench.request(rows)
  return {
    rows,
    request,
    async read(take, more) {
      const context = { ...testContext(`http://127.0.0.1:${port}/${index}/${rows}`, NOW), ...more }
      let found = 0
      for await (const page of bench.source.fetchReport(request, context)) {
        found += page.length
        take(page)
      }
      if (found !== rows) throw new Error(`${found} rows instead of ${rows}`)
    },
    stop: () => platform.kill(),
  }
}

function columnsBeside({ read, stop }: Platform): Prepared {
  let requests: Requests | null = null
  return {
    ours: () => busy(() => read(() => {})),
    async floor() {
      const known = (requests ??= await recorded(read))
      return busy(() => sendAgain(known))
    },
    stop,
  }
}

function tableBeside({ rows, request, read, stop }: Platform): Prepared {
  const plan = planOf(request)
  const write = async (keep: (chunk: TableChunk) => void) => {
    const table = startTable(plan)
    const reconciliation = openReconciliation(plan)
    await read(page => {
      table.add(0, page)
      reconciliation.add(0, page)
    })
    const finished = table.finish()
    if (finished.rows !== rows) throw new Error(`a table of ${finished.rows} rows instead of ${rows}`)
    for (const chunk of chunksOf(finished)) keep(chunk)
  }
  let known: { requests: Requests; chunks: Uint8Array[] } | null = null
  return {
    ours: () => busy(() => write(() => {})),
    async floor() {
      if (known === null) {
        known = { requests: await recorded(read), chunks: [] }
        await write(({ json }) => known?.chunks.push(json))
      }
      const { requests, chunks } = known
      return (await busy(() => sendAgain(requests))) + (await stringifyAgain(chunks))
    },
    stop,
  }
}

/**
 * Processor time in milliseconds: neither waiting for the platform counts, nor other load of the same
 * machine.
 */
async function busy(work: () => unknown): Promise<number> {
  const before = process.threadCpuUsage()
  await work()
  const { user, system } = process.threadCpuUsage(before)
  return (user + system) / 1000
}

export async function sendAgain(requests: Requests): Promise<void> {
  for (const [url, init] of requests) await parse(await fetch(url, init))
}

/** The time that it takes to turn the cells of chunks into bytes. */
async function stringifyAgain(chunks: Uint8Array[]): Promise<number> {
  let total = 0
  for (const chunk of chunks) {
    const cells: unknown = JSON.parse(Buffer.from(chunk).toString())
    total += await busy(() => Buffer.from(JSON.stringify(cells)))
  }
  return total
}

/** A report of one block with the fields of the request. */
function planOf({ channel, account, range, dimensions, metrics }: ReportRequest): Plan {
  const facts = testAccount(1, { ...account, channel: catalogueOf(channel).accounts_of ?? channel })
  const block = {
    channel,
    label: null,
    accounts: [1],
    metrics,
    filters: [],
    on_error: 'leave_empty' as const,
  }
  return planReport(
    {
      dimensions: ['date', ...dimensions],
      arrangement: 'joined',
      fill_zero: false,
      header_language: 'en',
      channels: [block],
    },
    { accounts: [facts], range },
  )
}

type Requests = Parameters<typeof fetch>[]

/** All requests of the connector, so that the floor sends the same. */
export async function recorded(read: Platform['read']): Promise<Requests> {
  const requests: Requests = []
  await read(() => {}, {
    fetch: (url, init) => {
      requests.push([url, { ...init, signal: null }])
      return fetch(url, init)
    },
  })
  return requests
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
  // A reader may be busy for seconds between two requests.
  const server = createServer({ keepAliveTimeout: 600_000 }, async (request, response) => {
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

  function made(target: string, body: string) {
    const url = new URL(target)
    const [, index = '', rows = '', ...path] = url.pathname.split('/')
    const origin = `${url.origin}/${index}/${rows}`
    const incoming = { rows: Number(rows), origin, path: path.join('/'), params: url.searchParams, body }
    const reply = benches[Number(index)]?.reply(incoming)
    if (!reply) throw new Error(`no bench ${index}`)
    return 'csv' in reply
      ? { status: 200, type: CSV, bytes: Buffer.from(reply.csv) }
      : { status: reply.status ?? 200, type: 'application/json', bytes: Buffer.from(reply.json) }
  }
}

/** A number of days from one on; the day `offset` days after it. */
export const daysFrom = (first: string, count: number) =>
  Array.from({ length: count }, (_, offset) => dayAfter(first, offset))

export const dayAfter = (first: string, offset: number) =>
  Temporal.PlainDate.from(first).add({ days: offset }).toString()

/** `make(0), make(1), …` with commas between, for the inside of a JSON list. */
export const listOf = (length: number, make: (at: number) => unknown) =>
  Array.from({ length }, (_, at) => JSON.stringify(make(at))).join(',')
