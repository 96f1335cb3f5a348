import { execFileSync } from 'node:child_process'
import { once } from 'node:events'
import { closeSync, openSync, rmSync, writeSync } from 'node:fs'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { createInterface } from 'node:readline'
import { Client } from 'pg'
import { afterAll, expect, it } from 'vitest'
import { findEmbedded } from '#server/db/embedded.ts'
import { codeOf } from '#server/db/problem.ts'
import { testPort } from '#server/testing/port.ts'
import { start } from './testing/program.ts'

/** For the database, its log and the sandbox; small enough to be filled in a moment. */
const DISK_MB = 400

const disk = await mkdtemp(join(tmpdir(), 'sheetcast-disk-'))
const whyNot = mountDisk()
const started: ReturnType<typeof start>[] = []
afterAll(async () => {
  for (const each of started) each.kill('SIGKILL')
  if (whyNot === null) execFileSync('umount', ['--lazy', disk])
  await rm(disk, { recursive: true, force: true })
})

it.skipIf(whyNot !== null)(
  `a full disk: the API stays up and says so, loses nothing that it has confirmed, and goes on by itself${whyNot === null ? '' : ` (${whyNot})`}`,
  async () => {
    const port = String(await testPort())
    const origin = `http://127.0.0.1:${port}`
    const serving = start(['serve'], {
      DATA_DIR: disk,
      PORT: port,
      SANDBOX_PORT: '0',
      SPEND_REFRESH_MINUTES: '0',
      LOG_LEVEL: 'warn',
    })
    started.push(serving)
    const ended = once(serving, 'exit')
    for await (const line of createInterface({ input: serving.stdout }))
      if (line.includes('Sheetcast is ready')) break
    serving.stdout.resume()
    serving.stderr.resume()

    const signed = await fetch(`${origin}/api/token/`, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify({ username: 'superuser', password: 'sheetcast-demo' }),
    })
    const headers = {
      authorization: `Bearer ${Object(await signed.json()).access}`,
      'content-type': 'application/json',
    }
    const confirmed: string[] = []
    let count = 0
    /** Creates a folder; returns the response. Its name is recorded when it is confirmed. */
    const want = async () => {
      const name = `folder ${count++}`
      const response = await fetch(`${origin}/api/gs-template-folder/`, {
        method: 'POST',
        headers,
        body: JSON.stringify({ name, parent: null }),
      })
      if (response.status === 201) confirmed.push(name)
      const saysWhen = response.headers.has('retry-after')
      return saysWhen ? `${response.status}, later` : String(response.status)
    }
    expect(await want()).toBe('201')

    const url = await findEmbedded(disk)
    const ballast = fill()
    expect(await useUpRoom(url ?? '')).toMatch(REFUSED)
    const statuses = new Set<string>()
    for (let calls = 0; calls < 100 && !statuses.has('503, later'); calls++) statuses.add(await want())
    expect([...statuses].filter(status => status !== '201')).toEqual(['503, later'])
    expect((await fetch(`${origin}/healthz`)).status).toBe(200)
    expect(serving.exitCode).toBeNull()

    rmSync(ballast)
    await expect.poll(want, { interval: 500 }).toBe('201')
    const listed = JSON.stringify(
      await (await fetch(`${origin}/api/gs-template-folder/`, { headers })).json(),
    )
    for (const name of confirmed) expect(listed).toContain(`"${name}"`)
    expect((await fetch(`${origin}/readyz`)).status).toBe(200)
    serving.kill('SIGTERM')
    expect(await ended).toEqual([0, null])
  },
)

/** Null when there is a small disk now, else why there is none. */
function mountDisk(): string | null {
  try {
    execFileSync('mount', ['-t', 'tmpfs', '-o', `size=${DISK_MB}m,mode=755`, 'tmpfs', disk], {
      stdio: 'pipe',
    })
    return null
  } catch {
    return 'left out: a small disk cannot be mounted here, which takes root on Linux'
  }
}

/** Fills the free space; the file that does it. */
function fill(): string {
  const path = join(disk, 'ballast')
  const file = openSync(path, 'w')
  try {
    for (const bytes = Buffer.alloc(65_536); writeSync(file, bytes) > 0;);
  } catch (error) {
    if (codeOf(error) !== 'ENOSPC') throw error
  } finally {
    closeSync(file)
  }
  return path
}

/** Refused for lack of space, or the server has crashed over it. */
const REFUSED = /^(53100|57P0\d|ECONN|the session ended)/

/**
 * The space that the database has reserved in its own files is filled, too: it writes until it is refused,
 * with this code.
 */
async function useUpRoom(url: string): Promise<string> {
  const session = new Client({ connectionString: url })
  session.on('error', () => undefined)
  await session.connect()
  try {
    // Into the write-ahead log alone, of which the server has files in reserve.
    for (;;) await session.query(`select pg_logical_emit_message(true, 'filler', repeat('x', 1000000))`)
  } catch (error) {
    return codeOf(error) ?? 'the session ended'
  } finally {
    await session.end().catch(() => undefined)
  }
}
