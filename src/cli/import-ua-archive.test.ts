import { writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { connect, type OpenDatabase } from '#server/db/connect.ts'
import { createTestDatabase } from '#server/db/testing/database.ts'
import { newFolder, sheetcast } from './testing/program.ts'

const { url, drop } = await createTestDatabase()
let opened: OpenDatabase
let folder = ''
beforeAll(async () => {
  opened = await connect(url, { command: 'test' })
  folder = await newFolder()
})
afterAll(async () => {
  await opened.close()
  await drop()
})

async function importing(text: string, ...args: string[]) {
  const path = join(folder, 'export.csv')
  await writeFile(path, text)
  return await sheetcast(['import-ua-archive', ...args, path], { env: { DATABASE_URL: url } })
}

const FILE = 'ga:date,ga:sessions\n20230501,1\n20230502,2\n'
const FACTS = ['--currency', 'TWD', '--timezone', 'Asia/Taipei']

describe('sheetcast import-ua-archive', () => {
  it('requires the currency and the time zone of an unknown view', async () => {
    expect(await importing(FILE, '--view', '77')).toMatchObject({
      code: 1,
      complaint: expect.stringContaining('add its currency and time zone'),
    })
    for (const [fact, ...args] of [
      ['"dollar" is not a currency', '--currency', 'dollar', '--timezone', 'UTC'],
      ['"Mars" is not a time zone', '--currency', 'USD', '--timezone', 'Mars'],
      ['"G-1" is not a property', ...FACTS, '--property', 'G-1'],
      ['digits only', ...FACTS, '--view', 'UA-1'],
    ] as const) {
      const { code, complaint } = await importing(FILE, '--view', '77', ...args)
      expect([code, complaint]).toEqual([1, expect.stringContaining(fact)])
    }
  })

  it('archives the file and stores the view as an account', async () => {
    const args = [
      '--view',
      '77',
      ...FACTS,
      '--name',
      'Shop',
      '--advertiser',
      'Aurora',
      '--property',
      'UA-314-1',
    ]
    expect(await importing(FILE, ...args)).toMatchObject({
      code: 0,
      output: 'View 77: 2 rows of 2 days (2023-05-01 to 2023-05-02).\n',
    })
    const accounts = await opened.db.selectFrom('ad_account').selectAll().execute()
    expect(accounts).toMatchObject([
      { channel: 'ga', external_id: '77', name: 'Shop', ga_account_name: 'Aurora', ga_account_id: '314' },
    ])
  })

  it('reports what it replaced, and requires nothing for a known view', async () => {
    expect(await importing('date,sessions\n2023-05-02,4\n', '--view', '77')).toMatchObject({
      code: 0,
      output: 'View 77: 1 rows of 1 days (2023-05-02 to 2023-05-02), 1 of which were there before.\n',
    })
  })

  it('reports the lines that it cannot read, and leaves the archive as it was', async () => {
    expect(await importing('date,sessions\n2023-05-02,four\n', '--view', '77')).toMatchObject({
      code: 1,
      complaint:
        'sheetcast import-ua-archive: nothing was archived.\n  line 2: "four" is no number for sessions\n',
    })
    const many = await importing(`date,sessions\n${'x,1\n'.repeat(30)}`, '--view', '77')
    expect(many.complaint).toContain('and 10 more lines')
    const days = await opened.db.selectFrom('ua_archive_day').select('day').orderBy('day').execute()
    expect(days).toEqual([{ day: '2023-05-01' }, { day: '2023-05-02' }])
  })
})
