import { randomUUID } from 'node:crypto'
import { once } from 'node:events'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { createServer, type AddressInfo, type Socket } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeEach, describe, expect, it } from 'vitest'
import { createScan } from './scan.ts'

const folder = mkdtempSync(join(tmpdir(), 'scan-'))
const upload = join(folder, 'upload')
/** More than a pipe holds. */
const large = join(folder, 'large')
writeFileSync(upload, 'an upload')
writeFileSync(large, Buffer.alloc(4 * 1024 * 1024))

/** What scanners have to say: each connects, and goes on when it gets a byte. */
const scanners: Socket[] = []
const listener = createServer(socket => {
  scanners.push(socket)
  socket.on('error', () => undefined)
}).listen(0, '127.0.0.1')
await once(listener, 'listening')
const { port } = listener.address() as AddressInfo
afterAll(() => {
  listener.close()
  rmSync(folder, { recursive: true })
})

const logged: unknown[] = []
beforeEach(() => {
  logged.length = 0
  scanners.length = 0
})
const keep = (...line: unknown[]) => void logged.push(line)

const never = new AbortController().signal

/** A scanner that is this program. */
function scanWith(program: string, { signal = never, stopping = never } = {}) {
  const file = join(folder, `${randomUUID()}.mjs`)
  writeFileSync(file, program)
  return createScan({
    command: [process.execPath, file, String(port)],
    log: { info: keep, warn: keep },
    stopping,
    timeout: () => signal,
  })
}

const READ = `
  import { text } from 'node:stream/consumers'
  const read = await text(process.stdin)`
const CONNECT = `
  import { connect } from 'node:net'
  import { once } from 'node:events'
  const socket = connect(Number(process.argv[2]), '127.0.0.1')`

describe('a virus scanner', () => {
  it('gets the file, and finds it clean or infected by its exit code', async () => {
    expect(await scanWith(`${READ}; process.exit(read === 'an upload' ? 0 : 3)`)(upload)).toBeNull()
    expect(
      await scanWith(`${READ}; process.exit(read.length === ${4 * 1024 * 1024} ? 0 : 3)`)(large),
    ).toBeNull()
    expect(logged).toEqual([])
    expect(await scanWith(`${READ}; process.exit(1)`)(upload)).toBe('file_infected')
    expect(logged).toEqual([[{ exit_code: 1 }, expect.any(String)]])
  })

  it.each([
    ['with another code', 'console.log("canary"); console.error("canary"); process.exit(2)', 2],
    ['by a signal', 'process.kill(process.pid, "SIGTERM"); setInterval(() => {}, 1000)', null],
  ])('that ends %s does not work', async (_, program, exit_code) => {
    expect(await scanWith(program)(upload)).toBe('scan_unavailable')
    expect(logged).toEqual([[expect.objectContaining({ exit_code }), expect.any(String)]])
    expect(JSON.stringify(logged)).not.toContain('canary')
  })

  it('that is not there, or no program, does not work', async () => {
    for (const program of [join(folder, 'nothing'), upload, folder]) {
      const scan = createScan({
        command: [program],
        log: { info: keep, warn: keep },
        stopping: never,
      })
      expect(await scan(upload)).toBe('scan_unavailable')
    }
  })

  it('that reads nothing, or half of it, is believed all the same', async () => {
    expect(await scanWith('process.exit(0)')(large)).toBeNull()
    expect(await scanWith('process.stdin.destroy(); setImmediate(() => process.exit(1))')(large)).toBe(
      'file_infected',
    )
    expect(
      await scanWith(`process.stdin.once('data', () => process.exit(0))`)(large),
      'half of it',
    ).toBeNull()
  })

  it('is not believed about a file that could not be read', async () => {
    expect(await scanWith(`${READ}; process.exit(0)`)(join(folder, 'gone'))).toBe('scan_unavailable')
    expect(await scanWith(`${READ}; process.exit(0)`)(folder)).toBe('scan_unavailable')
  })

  it('knows none of our settings, and writes nowhere', async () => {
    process.env['CREDENTIAL_KEYS'] = 'canary'
    const program = `
      const known = Object.keys(process.env).filter(name => !/^(PATH|TZ|LC_ALL|LD_LIBRARY_PATH)$/.test(name))
      process.stdout.write('x'.repeat(1_000_000))
      process.stderr.write('x'.repeat(1_000_000), () => process.exit(known.length === 0 ? 0 : 2))`
    try {
      expect(await scanWith(program)(upload)).toBeNull()
    } finally {
      delete process.env['CREDENTIAL_KEYS']
    }
  })

  it('that takes too long is ended, with all that it has started', async () => {
    const program = `
      import { spawn } from 'node:child_process'
      process.on('SIGTERM', () => {})
      if (process.argv[3] === undefined) spawn(process.execPath, [process.argv[1], process.argv[2], 'again'], { stdio: 'ignore' })
      ${CONNECT}
      setInterval(() => {}, 1000)`
    const late = new AbortController()
    const scanning = scanWith(program, { signal: late.signal })(large)
    await expect.poll(() => scanners.length).toBe(2)
    late.abort()
    expect(await scanning).toBe('scan_unavailable')
    await expect.poll(() => scanners.every(({ closed }) => closed)).toBe(true)
  })

  it('ends with the product', async () => {
    const stopping = new AbortController()
    const scan = scanWith(`${CONNECT}; setInterval(() => {}, 1000)`, { stopping: stopping.signal })
    const scanning = scan(upload)
    await expect.poll(() => scanners.length).toBe(1)
    stopping.abort()
    expect(await scanning).toBe('scan_unavailable')
    expect(await scan(upload)).toBe('scan_unavailable')
  })
})
