import { sql } from 'kysely'
import { expect, it } from 'vitest'
import type { z } from 'zod'
import type { EcSpend, Statements } from '#shared/api/ec-spend.ts'
import { spendChannels } from '#shared/billing/spend-channels.ts'
import { stepOf } from '#shared/billing/step.ts'
import { testApi } from '#server/http/testing/api.ts'
import { SEED, randomOf } from '#server/testing/random.ts'
import { billingData } from './testing/billing.ts'

/**
 * C10: rows by channel, advertiser and account, their totals and the statements agree to the millionth,
 * before and after the lock, whatever customers, costs, invoices, adjustments and agreements there are.
 */
const MONTHS = process.env.LONG ? 10_000 : 40
const CUSTOMERS = 20

const api = await testApi()
const data = billingData(api.db)
api.clock.now = new Date('2026-12-03T02:00:00Z')
const finance = await api.signedIn('superuser')
const random = randomOf(SEED)
const below = (limit: number) => Math.floor(random() * limit)
const pick = <Item>(items: readonly [Item, ...Item[]]): Item => items[below(items.length)] ?? items[0]
const currencies = ['TWD', 'JPY', 'USD'] as const
const amount = (currency: string) => (below(2_000_000) - 100_000) * Number(stepOf(currency))

/** One customer in one month. */
async function randomMonth() {
  const own = pick(['TWD', 'USD', 'JPY', null])
  const advertiser = await data.customer({
    billing_currency: own,
    tax: pick(['tw_vat', 'jp_ct', 'zero_rated', 'exempt']),
    media_billing: pick(['agency', 'advance', 'client']),
  })
  for (let accounts = below(6); accounts > 0; accounts -= 1) {
    const currency = pick(currencies)
    const account = await data.account(advertiser, {
      channel: pick(spendChannels),
      currency,
      costs: [{ month: '2026-11', cost: below(10) === 0 ? 0 : (random() - 0.05) * 1e6 }],
    })
    if (below(4) === 0)
      await api.db
        .insertInto('platform_invoice')
        .values({ ad_account: account, month: '2026-11-01', amount: amount(currency) })
        .execute()
  }
  for (let adjustments = below(3); adjustments > 0; adjustments -= 1) {
    const currency = pick(currencies)
    await api.db
      .insertInto('adjustment')
      .values({
        advertiser,
        channel: pick(spendChannels),
        month: '2026-11-01',
        concerns_month: '2026-10-01',
        currency,
        amount: amount(currency) || 1_000_000,
        reason: 'other',
      })
      .execute()
  }
  const scopes = [null, 'fb', 'tt'] as const
  for (const channel of scopes.filter(() => below(3) === 0))
    for (const currency of own === null ? currencies : [own])
      await api.db
        .insertInto('fee_agreement')
        .values({
          advertiser,
          channel,
          currency,
          from_month: '2026-01-01',
          tiers: JSON.stringify([
            { up_to: (1 + below(500)) * 1_000_000_000, rate: below(3000) },
            { up_to: null, rate: below(3000) },
          ]),
          tier_mode: pick(['marginal', 'whole']),
          amount: below(3) * Number(stepOf(currency)) * 1000,
          charges_idle_months: below(2) === 0,
        })
        .execute()
}

const get = async <Body>(path: string) => {
  const { status, body } = await finance.get(`/api/ad/ecspend/${path}`)
  expect([status, JSON.stringify(body).slice(0, 300)]).toEqual([200, expect.anything()])
  return body as Body
}
const spend = (group: string) => get<z.infer<typeof EcSpend>>(`?from=2026-11&to=2026-11&group=${group}`)
const sums = ['billed', 'fee', 'tax_amount', 'total'] as const
type Sums = Record<(typeof sums)[number], number | null>

/** By advertiser and billing currency. */
function summed(rows: readonly (Sums & { key: string })[]) {
  const all = new Map<string, Record<string, bigint>>()
  for (const { key, ...row } of rows) {
    const sum = all.get(key) ?? {}
    for (const column of sums) sum[column] = (sum[column] ?? 0n) + BigInt(row[column] ?? 0)
    all.set(key, sum)
  }
  return new Map([...all].toSorted())
}
const keyed = (rows: z.infer<typeof EcSpend>['rows']) =>
  rows
    .filter(row => row.billing_currency !== null)
    .map(row => ({ ...row, key: `${row.advertiser} ${row.billing_currency}` }))

async function expectAgreement() {
  const [channels, advertisers, accounts] = [
    await spend('channel'),
    await spend('advertiser'),
    await spend('account'),
  ]
  const { results } = await get<z.infer<typeof Statements>>('statement/?month=2026-11')
  const statements = summed(
    results.map(statement => ({
      ...statement,
      billed: statement.media,
      key: `${statement.advertiser} ${statement.currency}`,
    })),
  )
  expect(channels.rows.filter(row => row.code !== null)).toEqual([])
  expect(summed(keyed(channels.rows))).toEqual(statements)
  expect(summed(keyed(advertisers.rows))).toEqual(statements)
  expect(summed(keyed(accounts.rows))).toEqual(statements)
  const totals = channels.totals.map(total => ({ ...total, key: total.billing_currency }))
  const byCurrency = keyed(channels.rows).map(row => ({ ...row, key: row.billing_currency ?? '' }))
  expect(summed(totals)).toEqual(summed(byCurrency))
  expect(
    [advertisers.totals, accounts.totals].map(each =>
      summed(each.map(total => ({ ...total, key: total.billing_currency }))),
    ),
  ).toEqual([summed(totals), summed(totals)])
  const lines = results.flatMap(({ lines: own, advertiser, currency }) =>
    own.map(line => ({ ...line, key: `${advertiser} ${currency}` })),
  )
  expect(summed(lines)).toEqual(statements)
  return { rows: channels.rows, results }
}

it(`${MONTHS} random months agree with themselves, and with what the lock freezes`, async () => {
  for (let done = 0; done < MONTHS; done += CUSTOMERS) {
    await sql`truncate advertiser, ad_account, spend_month, platform_invoice, adjustment, statement, statement_line, locked_account,
      billing_month, fee_agreement, rate cascade`.execute(api.db)
    await data.rate('2026-11', 'JPY', (0.2 + random() / 50).toFixed(6))
    await data.rate('2026-11', 'USD', (31 + random()).toFixed(4))
    for (let customers = 0; customers < CUSTOMERS; customers += 1) await randomMonth()
    const live = await expectAgreement()
    const { status, body } = await finance.post('/api/ad/ecspend/lock/', { month: '2026-11' })
    expect([status, JSON.stringify(body)]).toEqual([200, expect.anything()])
    const locked = await expectAgreement()
    expect(locked.rows).toEqual(live.rows.map(row => ({ ...row, is_provisional: false })))
    expect(locked.results).toEqual(live.results.map(each => ({ ...each, id: expect.any(Number) })))
  }
})
