import type { AdAccount } from '#shared/api/ad-accounts.ts'
import { whyNotAsk, type Violation } from '#shared/block-rules.ts'
import type { ChannelCatalogue, Dimension } from '#shared/channels/catalogue.ts'
import { metricIn, measuresOf } from '#shared/metrics.ts'
import type { DraftBlock } from './draft.ts'

interface Beside {
  /** As the block means it. */
  catalogue: ChannelCatalogue
  block: Pick<DraftBlock, 'channel' | 'accounts' | 'metrics' | 'filters'>
  dimensions: readonly Dimension[]
  accounts: readonly Pick<AdAccount, 'id' | 'provider'>[]
}

/** Why a metric cannot be combined with what a block has, whether or not the block has it already. */
export function metricRefusal(
  id: string,
  { catalogue, block: { channel, accounts: ids, metrics, filters }, dimensions, accounts }: Beside,
): Violation | undefined {
  // Two metrics may exclude each other, whichever of them says so. Few do; the others are skipped.
  const others = metrics.filter(
    chosen => chosen !== id && (excludes(catalogue, id) || excludes(catalogue, chosen)),
  )
  return whyNotAsk({
    index: 0,
    block: { channel, metrics: [id, ...others], filters },
    dimensions,
    catalogue,
    accounts: accounts.filter(account => ids.includes(account.id)),
  }).find(({ detail }) => detail.metric === id || (detail.metric !== undefined && detail.other === id))
}

const excludes = (catalogue: ChannelCatalogue, id: string) =>
  measuresOf(catalogue, id).some(part => (metricIn(catalogue, part)?.not_beside ?? []).length > 0)
