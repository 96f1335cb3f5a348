import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { createInterface } from 'node:readline'
import type { Credential, Io, Page, ReportRequest } from './connector.ts'

/** A sandbox of its own for one test file: a process beside this one, asked over a socket. */
export interface TestSandbox {
  base_url: string
  /** Where it keeps its files, the system user's key among them. */
  folder: string
  /** Arms faults, in the words of the sandbox's control endpoint; none are left over. */
  setFaults(faults: object[]): Promise<void>
  /** What was asked since the last reset, oldest first. */
  requests(): Promise<AskedOf[]>
  /** Puts everything back, but for the spreadsheets if so wanted, and stops the clock at `now`, so that no number grows while a test reads it. */
  reset(now: string, how?: { keep_files: boolean }): Promise<void>
  stop(): Promise<void>
}

interface AskedOf {
  method: string
  path: string
  status: number
}

export async function startTestSandbox(): Promise<TestSandbox> {
  const folder = mkdtempSync(join(tmpdir(), 'sandbox-'))
  const child = spawn(process.execPath, [join(import.meta.dirname, '../../sandbox/main.ts')], {
    env: { SANDBOX_PORT: '0', SANDBOX_DIR: folder },
    stdio: ['ignore', 'pipe', 'inherit'],
  })
  const [line] = await once(createInterface(child.stdout), 'line')
  const { port } = JSON.parse(String(line))
  const base_url = `http://127.0.0.1:${port}`
  const control = async (method: string, path: string, body?: unknown) => {
    const response = await fetch(`${base_url}/control/${path}`, {
      method,
      body: JSON.stringify(body) ?? null,
    })
    if (!response.ok) throw new Error(`${path}: ${await response.text()}`)
    return response.json() as Promise<{ requests: AskedOf[] }>
  }
  return {
    base_url,
    folder,
    setFaults: async faults => void (await control('PUT', 'faults', faults)),
    requests: async () => (await control('GET', 'requests')).requests,
    async reset(now, how = { keep_files: false }) {
      await control('POST', 'reset', how)
      await control('PUT', 'clock', { now, speed: 0 })
    },
    async stop() {
      const exited = once(child, 'exit')
      child.kill('SIGTERM')
      await exited
      rmSync(folder, { recursive: true })
    },
  }
}

/** Leave to touch the sandbox: nothing waits, and the quota lets everything through. */
export const testIo = (base_url: string, now: string, credential: Credential): Io => ({
  fetch,
  base_url,
  credential,
  now: () => new Date(now),
  sleep: async () => {},
  signal: new AbortController().signal,
  quota: { before: async () => {}, after: async () => {} },
  note: () => {},
})

/** One row, as far as it can be compared: what it is about, and its numbers in the order of the request. */
export interface ComparableRow {
  date: string
  keys: string[]
  labels: string[]
  values: number[]
}

/** Every row of an answer, ordered by date and keys. */
export async function rowsOf(pages: AsyncIterable<Page>): Promise<ComparableRow[]> {
  const rows: ComparableRow[] = []
  for await (const { length, dates, dimensions, metrics } of pages) {
    for (let at = 0; at < length; at += 1) {
      rows.push({
        date: dates[at] ?? '',
        keys: dimensions.map(({ keys }) => keys[at] ?? ''),
        labels: dimensions.map(({ keys, labels }) => labels?.[at] ?? keys[at] ?? ''),
        values: metrics.map(column => column[at] ?? Number.NaN),
      })
    }
  }
  return inOrder(rows)
}

export const inOrder = (rows: ComparableRow[]) =>
  rows.toSorted((left, right) => (keyOf(left) < keyOf(right) ? -1 : 1))

export const keyOf = ({ date, keys }: Pick<ComparableRow, 'date' | 'keys'>) => JSON.stringify([date, ...keys])

/** Sums rows by a key of theirs; for additive metrics. */
export function summed(rows: ComparableRow[], by: (row: ComparableRow) => string): Record<string, number[]> {
  const sums: Record<string, number[]> = {}
  for (const row of rows) {
    const before = sums[by(row)]
    sums[by(row)] = before ? before.map((value, at) => value + (row.values[at] ?? 0)) : row.values
  }
  return sums
}

export type AskedFor = Omit<ReportRequest, 'account'>
