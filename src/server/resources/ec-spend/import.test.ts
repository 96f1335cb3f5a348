import { expect, it } from 'vitest'
import { expectRefusal, testApi } from '#server/http/testing/api.ts'
import { billingData, units } from './testing/billing.ts'

const api = await testApi()
const data = billingData(api.db)
api.clock.now = new Date('2026-12-03T02:00:00Z')
const finance = await api.signedIn('staff', { department: 7 })

const send = async (csv: string, query = '') => {
  const form = new FormData()
  form.set('file', new File([csv], 'costs.csv'))
  return await finance.post(`/api/ad/ecspend/import/${query}`, form)
}
const stored = async (ad_account: number) =>
  await api.db
    .selectFrom('spend_month')
    .select(['month', 'cost', 'known', 'origin'])
    .where('ad_account', '=', ad_account)
    .orderBy('month')
    .execute()

it('costs of accounts are imported by month, stand, and can be taken back', async () => {
  const advertiser = await data.customer()
  const google = await data.account(advertiser, {
    channel: 'aw',
    external_id: '1234567890',
    costs: [{ month: '2026-10', cost: null }],
  })
  const file = 'Month,Account ID,Cost\n2026-09,123-456-7890,"1,234.56"\n2026-10,1234567890,7\n'
  const planned = await send(file, '?dry_run=true')
  expect(planned.body).toEqual({ create: 1, change: 1, same: 0, problems: [] })
  expect(await stored(google)).toHaveLength(1)
  expect((await send(file)).body).toEqual(planned.body)
  expect(await stored(google)).toEqual([
    { month: '2026-09-01', cost: units(1234.56), known: 'full', origin: 'import' },
    { month: '2026-10-01', cost: units(7), known: 'full', origin: 'import' },
  ])
  expect((await send(file)).body).toEqual({ create: 0, change: 0, same: 2, problems: [] })
  expect((await send('月份,帳戶 ID,花費\n2026-09,1234567890,\n')).body).toMatchObject({ change: 1 })
  expect((await stored(google)).map(({ month }) => month)).toEqual(['2026-10-01'])
})

it('one problem, and nothing is written', async () => {
  const account = await data.account(await data.customer(), { channel: 'fb', external_id: 'one' })
  await data.account(null, { channel: 'ln', external_id: 'both' })
  await data.account(null, { channel: 'tt', external_id: 'both' })
  const rows = [
    '2026-11,one,1,fb',
    '2026-12,one,1,',
    '2026-13,one,1,',
    '2026-10,none,1,',
    '2026-10,both,1,',
    '2026-10,one,1.1234567,',
    '2026-10,one,1,ga4',
    '2026-11,one,2,fb',
  ]
  const file = ['month,account,cost,channel', ...rows].join('\n')
  const { body } = await send(file, '?dry_run=true')
  expect(Object(body).problems).toEqual([
    { row: 3, field: 'month', code: 'time_in_future' },
    { row: 4, field: 'month', code: 'field_invalid' },
    { row: 5, field: 'account', code: 'account_unknown' },
    { row: 6, field: 'account', code: 'account_ambiguous' },
    { row: 7, field: 'cost', code: 'field_invalid' },
    { row: 8, field: 'channel', code: 'field_invalid' },
    { row: 9, field: 'account', code: 'field_invalid' },
  ])
  expect((await send(file)).status).toBe(400)
  expect(await stored(account)).toEqual([])
})

it('a locked month is refused', async () => {
  const account = await data.account(await data.customer(), { channel: 'fb', external_id: 'late' })
  await api.db.insertInto('billing_month').values({ month: '2026-08-01', state: 'locked' }).execute()
  const file = 'month,account,cost\n2026-08,late,5'
  expect(Object((await send(file, '?dry_run=true')).body).problems).toEqual([
    { row: 2, field: 'month', code: 'month_locked' },
  ])
  expectRefusal(await send(file), 409, 'month_locked')
  expect(await stored(account)).toEqual([])
})

it('a file without its columns is refused', async () => {
  expect(Object((await send('month,cost\n2026-08,5', '?dry_run=true')).body).problems).toEqual([
    { row: 1, field: 'account', code: 'field_required' },
  ])
})
