import type { AccountRef, ConversionAction } from '#server/connectors/connector.ts'
import { listedDays, mostFirst } from '#server/connectors/kit/actions.ts'
import { todayAt } from '#server/connectors/kit/unsupported.ts'
import { firstReached, managersFor } from './accounts.ts'
import { everyRow } from './client.ts'
import { ACTION_NAME, actionFields } from './fields.ts'
import { between, gaql } from './gaql.ts'
import { ActionRow, type GoogleAdsIo } from './schema.ts'

/** The conversion actions of an account, its managers' and those that are not primary among them. */
export async function listActions(account: AccountRef, io: GoogleAdsIo): Promise<ConversionAction[]> {
  const query = gaql({
    select: [ACTION_NAME, ...actionFields],
    from: 'customer',
    where: [between(listedDays(todayAt(account, io.now())))],
  })
  const rows = await firstReached(managersFor(account, io.login), through =>
    everyRow({ customer: account.external_id, through, query }, ActionRow, io),
  )
  return mostFirst(
    rows.map(({ segments, metrics }) => ({
      name: segments.conversionActionName,
      conversions: metrics.allConversions,
      value: Math.round(metrics.allConversionsValue * 1_000_000),
    })),
  )
}
