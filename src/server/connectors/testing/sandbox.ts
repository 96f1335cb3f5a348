import { once } from 'node:events'
import { mkdtempSync } from 'node:fs'
import { join } from 'node:path'
import { Worker } from 'node:worker_threads'
import { afterAll, beforeAll, beforeEach, inject } from 'vitest'

/** A sandbox that only one test file has at a time: a thread of its own, reached over a socket. */
export interface TestSandbox {
  base_url: string
  /** Where it keeps its files, the system user's key among them. */
  folder: string
  /** Arms faults, in the words of the sandbox's control endpoint; none are left over. */
  setFaults(faults: object[]): Promise<void>
  /** Sizes and quotas of the platforms, in the words of the sandbox's control endpoint. */
  setLimits(limits: object): Promise<void>
  setClock(clock: { now: string; speed: number }): Promise<void>
  /**
   * The requests since the last reset, oldest first; an error when that was more than the sandbox keeps.
   */
  requests(): Promise<LoggedRequest[]>
  /**
   * How many of all requests since the last reset are like this, with what differs between them left out:
   * "PUT /v4/spreadsheets/…/values".
   */
  countOf(like: RegExp): Promise<number>
  /**
   * Puts everything back, but for the spreadsheets if so requested, and stops the clock at `now`, so that no
   * number grows while a test reads it.
   */
  reset(now: string, how?: { keep_files: boolean }): Promise<void>
  stop(): Promise<void>
}

interface RequestLog {
  requests: LoggedRequest[]
  /** By platform. */
  totals: Record<string, { requests: number; by_path: Record<string, number> }>
}

interface LoggedRequest {
  method: string
  path: string
  status: number
}

export async function startTestSandbox({ system_users = 1 } = {}): Promise<TestSandbox> {
  const at = spares.findIndex(spare => spare.system_users === system_users)
  const [sandbox = await newSandbox(system_users)] = at < 0 ? [] : spares.splice(at, 1)
  const { base_url, folder } = sandbox
  const control = async (method: string, path: string, body?: unknown) => {
    const response = await fetch(`${base_url}/control/${path}`, {
      method,
      body: JSON.stringify(body) ?? null,
    })
    if (!response.ok) throw new Error(`${path}: ${await response.text()}`)
    return response.json() as Promise<RequestLog>
  }
  return {
    base_url,
    folder,
    setFaults: async faults => void (await control('PUT', 'faults', faults)),
    setLimits: async limits => void (await control('PUT', 'limits', limits)),
    setClock: async clock => void (await control('PUT', 'clock', clock)),
    async requests() {
      const { requests, totals } = await control('GET', 'requests')
      const total = Object.values(totals).reduce((sum, each) => sum + each.requests, 0)
      if (total > requests.length) throw new Error(`${total} were sent, and ${requests.length} are recorded`)
      return requests
    },
    async countOf(like) {
      const { totals } = await control('GET', 'requests')
      const paths = Object.values(totals).flatMap(({ by_path }) => Object.entries(by_path))
      return paths.reduce((sum, [path, count]) => (like.test(path) ? sum + count : sum), 0)
    },
    async reset(now, how = { keep_files: false }) {
      await control('POST', 'reset', how)
      await control('PUT', 'clock', { now, speed: 0 })
    },
    async stop() {
      await control('POST', 'reset', { keep_files: false })
      spares.push(sandbox)
    },
  }
}

/** The sandbox of a test file, put back to `now` before each of its tests. */
export function sandboxOfFile(now: string, limits: object | null = null): TestSandbox {
  let sandbox: TestSandbox
  beforeAll(async () => {
    sandbox = await startTestSandbox()
  })
  beforeEach(async () => {
    await sandbox.reset(now)
    if (limits) await sandbox.setLimits(limits)
  })
  afterAll(() => sandbox.stop())
  return {
    get base_url() {
      return sandbox.base_url
    },
    get folder() {
      return sandbox.folder
    },
    setFaults: faults => sandbox.setFaults(faults),
    setLimits: changed => sandbox.setLimits(changed),
    setClock: clock => sandbox.setClock(clock),
    requests: () => sandbox.requests(),
    countOf: like => sandbox.countOf(like),
    reset: (at, how) => sandbox.reset(at, how),
    stop: () => sandbox.stop(),
  }
}

interface RunningSandbox {
  base_url: string
  folder: string
  system_users: number
}

/**
 * What no file uses now: a sandbox takes half a second to start, and serves the next file as if it were new.
 * They end with this process.
 */
const spares: RunningSandbox[] = []

async function newSandbox(system_users: number): Promise<RunningSandbox> {
  const folder = mkdtempSync(join(inject('test_folder'), 'sandbox-'))
  const thread = new Worker(join(import.meta.dirname, '../../../sandbox/main.ts'), {
    env: { SANDBOX_PORT: '0', SANDBOX_DIR: folder, SANDBOX_SYSTEM_USERS: String(system_users) },
  })
  const [{ type, port, message }] = await once(thread, 'message')
  if (type !== 'ready') throw new Error(message)
  thread.unref()
  return { base_url: `http://127.0.0.1:${port}`, folder, system_users }
}
