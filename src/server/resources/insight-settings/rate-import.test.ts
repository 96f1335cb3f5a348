import { beforeEach, describe, expect, it } from 'vitest'
import { ImportReply } from '#shared/api/customers.ts'
import { expectRefusal, testApi, type Client } from '#server/http/testing/api.ts'

const api = await testApi()
let finance: Client
let staff: Client
/** A sign-in does not last from one month to the next. */
async function at(now: string) {
  api.clock.now = new Date(now)
  finance = await api.signedIn('staff', { department: 7 })
  staff = await api.signedIn('staff')
}

const PATH = '/api/insight-setting/rates/import/'
beforeEach(async () => {
  // In Taipei it is the last day of November.
  await at('2026-11-29T17:00:00Z')
  await api.db.deleteFrom('rate').execute()
  await api.db.deleteFrom('billing_month').execute()
  await base('TWD')
})
const base = (currency: string) => api.db.updateTable('issuer').set({ base_currency: currency }).execute()

async function send(text: string | Uint8Array<ArrayBuffer>, query = '', who = finance) {
  const form = new FormData()
  form.set('file', new File([text], 'rates.csv'))
  return await who.post(`${PATH}${query}`, form)
}
/** What the file would do and then does. */
async function imported(text: string | Uint8Array<ArrayBuffer>, query = '?') {
  const tried = await send(text, `${query}&dry_run=true`)
  const done = await send(text, query)
  expect(done.status, JSON.stringify(done.body)).toBe(200)
  expect(done.body).toEqual(tried.body)
  const { problems, ...counts } = ImportReply.parse(done.body)
  expect(problems).toEqual([])
  return counts
}
async function problemsOf(text: string, query = '?') {
  const { problems } = ImportReply.parse((await send(text, `${query}&dry_run=true`)).body)
  const before = await rates()
  const refused = await send(text, query)
  expect(refused.body).toMatchObject({ problems })
  expect(await rates()).toEqual(before)
  return problems
}
async function rates() {
  const rows = await api.db
    .selectFrom('rate')
    .select(['month', 'currency', 'rate', 'kind'])
    .orderBy('month')
    .orderBy('currency')
    .execute()
  return rows.map(
    ({ month, currency, rate, kind }) => `${month.slice(0, 7)} ${currency} ${Number(rate)} ${kind}`,
  )
}
const enter = (month: string, currency: string, rate: string, kind: 'final' | 'provisional' = 'final') =>
  api.db
    .insertInto('rate')
    .values({ month: `${month}-01`, currency, rate, kind })
    .execute()
const lock = (month: string) =>
  api.db
    .insertInto('billing_month')
    .values({ month: `${month}-01`, state: 'locked' })
    .execute()

describe('a file of rates', () => {
  it('creates, changes and leaves the same, and says so before', async () => {
    const text = 'month,currency,rate\n2026-09,USD,31.90\n2026-10,usd,31.505\n2026-10,JPY,0.2085'
    await enter('2026-09', 'USD', '31.9')
    await enter('2026-10', 'USD', '31.4')
    expect(await imported(text)).toEqual({ create: 1, change: 1, same: 1 })
    expect(await rates()).toEqual([
      '2026-09 USD 31.9 final',
      '2026-10 JPY 0.2085 final',
      '2026-10 USD 31.505 final',
    ])
    expect(await imported(text)).toEqual({ create: 0, change: 0, same: 3 })
    const versions = await api.db.selectFrom('rate').select('version').orderBy('id').execute()
    expect(versions.map(({ version }) => version)).toEqual([1, 2, 1])
  })

  it('is what the list exports, in either language', async () => {
    await enter('2026-10', 'USD', '31.505')
    await enter('2026-10', 'JPY', '0.2085', 'provisional')
    const { body } = await finance.get('/api/insight-setting/rates/?format=csv')
    expect(await imported(String(body))).toEqual({ create: 0, change: 0, same: 2 })
    expect(await imported('月份,幣別,匯率,類別\n2026-10,EUR,36.1,provisional')).toMatchObject({ create: 1 })
    expect(await rates()).toContain('2026-10 EUR 36.1 provisional')
  })

  it('gives provisional rates of the month that runs in the agency’s zone', async () => {
    await imported('month,currency,rate\n2026-10,USD,31\n2026-11,USD,32')
    expect(await rates()).toEqual(['2026-10 USD 31 final', '2026-11 USD 32 provisional'])
    await at('2026-11-30T16:00:00Z')
    expect(await imported('month,currency,rate\n2026-11,USD,32')).toEqual({ create: 0, change: 1, same: 0 })
    expect(await rates()).toContain('2026-11 USD 32 final')
  })

  it('is refused as a whole with any problem', async () => {
    const text = [
      'month,currency,rate',
      '2026-10,USD,31.505',
      '2026-10,USD,31.6',
      '2026-10,TWD,1',
      '2026-1,USD,31',
      '2026-10,US,31',
      '2026-10,JPY,0',
      '2026-10,EUR,36;5',
      '2026-10,EUR,36,5',
    ]
    expect(await problemsOf(text.join('\n'))).toEqual([
      { row: 5, field: 'month', code: 'field_invalid' },
      { row: 6, field: 'currency', code: 'field_invalid' },
      { row: 7, field: 'rate', code: 'field_invalid' },
      { row: 8, field: 'rate', code: 'field_invalid' },
      { row: 9, field: 'rate', code: 'field_invalid' },
      { row: 3, field: 'currency', code: 'rate_taken' },
      { row: 4, field: 'currency', code: 'rate_of_base' },
    ])
    expect(await problemsOf('month,currency,price\n2026-10,USD,31')).toEqual([
      { row: 1, field: 'price', code: 'field_unknown' },
      { row: 1, field: 'rate', code: 'field_required' },
    ])
  })

  it('does not change final rates of locked months', async () => {
    await enter('2026-09', 'USD', '31')
    await enter('2026-09', 'JPY', '0.2', 'provisional')
    await lock('2026-09')
    const text = (usd: string) => `month,currency,rate\n2026-09,USD,${usd}\n2026-09,JPY,0.21\n2026-09,EUR,36`
    expect(await problemsOf(text('32'))).toEqual([{ row: 2, field: 'month', code: 'month_locked' }])
    expectRefusal(await send(text('32')), 409, 'month_locked')
    expect(await imported(text('31.0'))).toEqual({ create: 1, change: 1, same: 1 })
  })

  it('leaves a line in the trail for each month', async () => {
    await enter('2026-10', 'USD', '31')
    await imported('month,currency,rate\n2026-09,USD,30\n2026-10,USD,31.5\n2026-10,JPY,0.2')
    const lines = await api.db
      .selectFrom('audit')
      .select(['object_id', 'detail'])
      .where('action', '=', 'rate.import')
      .orderBy('id', 'desc')
      .limit(2)
      .execute()
    expect(lines).toMatchObject([
      {
        object_id: '2026-10',
        detail: { rates: 2, changes: { USD: { from: '31', to: '31.5' }, JPY: { from: null, to: '0.2' } } },
      },
      { object_id: '2026-09', detail: { rates: 1 } },
    ])
  })

  it('is for managers and finance, at most 1 MiB and 5,000 rows', async () => {
    expectRefusal(await send('month,currency,rate', '', staff), 403, 'forbidden')
    const rows = (count: number) => `month,currency,rate\n${'2026-10,USD,31\n'.repeat(count)}`
    expectRefusal(await send(rows(5001)), 400, 'invalid', { file: ['field_too_many'] })
    expectRefusal(await send(rows(80_000)), 400, 'invalid', { file: ['file_too_large'] })
    expectRefusal(await send('month,currency\n"2026'), 400, 'invalid', { file: ['file_unreadable'] })
  })
})

describe('Bank of Taiwan’s file of a day', () => {
  const days = [10, 30, 60, 90, 120, 150, 180]
  const block = (cash: string, spot: string) => [cash, spot, ...days.map(() => '0.00000')].join(',')
  const chinese = ['匯率', '現金', '即期', ...days.map(day => `遠期${day}天`)].join(',')
  const english = ['Rate', 'Cash', 'Spot', ...days.map(day => `Forward-${day}Days`)].join(',')
  const inChinese = [
    `\ufeff幣別,${chinese},${chinese}`,
    `USD,本行買入,${block('31.10000', '31.43000')},本行賣出,${block('31.77000', '31.58000')},`,
    `JPY,本行買入,${block('0.20010', '0.20690')},本行賣出,${block('0.21290', '0.21100')},`,
    `KRW,本行買入,${block('0.01950', '0.00000')},本行賣出,${block('0.02340', '0.00000')},`,
    '',
  ].join('\r\n')
  const inEnglish = inChinese
    .replace(`幣別,${chinese},${chinese}`, `Currency,${english},${english}`)
    .replaceAll('本行買入', 'Buying')
    .replaceAll('本行賣出', 'Selling')

  it.each([
    ['in Chinese', inChinese],
    ['in English', inEnglish],
    ['without a mark of its bytes', inChinese.slice(1)],
  ])('gives the exact middle of the spot rates (D7): %s', async (_, text) => {
    expect(await imported(text, '?month=2026-10')).toEqual({ create: 2, change: 0, same: 0 })
    expect(await rates()).toEqual(['2026-10 JPY 0.20895 final', '2026-10 USD 31.505 final'])
  })

  it('gives what the bank buys or sells for, on request', async () => {
    await imported(inChinese, '?month=2026-10&price=buy')
    expect(await rates()).toContain('2026-10 USD 31.43 final')
    await imported(inChinese, '?month=2026-10&price=sell&format=bank_of_taiwan')
    expect(await rates()).toContain('2026-10 USD 31.58 final')
    await imported(inChinese, '?month=2026-11')
    expect(await rates()).toContain('2026-11 USD 31.505 provisional')
    const sources = await api.db.selectFrom('rate').select('source').distinct().orderBy('source').execute()
    expect(sources.map(({ source }) => source)).toEqual([
      'Bank of Taiwan, spot middle',
      'Bank of Taiwan, spot sell',
    ])
  })

  it('needs a month and TWD as the base', async () => {
    expectRefusal(await send(inChinese), 400, 'invalid', { month: ['field_required'] })
    await base('USD')
    expectRefusal(await send(inChinese, '?month=2026-10'), 400, 'invalid', { format: ['rates_in_twd'] })
  })

  it('is refused when it cannot be read for certain', async () => {
    const broken = inChinese
      .replace('31.43000', '31,43')
      .replace('JPY,', '日圓,')
      .replace('0.01950', '0.0195')
    expect(await problemsOf(broken.replace('KRW,本行買入', 'KRW,買'), '?month=2026-10')).toMatchObject([
      { row: 2, field: 'rate', code: 'field_invalid' },
      { row: 3, field: 'currency', code: 'field_invalid' },
      { row: 4, field: 'rate', code: 'field_invalid' },
    ])
    for (const text of ['31.58000', '0.21290'])
      expect(
        await problemsOf(inChinese.replace(text, text.replace('.', ',')), '?month=2026-10'),
      ).toHaveLength(1)
    expect(await problemsOf('a,b\n1,2', '?month=2026-10&format=bank_of_taiwan')).toEqual([
      { row: 1, field: '即期', code: 'field_required' },
    ])
  })
})

describe('the history of the ECB', () => {
  const history = [
    'Date,USD,JPY,CYP,',
    '2026-11-27,1.1600,180.00,N/A,',
    '2026-11-26,1.1700,181.00,N/A,',
    '2026-10-30,1.1500,175.00,N/A,',
    '2026-10-29,1.1400,170.00,N/A,',
    '2026-09-30,1.2500,N/A,N/A,',
  ].join('\n')

  it('gives the last day of each month for one euro, with the euro as the base', async () => {
    await base('EUR')
    expect(await imported(history)).toEqual({ create: 5, change: 0, same: 0 })
    expect(await rates()).toEqual([
      '2026-09 USD 0.8 final',
      '2026-10 JPY 0.0057142857 final',
      '2026-10 USD 0.8695652174 final',
      '2026-11 JPY 0.0055555556 provisional',
      '2026-11 USD 0.8620689655 provisional',
    ])
  })

  it('gives the same whatever the order of its days', async () => {
    await base('EUR')
    const [header = '', ...days] = history.split('\n')
    expect(await imported(history)).toMatchObject({ create: 5 })
    expect(await imported([header, ...days.toReversed()].join('\n'))).toMatchObject({ same: 5 })
  })

  it('is converted by the file itself to a base that it has', async () => {
    await base('USD')
    await imported(history, '?month=2026-10')
    expect(await rates()).toEqual(['2026-10 EUR 1.15 final', '2026-10 JPY 0.0065714286 final'])
  })

  it('is converted by each month’s own rate of the euro to another base', async () => {
    await enter('2026-10', 'EUR', '36.225')
    await enter('2026-11', 'EUR', '36', 'provisional')
    expect(await problemsOf(history)).toEqual([{ row: 6, field: 'EUR', code: 'rate_missing' }])
    expect(await imported(history, '?from=2026-10')).toEqual({ create: 4, change: 0, same: 0 })
    expect(await rates()).toEqual([
      '2026-10 EUR 36.225 final',
      '2026-10 JPY 0.207 final',
      '2026-10 USD 31.5 final',
      '2026-11 EUR 36 provisional',
      '2026-11 JPY 0.2 provisional',
      '2026-11 USD 31.0344827586 provisional',
    ])
    // By a rate that can still change a converted one can, too.
    await at('2026-12-05T00:00:00Z')
    expect(await imported(history, '?from=2026-10')).toEqual({ create: 0, change: 0, same: 4 })
  })

  it('is refused for numbers that are none, in a month’s last day', async () => {
    await base('EUR')
    expect(await problemsOf(history.replace('1.1500', '1,1500'))).toEqual([
      { row: 4, field: 'Date', code: 'field_invalid' },
    ])
    expect(await problemsOf(history.replace('1.1500', 'n/a'))).toEqual([
      { row: 4, field: 'USD', code: 'field_invalid' },
    ])
    expect(await imported(history.replace('1.1400', 'n/a'))).toMatchObject({ create: 5 })
  })

  it('is read from its beginning when it is larger than 1 MiB', async () => {
    await base('EUR')
    const [header = ''] = history.split('\n')
    const lastOfAll = Temporal.PlainDate.from('2026-10-31')
    const long = Array.from({ length: 9000 }, (_, back) => {
      const day = lastOfAll.subtract({ days: back })
      return `${day.toString()},1.${String(day.day).padStart(4, '0')},${'1'.padStart(200)},N/A,`
    })
    const text = [header, ...long].join('\n')
    expect(text.length).toBeGreaterThan(2 * 1024 * 1024 * 0.9)
    const { create } = await imported(text)
    expect(create).toBeGreaterThan(200)
    expect(create).toBeLessThan((2 * 9000) / 30)
    const [oldest = ''] = await rates()
    // Of a month that is cut the last day has been read.
    const month = Temporal.PlainYearMonth.from(oldest.slice(0, 7))
    expect(await rates()).toContain(
      `${month.toString()} USD ${Number((1 / Number(`1.${String(month.daysInMonth).padStart(4, '0')}`)).toFixed(10))} final`,
    )
    expectRefusal(await send([header, ...long.toReversed()].join('\n')), 400, 'invalid', {
      file: ['file_too_large'],
    })
  })
})
