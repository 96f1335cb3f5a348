import { randomBytes } from 'node:crypto'
import { once } from 'node:events'
import { readFileSync } from 'node:fs'
import { writeFile } from 'node:fs/promises'
import { createServer } from 'node:net'
import { join } from 'node:path'
import { createInterface } from 'node:readline'
import pino from 'pino'
import { afterAll, describe, expect, it } from 'vitest'
import { readConfig } from '#server/config.ts'
import { openDatabase } from '#server/db/connect.ts'
import { textOf } from '#server/db/problem.ts'
import { createTestDatabase } from '#server/db/testing/database.ts'
import { startProduct } from '#server/main.ts'
import { insertLogin } from '#server/resources/public-accounts/logins.ts'
import { createVault } from '#server/vault.ts'
import { newFolder, sheetcast, start } from './testing/program.ts'

const database = await createTestDatabase({ template: 'sheetcast_template' })
const taken = createServer().listen(0, '127.0.0.1')
await once(taken, 'listening')
afterAll(async () => {
  taken.close()
  await database.drop()
})
const address = taken.address()
const takenPort = String(typeof address === 'object' && address ? address.port : 0)

const folder = await newFolder()
const garbage = join(folder, 'garbage.json')
await writeFile(garbage, 'secret words')
const half = join(folder, 'half.json')
await writeFile(
  half,
  JSON.stringify({
    client_email: 'a@b.example',
    private_key: 'secret words',
    token_uri: 'https://c.example',
  }),
)

const env = {
  DATABASE_URL: database.url,
  DATA_DIR: folder,
  PORT: '0',
  SANDBOX_PORT: '0',
  LOG_LEVEL: 'warn',
  DEMO_PASSWORD: 'glacier tuba orchid',
}

// The demo's first reports would run beside what is tested.
const { DATABASE_URL: _given, ...demo } = { ...env, DATA_DIR: await newFolder(), ROLES: 'api' }

/** What the program would print, of a start within this process. */
async function whyNotStarted(environment: Record<string, string>): Promise<string> {
  const read = readConfig(environment)
  if ('problems' in read) return read.problems.join('\n')
  const started = await startProduct(read.config, pino({ level: 'silent' })).catch(textOf)
  if (typeof started === 'string') return started
  await started.stop()
  return 'it has started'
}

const LEAN = process.platform === 'linux' ? { heaps: '1', cache: true, young: true } : null

/** What the process has begun with; only Linux says so. */
function settingsOf(pid = 0) {
  if (process.platform !== 'linux') return null
  const [environment = '', command = ''] = ['environ', 'cmdline'].map(name =>
    readFileSync(`/proc/${pid}/${name}`, 'utf8'),
  )
  const variables = new Map(environment.split('\0').map(each => [each.split('=')[0], each.split('=')[1]]))
  return {
    heaps: variables.get('MALLOC_ARENA_MAX'),
    cache: variables.has('NODE_COMPILE_CACHE'),
    young: command.split('\0').includes('--max-semi-space-size=8'),
  }
}

describe('sheetcast serve', () => {
  it('ends with 1 and one sentence where it cannot start', async () => {
    expect(await sheetcast(['serve'], { env: { ...env, PORT: takenPort } })).toEqual({
      code: 1,
      output: '',
      complaint: `sheetcast serve: port ${takenPort} is taken on 127.0.0.1: set PORT to another one\n`,
    })
  })

  it.each<[string, Record<string, string>, string]>([
    [
      'a host that is not this machine',
      { HOST: '192.0.2.1' },
      'HOST 192.0.2.1 is not an address of this machine',
    ],
    [
      'a port of the sandbox that is taken',
      { SANDBOX_PORT: takenPort },
      `the sandbox cannot start: port ${takenPort} is taken; set SANDBOX_PORT to another one`,
    ],
    [
      'a database that does not answer, without its password',
      { DATABASE_URL: 'postgres://ann:secret@127.0.0.1:1/reports' },
      'The database postgres://ann@127.0.0.1:1/reports cannot be used: connect ECONNREFUSED 127.0.0.1:1',
    ],
    [
      'a key file that is missing',
      { SANDBOX: '1', GOOGLE_SERVICE_ACCOUNT_FILE: join(folder, 'nowhere.json') },
      `GOOGLE_SERVICE_ACCOUNT_FILE: ${join(folder, 'nowhere.json')} cannot be read (ENOENT)`,
    ],
    [
      'a demo for others with the password of the documentation',
      { HOST: '0.0.0.0', DEMO_PASSWORD: 'sheetcast-demo' },
      'the demo would be open to others (HOST 0.0.0.0) with a password that everybody knows or can guess: set DEMO_PASSWORD to one of 12 characters or more, or keep the demo on this machine with HOST=127.0.0.1 and without PUBLIC_URL',
    ],
    ...[garbage, half].map((file): [string, Record<string, string>, string] => [
      `a key file that is none, without what it holds (${file === half ? 'JSON' : 'text'})`,
      { SANDBOX: '1', GOOGLE_SERVICE_ACCOUNT_FILE: file },
      `GOOGLE_SERVICE_ACCOUNT_FILE: ${file} is not the key file of a service account: make one in the Google Cloud console as JSON, and do not change it`,
    ]),
  ])('says in one sentence that it met %s', async (_, more, sentence) => {
    expect(await whyNotStarted({ ...env, ...more })).toBe(sentence)
  })

  it('begins again with lean settings, ends with 0 on a signal, and names the other process when it is started twice', async () => {
    const own = { ...demo, SANDBOX: '1' }
    const first = start(['serve'], own)
    const ended = once(first, 'exit')
    const lines = createInterface({ input: first.stdout })
    for await (const line of lines) if (line.includes('Sheetcast is ready')) break
    first.stdout.resume()
    expect(settingsOf(first.pid)).toEqual(LEAN)
    expect(await sheetcast(['serve'], { env: own })).toMatchObject({
      code: 1,
      complaint: expect.stringMatching(new RegExp(`^sheetcast serve: .* ${first.pid}\\b.*\\n$`)),
    })
    first.kill('SIGTERM')
    expect(await ended).toEqual([0, null])
  })

  it('does not start as the real product while demo people may sign in, and says how to close them', async () => {
    const real = {
      ...demo,
      SANDBOX: '0',
      GOOGLE_SERVICE_ACCOUNT_FILE: join(demo.DATA_DIR, 'sandbox/service-account.json'),
    }
    for (const command of ['serve', 'worker'])
      expect(await sheetcast([command], { env: real })).toEqual({
        code: 1,
        output: '',
        complaint: `sheetcast ${command}: people of the demo can still sign in here (superuser, director, manager, staff, finance, client-a, client-b), whose password is published: close their accounts with "sheetcast close-demo", or keep using the demo with SANDBOX=1\n`,
      })
    const { code, output } = await sheetcast(['close-demo'], { env: real })
    expect(code).toBe(0)
    expect(output).toMatch(
      /^Closed accounts: 7: superuser, .*\.\nShared logins deleted: 8: .*\.\nSchedules ended: \d+\. Spreadsheets released: \d+\.\n.*\nNo superuser is left/,
    )
    expect(await sheetcast(['close-demo'], { env: real })).toMatchObject({
      code: 0,
      output: expect.stringMatching(/^No account of the demo is open\.\n/),
    })
  })

  it('logs which platform logins none of the keys opens', async () => {
    const { db, close } = await openDatabase(
      { database_url: database.url, data_dir: '' },
      { command: 'test' },
    )
    const login = { platform: 'meta' as const, name: 'Lost', login: { access_token: 'x' }, created_by: null }
    await db.transaction().execute(trx => insertLogin(trx, createVault([randomBytes(32)]), login))
    await close()
    const serving = start(['serve'], { ...env, ROLES: 'api' })
    const ended = once(serving, 'exit')
    const lines: string[] = []
    for await (const line of createInterface({ input: serving.stdout })) {
      lines.push(line)
      if (line.includes('Sheetcast is ready')) break
    }
    serving.stdout.resume()
    serving.kill('SIGTERM')
    await ended
    const warning = lines.find(line => line.includes('none of the credential keys')) ?? '{}'
    expect(JSON.parse(warning)).toMatchObject({ logins: [expect.stringContaining('Lost')] })
  })
})
