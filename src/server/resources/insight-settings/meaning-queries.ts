import type { Meanings } from '#shared/block-catalogue.ts'
import type { Db } from '#server/db/connect.ts'

/** What numbers mean to these advertisers, the agency's own included; of `ids` alone where they are given. */
export async function readMeanings(
  db: Db,
  {
    advertisers,
    metrics,
    conversions,
  }: {
    advertisers: 'all' | readonly number[]
    metrics?: readonly number[]
    conversions?: readonly number[]
  },
): Promise<Meanings> {
  let calculated = db.selectFrom('calculated_metric')
  let definitions = db.selectFrom('conversion_definition')
  let labels = db.selectFrom('metric_label')
  if (advertisers !== 'all') {
    const of = [...advertisers, 0]
    calculated = calculated.where(eb => eb.or([eb('advertiser', 'is', null), eb('advertiser', 'in', of)]))
    definitions = definitions.where('advertiser', 'in', of)
    labels = labels.where(eb => eb.or([eb('advertiser', 'is', null), eb('advertiser', 'in', of)]))
  }
  if (metrics) calculated = calculated.where('id', 'in', [...metrics, 0])
  if (conversions) definitions = definitions.where('id', 'in', [...conversions, 0])
  const [ofMetrics, ofConversions, ofLabels] = await Promise.all([
    // Most reports name none of either.
    metrics?.length === 0
      ? []
      : calculated
          .select(['id', 'advertiser', 'name', 'name_zh', 'explanation', 'formula', 'unit', 'decimals'])
          .select('is_active')
          .orderBy('id')
          .execute(),
    conversions?.length === 0
      ? []
      : definitions
          .select(['id', 'advertiser', 'name', 'name_zh', 'is_default', 'entries'])
          .orderBy('id')
          .execute(),
    labels.select(['advertiser', 'channel', 'metric', 'label', 'label_zh']).orderBy('id').execute(),
  ])
  return { metrics: ofMetrics, conversions: ofConversions, labels: ofLabels }
}

/** What advertisers are billed in; null: each account's own currency. */
export async function billingCurrencies(
  db: Db,
  advertisers: readonly number[],
): Promise<Map<number, string | null>> {
  const rows = await db
    .selectFrom('advertiser')
    .select(['id', 'billing_currency'])
    .where('id', 'in', [...advertisers, 0])
    .execute()
  return new Map(rows.map(({ id, billing_currency }) => [id, billing_currency]))
}

/** Currencies that some month has a rate of. */
export async function ratedCurrencies(db: Db): Promise<string[]> {
  const rows = await db.selectFrom('rate').select('currency').distinct().orderBy('currency').execute()
  return rows.map(({ currency }) => currency)
}
