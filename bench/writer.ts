import { generateKeyPairSync } from 'node:crypto'
import { once } from 'node:events'
import { Agent, request as httpRequest } from 'node:http'
import { Worker } from 'node:worker_threads'
import { median } from '#server/testing/quantile.ts'
import { sheetsClient } from '#server/sheets/client.ts'
import { writeTable } from '#server/sheets/write.ts'
import type { StoredTable, TableChunk } from '#server/table/stored-table.ts'
import type { BenchCase, BenchTable } from './case.ts'
import { peers } from './writer-peers.ts'

const COLUMNS = 16
const CHUNK_BYTES = 2_000_000
const formats = Array.from({ length: COLUMNS }, (_, index) =>
  index === 0
    ? ({ kind: 'day' } as const)
    : index < 4
      ? ({ kind: 'text' } as const)
      : ({ kind: 'number', digits: 2 } as const),
)

/**
 * P3: rows → chunks → a service that accepts everything, beside stringifying and sending the same chunks
 * without the writer.
 */
const writer: BenchCase = {
  id: 'P3',
  what: 'writer: rows of 16 columns, stringified in chunks, to a sink',
  sizes: [10_000, 100_000, 300_000],
  unit: 'rows',
  reach: { ratio: 1.3 },
  // At the smallest, four of five requests are not data. At the largest, the staging copy just fits.
  binding: [100_000, 300_000],
  prepare: prepareWriter,
}

export const cases = [writer]

const PEER_ROWS = 100_000
const ROUNDS = 7

export const tables: BenchTable[] = [
  {
    id: 'P3',
    what: `writers beside each other: ${PEER_ROWS.toLocaleString('en')} rows of ${COLUMNS} columns to the same sink, in turn`,
    measure: measurePeers,
  },
]

async function prepareWriter(rows: number) {
  const { origin, stop } = await startSink()
  const data = makeRows(rows)
  const client = sinkClient(origin)
  return {
    ours: async () => void (await writeOnce(client, data)),
    floor: async () => void (await sendBare(origin, data)),
    stop,
  }
}

async function startSink() {
  const worker = new Worker(new URL('./writer-sink.ts', import.meta.url))
  const [{ port }] = await once(worker, 'message')
  return { origin: `http://127.0.0.1:${port}`, stop: () => worker.terminate() }
}

async function measurePeers() {
  const { origin, stop } = await startSink()
  const data = makeRows(PEER_ROWS)
  const header = Array.from({ length: COLUMNS }, (_, index) => `c${index}`)
  const client = sinkClient(origin)
  const table = { origin, header, rows: data }
  const writers = [
    { name: 'bare: chunks of 2 MB, stringified and sent', write: () => sendBare(origin, data) },
    { name: 'Sheetcast: atomic, chunks of 2 MB', write: () => writeOnce(client, data) },
    ...peers.map(({ name, write }) => ({ name, write: () => write(table) })),
  ].map(each => ({ ...each, wall: [] as number[], processor: [] as number[] }))
  for (let round = 0; round <= ROUNDS; round++)
    for (const { write, wall, processor } of writers) {
      globalThis.gc?.()
      const [from, used] = [performance.now(), process.threadCpuUsage()]
      await write()
      const { user, system } = process.threadCpuUsage(used)
      // The first round warms up.
      if (round > 0) {
        wall.push(performance.now() - from)
        processor.push((user + system) / 1000)
      }
    }
  await stop()
  const [floor] = writers
  return writers.map(({ name, wall, processor }) => ({
    writer: name,
    'rows/s': Math.round(PEER_ROWS / (median(wall) / 1000)).toLocaleString('en'),
    '× bare': (median(wall) / median(floor?.wall ?? [])).toFixed(2),
    'processor time × bare': (median(processor) / median(floor?.processor ?? [])).toFixed(2),
  }))
}

type Row = (string | number)[]

function makeRows(rows: number): Row[] {
  return Array.from({ length: rows }, (_, row) => [
    46_023 + (row % 365),
    `廣告活動 ${row % 997}`,
    `=SALE ${row % 89} "spring"`,
    String(23_840_000_000_000_000n + BigInt(row)),
    ...Array.from(
      { length: COLUMNS - 4 },
      (_each, column) => ((row * 7919 + column * 104_729) % 1_000_003) / 100,
    ),
  ])
}

/** The chunks of the rows, stringified while they are sent: what a table costs that was never stored. */
function* chunksOf(data: Row[]): Generator<TableChunk> {
  const header = Array.from({ length: COLUMNS }, (_, index) => `c${index}`)
  const perChunk = Math.floor(CHUNK_BYTES / JSON.stringify(data[0]).length)
  for (let from = 0; from < data.length + 1; from += perChunk) {
    const part = data.slice(Math.max(0, from - 1), from + perChunk - 1)
    const rows = from === 0 ? [header, ...part] : part
    yield { first_row: from, rows: rows.length, json: Buffer.from(JSON.stringify(rows)) }
  }
}

async function writeOnce(client: ReturnType<typeof sinkClient>, data: Row[]) {
  const table: StoredTable = {
    columns: formats.map((format, index) => ({ title: `c${index}`, format })),
    rows: data.length,
    note: null,
    async *chunks() {
      yield* chunksOf(data)
    },
  }
  await writeTable(
    {
      table,
      target: { spreadsheet_id: 'S', sheet_id: 0, sheet_name: 'T', start_cell: 'A1' },
      format_table: true,
      report_id: 1,
      run_id: 'bench',
      attempt: 1,
      previous: null,
      other_tables: [],
      checked_at: new Date(),
    },
    {
      client,
      limiter: { acquire: async () => {}, report: async () => 0 },
      now: () => new Date(),
      sleep: async () => {},
      signal: new AbortController().signal,
      on_step: () => {},
    },
  )
}

function sinkClient(origin: string) {
  const { privateKey } = generateKeyPairSync('rsa', {
    modulusLength: 2048,
    privateKeyEncoding: { type: 'pkcs8', format: 'pem' },
    publicKeyEncoding: { type: 'spki', format: 'pem' },
  })
  return sheetsClient({
    google_sheets_base_url: origin,
    google_drive_base_url: origin,
    google_token_url: `${origin}/token`,
    key: { client_email: 'bench@example.com', private_key: privateKey },
  })
}

async function sendBare(origin: string, data: Row[]): Promise<void> {
  const agent = new Agent({ keepAlive: true })
  for (const { json } of chunksOf(data)) await post(origin, agent, json)
  agent.destroy()
}

function post(origin: string, agent: Agent, body: Uint8Array) {
  return new Promise<void>((resolve, reject) => {
    const request = httpRequest(
      `${origin}/x`,
      {
        method: 'POST',
        agent,
        headers: { 'content-type': 'application/json', 'content-length': body.length },
      },
      response => response.on('error', reject).on('end', resolve).resume(),
    )
    request.on('error', reject).end(body)
  })
}
