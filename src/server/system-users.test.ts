import { generateKeyPairSync } from 'node:crypto'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, describe, expect, it } from 'vitest'
import { readConfig } from './config.ts'
import { testDatabase } from './db/testing/database.ts'
import { openSystemUsers } from './system-users.ts'

const database = await testDatabase()
const folder = mkdtempSync(join(tmpdir(), 'keys-'))
afterAll(() => rmSync(folder, { recursive: true }))

const { privateKey: private_key } = generateKeyPairSync('rsa', {
  modulusLength: 2048,
  privateKeyEncoding: { type: 'pkcs8', format: 'pem' },
  publicKeyEncoding: { type: 'spki', format: 'pem' },
})
let count = 0
function keyFile(key: object): string {
  const file = join(folder, `${++count}.json`)
  writeFileSync(file, JSON.stringify({ private_key, ...key }))
  return file
}
const account = (name: string, project: string) => `${name}@${project}.iam.gserviceaccount.com`

const open = (...files: string[]) => {
  const read = readConfig({ GOOGLE_SERVICE_ACCOUNT_FILE: files.join(' , ') })
  if ('problems' in read) throw new Error(read.problems.join())
  return openSystemUsers(read.config, database, async () => {})
}

describe('the system users of the settings', () => {
  it('are as many as there are key files, each of its project', () => {
    const users = open(
      keyFile({ client_email: account('one', 'north'), project_id: 'north' }),
      keyFile({ client_email: account('two', 'south') }),
    )
    expect(users.map(({ client: { system_user, project } }) => [system_user, project])).toEqual([
      [account('one', 'north'), 'north'],
      [account('two', 'south'), 'south'],
    ])
  })

  it('share the quota of their project, and of no other', async () => {
    const five = ['a', 'b', 'c', 'd', 'e', 'f', 'g', 'h', 'i', 'j'].map(name =>
      keyFile({ client_email: account(name, 'crowded') }),
    )
    const users = open(...five, keyFile({ client_email: account('k', 'roomy') }))
    const [crowded, roomy] = [users[0], users.at(-1)]
    if (!crowded || !roomy) throw new Error('there are eleven')
    // 300 a minute are 30 for each of ten: two seconds apart, instead of one.
    for (let n = 0; n < 30; n++)
      await Promise.all([crowded, roomy].map(user => user.limiter.reservePosition('schedule')))
    const [slow, quick] = await Promise.all(
      [crowded, roomy].map(user => user.limiter.reservePosition('schedule')),
    )
    expect(slow?.wait_ms).toBeGreaterThan(35_000)
    expect(quick?.wait_ms).toBeLessThan(20_000)
  })

  it('are refused by the name of each invalid file, and with the problem', () => {
    const [good, none, other] = [
      keyFile({ client_email: account('one', 'north') }),
      join(folder, 'nowhere.json'),
      keyFile({ client_email: account('x', 'north'), private_key: 'secret words' }),
    ]
    expect(() => open(good, none, other)).toThrow(
      `GOOGLE_SERVICE_ACCOUNT_FILE: ${none} cannot be read (ENOENT); ${other} is not the key file`,
    )
    const twin = keyFile({ client_email: account('one', 'north') })
    expect(() => open(good, twin)).toThrow(
      `${twin} is of ${account('one', 'north')}, which another file is of`,
    )
    expect(readConfig({ GOOGLE_SERVICE_ACCOUNT_FILE: ' , ' })).toEqual({
      problems: ['GOOGLE_SERVICE_ACCOUNT_FILE must name a key file, or several with commas between them'],
    })
  })
})
