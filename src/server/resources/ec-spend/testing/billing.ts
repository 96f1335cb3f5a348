import { randomUUID } from 'node:crypto'
import type { SpendChannel } from '#shared/api/money.ts'
import type { Db } from '#server/db/connect.ts'
import type { AdvertiserTable } from '#server/db/tables/customers.ts'

/** Units of a currency in millionths: 88000.5 → 88000500000. */
export const units = (amount: number): number => Math.round(amount * 1_000_000)

const providers = {
  fb: 'meta',
  aw: 'google_ads',
  yg: 'ly_search',
  tt: 'tiktok',
  ln: 'line',
} as const satisfies Record<SpendChannel, string>

type Known = 'full' | 'partial' | 'none'

interface Cost {
  month: string
  /** In units; null: not known. */
  cost: number | null
  known?: Known
}

/** What a test of billing needs in the database, written without the product. */
export function billingData(db: Db) {
  return {
    async customer(
      facts: Partial<Pick<AdvertiserTable, 'billing_currency' | 'industry'>> & CustomerTerms = {},
    ) {
      const { id } = await db
        .insertInto('advertiser')
        .values({ name: `Customer ${randomUUID().slice(0, 8)}`, billing_currency: 'TWD', ...facts })
        .returning('id')
        .executeTakeFirstOrThrow()
      return id
    },

    async account(
      advertiser: number | null,
      { channel, costs = [], ...facts }: { channel: SpendChannel; costs?: readonly Cost[] } & AccountFacts,
    ) {
      const { id } = await db
        .insertInto('ad_account')
        .values({
          channel,
          provider: providers[channel],
          external_id: randomUUID(),
          name: `${channel} account`,
          currency: 'TWD',
          timezone: 'Asia/Taipei',
          advertiser,
          ...facts,
        })
        .returning('id')
        .executeTakeFirstOrThrow()
      for (const cost of costs) await this.cost(id, cost)
      return id
    },

    /** As the platform reports it now. */
    async cost(ad_account: number, { month, cost, known = cost === null ? 'none' : 'full' }: Cost) {
      const values = { cost: cost === null ? null : units(cost), known }
      await db
        .insertInto('spend_month')
        .values({ ad_account, month: `${month}-01`, origin: 'platform', as_of: new Date(), ...values })
        .onConflict(conflict => conflict.columns(['ad_account', 'month']).doUpdateSet(values))
        .execute()
    },

    /** Percent on all channels. */
    async fee(advertiser: number, percent: number, facts: { currency?: string; from_month?: string } = {}) {
      await db
        .insertInto('fee_agreement')
        .values({
          advertiser,
          channel: null,
          currency: 'TWD',
          from_month: '2024-01-01',
          tiers: JSON.stringify([{ up_to: null, rate: Math.round(percent * 100) }]),
          ...facts,
        })
        .execute()
    },

    async rate(month: string, currency: string, rate: string, kind: 'final' | 'provisional' = 'final') {
      await db
        .insertInto('rate')
        .values({ month: `${month}-01`, currency, rate, kind })
        .onConflict(conflict => conflict.columns(['month', 'currency']).doUpdateSet({ rate, kind }))
        .execute()
    },
  }
}

interface CustomerTerms {
  tax?: 'tw_vat' | 'jp_ct' | 'zero_rated' | 'exempt'
  media_billing?: 'agency' | 'advance' | 'client'
  name?: string
}

interface AccountFacts {
  currency?: string
  timezone?: string
  name?: string
  external_id?: string
}
