import { expect, it } from 'vitest'
import { whyNotTaxId } from '#shared/billing/tax-id.ts'
import { CreateAdvertiser } from '#shared/api/advertisers.ts'
import { testDatabase } from '#server/db/testing/database.ts'
import { listAgreements } from '#server/resources/advertisers/fee-agreement-queries.ts'
import { problemsOf, termsOf } from '#server/resources/advertisers/fee-agreement-rules.ts'
import { factsOf } from '#server/resources/advertisers/rules.ts'
import { insertCustomers } from './customers.ts'
import { demoAdvertisers } from './people.ts'

const { db } = await testDatabase()
const advertisers = new Map<string, number>()
for (const name of demoAdvertisers) {
  const row = await db.insertInto('advertiser').values({ name }).returning('id').executeTakeFirstOrThrow()
  advertisers.set(name, row.id)
}
await db.transaction().execute(trx => insertCustomers(trx, { advertisers, month: '2026-11' }))

it('every customer of the demo has what a form would take, and an industry', async () => {
  const rows = await db.selectFrom('advertiser').selectAll().execute()
  expect(rows.map(({ name }) => name).toSorted()).toEqual(demoAdvertisers.toSorted())
  for (const row of rows) {
    const { is_active: _active, ...facts } = factsOf(row)
    expect(CreateAdvertiser.parse(facts)).toEqual({ ...facts, members: [] })
    expect(whyNotTaxId(row.tax_country, row.tax_id)).toBe(null)
    expect(row.industry).not.toBe(null)
  }
  expect(rows.filter(({ agent }) => agent !== null)).toHaveLength(1)
})

it('each has a fee of another kind, which holds this month and overlaps with none', async () => {
  const kinds = new Set<string>()
  for (const id of advertisers.values()) {
    const agreements = await listAgreements(db, id)
    for (const row of agreements) {
      const others = agreements.filter(each => each !== row)
      expect(problemsOf(termsOf(row), others)).toBe(null)
    }
    for (const row of agreements.filter(({ channel, to_month }) => channel === null && to_month === null)) {
      const { from_month: _from, currency: _currency, ...kind } = termsOf(row)
      kinds.add(JSON.stringify(kind))
    }
  }
  expect(kinds.size).toBe(demoAdvertisers.length)
})

it('the agency has what its documents need', async () => {
  const issuer = await db.selectFrom('issuer').selectAll().executeTakeFirstOrThrow()
  expect(whyNotTaxId('TW', issuer.tax_id)).toBe(null)
  expect(whyNotTaxId('JP', issuer.jp_tax_id)).toBe(null)
  for (const text of [issuer.name, issuer.address, issuer.bank, issuer.terms_en, issuer.terms_zh])
    expect(text).not.toBe('')
})
