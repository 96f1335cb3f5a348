import { createHash } from 'node:crypto'
import { describe, expect, it } from 'vitest'
import { HASH_OF_NOTHING } from '#shared/audiences.ts'
import { UploadMembers } from '#shared/api/audiences.ts'
import { HashingProblem } from './messages.ts'
import type { ColumnRoles } from './file-format.ts'
import { createHashing } from './hashing.ts'
import { batchesOf, countRows, hashedLines, rejectedRows, type Batch, type FileReading } from './passes.ts'

const SESSION = '0193a1c2-0000-7000-8000-000000000001'
const ENVELOPE = { session: SESSION, action: 'add', basis: 'Newsletter form' } as const
const sha256 = (text: string) => createHash('sha256').update(text).digest('hex')

const reading = (text: string, columns: ColumnRoles, more: Partial<FileReading> = {}): FileReading => ({
  file: new Blob([text]),
  format: { encoding: 'utf-8', delimiter: ',' },
  has_headings: false,
  columns,
  country: 'TW',
  ...more,
})

const bodyOf = ({ body }: Batch): unknown => JSON.parse(new TextDecoder().decode(body))
const parsed = (batch: Batch) => UploadMembers.parse(bodyOf(batch))

async function batches(file: FileReading, from = 1) {
  const all: Batch[] = []
  for await (const batch of batchesOf(file, ENVELOPE, from)) all.push(batch)
  return all
}

const counted = async (file: FileReading) => (await countRows(file, () => {})).counts

describe('the counts of a file', () => {
  it('say what becomes of each row', async () => {
    const file = reading(
      [
        'email,phone,ok',
        'mary@example.com,0912345678,yes',
        ' MARY@example.com ,0912-345-678,同意',
        'mary@example.com,,1',
        'bob@example.com,0912345678,no',
        'nobody,12,はい',
        'carol@example.com,12,y',
        ',,true',
      ].join('\n'),
      ['email', 'phone', 'consent'],
      { has_headings: true },
    )
    expect(await countRows(file, () => {})).toEqual({
      rows: 7,
      counts: { valid: 3, duplicate: 1, no_identifier: 1, bad_email: 1, bad_phone: 2, no_consent: 1 },
    })
  })

  it('take numbers without a country for those of the chosen one, and of the row’s own', async () => {
    const japanese = '090-1234-5678'
    expect(await counted(reading(japanese, ['phone']))).toMatchObject({ valid: 0, bad_phone: 1 })
    expect(await counted(reading(japanese, ['phone'], { country: 'JP' }))).toMatchObject({ valid: 1 })
    expect(await counted(reading(`${japanese},日本`, ['phone', 'country']))).toMatchObject({ valid: 1 })
  })

  it('are reported while they grow', async () => {
    const progress: number[] = []
    await countRows(reading('a@example.com\nb@example.com', ['email']), rows => progress.push(rows))
    expect(progress.at(-1)).toBe(2)
  })
})

describe('a batch', () => {
  it('has each form of each row, and nothing where there is none', async () => {
    const [batch] = await batches(
      reading('  Alice.Wu+VIP@Gmail.com ,０９１２-345-678\nbob@example.com,', ['email', 'phone']),
    )
    expect(batch && parsed(batch)).toEqual({
      session: SESSION,
      seq: 1,
      last: true,
      action: 'add',
      basis: 'Newsletter form',
      columns: ['email', 'email_google', 'phone', 'phone_e164'],
      rows: [
        [
          '32c6b195a692b927d191f698defcc128894522cabc370da94d0ce021a7e48f2c',
          'fa3b5d314539685cbb7856e69417f0639ce19f60ebabf956650cfbda0d877aad',
          'cf676475cec2ee7b7591f39bdefe7ef3dca63b14c1cdba3b19ce4219cbda2b09',
          '1315ec4a63ba3d2b8f5db63688770e89a402ee623ef33e4c8c2f36e48f271be0',
        ],
        [sha256('bob@example.com'), '', '', ''],
      ],
      counts: { valid: 2, duplicate: 0, no_identifier: 0, bad_email: 0, bad_phone: 0, no_consent: 0 },
    })
    expect(JSON.stringify(batch && bodyOf(batch))).not.toContain(HASH_OF_NOTHING)
  })

  it('has what narrows a person down', async () => {
    const [batch] = await batches(
      reading('mary@example.com,小明,1990-01-02,男,106,台灣', [
        'email',
        'first_name',
        'birthday',
        'gender',
        'postal_code',
        'country',
      ]),
    )
    const { columns, rows } = batch ? parsed(batch) : { columns: [], rows: [] }
    expect(Object.fromEntries(columns.map((column, at) => [column, rows[0]?.[at]]))).toEqual({
      email: sha256('mary@example.com'),
      email_google: '',
      first_name: sha256('小明'),
      birth_year: sha256('1990'),
      birth_month: sha256('01'),
      birth_day: sha256('02'),
      gender: sha256('m'),
      postal_code: sha256('106'),
      country: sha256('tw'),
    })
  })

  it('has 10,000 rows at most, fewer where rows are wide, and the last one is known as such', async () => {
    const addresses = Array.from({ length: 20_000 }, (_, at) => `person.${at}@mail.demo`)
    const all = await batches(reading(addresses.join('\n'), ['email']))
    expect(all.map(({ seq, rows, last }) => [seq, rows, last])).toEqual([
      [1, 10_000, false],
      [2, 10_000, true],
    ])
    const [first, second] = all.map(parsed)
    expect([first?.basis, first?.counts, second?.basis]).toEqual(['Newsletter form', undefined, undefined])
    expect(second?.counts?.valid).toBe(20_000)
    expect(second?.rows[9999]?.[0]).toBe(sha256('person.19999@mail.demo'))
    const wide: ColumnRoles = [
      'email',
      'phone',
      'first_name',
      'last_name',
      'birthday',
      'gender',
      'postal_code',
      'country',
    ]
    const rows = addresses.map((email, at) => `${email},0912345678,a${at},b,1990-01-02,m,106,TW`)
    expect((await batches(reading(rows.join('\n'), wide))).map(batch => batch.rows)).toEqual([
      8333, 8333, 3334,
    ])
  })

  it('is the same to the byte when the upload goes on from it', async () => {
    const lines = Array.from({ length: 30_001 }, (_, at) => `person.${at % 30_000}@mail.demo`)
    const file = reading(lines.join('\n'), ['email'])
    const [, second, third] = await batches(file)
    const again = await batches(file, 2)
    const texts = (some: (Batch | undefined)[]) => some.map(batch => new TextDecoder().decode(batch?.body))
    expect(texts(again)).toEqual(texts([second, third]))
  })

  it('is none when there is nobody', async () => {
    expect(await batches(reading('nobody\n', ['email']))).toEqual([])
  })
})

describe('what can be saved', () => {
  it('is one hash a line, of the rows that have it', async () => {
    const file = reading('mary@example.com,\n,0912345678\nmary@example.com,', ['email', 'phone'])
    expect(await (await hashedLines(file, 'email')).text()).toBe(`${sha256('mary@example.com')}\n`)
    expect(await (await hashedLines(file, 'phone')).text()).toBe(`${sha256('886912345678')}\n`)
  })

  it('is what was rejected and why, and none of it is a formula', async () => {
    const file = reading('mary@example.com\n"=1+1"\n"a,b"', ['email'])
    const words = { bad_email: 'no e-mail', bad_phone: '', no_identifier: '', no_consent: '' }
    expect(await (await rejectedRows(file, words)).text()).toBe(`no e-mail,'=1+1\r\nno e-mail,"a,b"\r\n`)
  })
})

describe('a file that is opened', () => {
  const hashing = createHashing()

  it('shows its first 20 rows under its headings', async () => {
    const lines = Array.from({ length: 50 }, (_, at) => `${at},person.${at}@mail.demo`)
    const preview = await hashing.open(new Blob([`編號,信箱\n${lines.join('\n')}`]))
    expect(preview).toMatchObject({
      format: { encoding: 'utf-8', delimiter: ',' },
      has_headings: true,
      columns: [null, 'email'],
    })
    expect(preview.rows).toHaveLength(21)
  })

  it('is read again in another format', async () => {
    const big5 = Uint8Array.from([0xa4, 0xfd, 0x3b, 0x31])
    const { rows } = await hashing.open(new Blob([big5]), { encoding: 'big5', delimiter: ';' })
    expect(rows).toEqual([['王', '1']])
  })

  it('does not show a row that the sample has cut', async () => {
    const { rows } = await hashing.open(new Blob([`a,b\n${'x'.repeat(300_000)}`]))
    expect(rows).toEqual([['a', 'b']])
  })
})

describe('one person', () => {
  it('is an address or a number', async () => {
    const hashing = createHashing()
    expect(await hashing.identify('Alice.Wu+VIP@gmail.com', 'TW')).toEqual({
      columns: ['email', 'email_google'],
      row: [
        '32c6b195a692b927d191f698defcc128894522cabc370da94d0ce021a7e48f2c',
        'fa3b5d314539685cbb7856e69417f0639ce19f60ebabf956650cfbda0d877aad',
      ],
    })
    expect((await hashing.identify('0912345678', 'TW'))?.row[0]).toBe(
      'cf676475cec2ee7b7591f39bdefe7ef3dca63b14c1cdba3b19ce4219cbda2b09',
    )
    expect(await hashing.identify('nobody', 'TW')).toBeNull()
  })
})

it('names no value in what it throws', () => {
  expect(new HashingProblem('failed').message).toBe('failed')
})
