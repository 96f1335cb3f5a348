/**
 * Who pays the platforms. agency: we do, and bill media and fee; advance: we do for the customer, who pays
 * the media back untaxed; client: the customer does, and we bill the fee alone.
 */
export const mediaBillings = ['agency', 'advance', 'client'] as const
export type MediaBilling = (typeof mediaBillings)[number]

export interface Charge {
  untaxed: bigint
  taxable: bigint
}

/** What of a line or document is charged. */
export const chargeOf: Record<MediaBilling, (sums: { media: bigint; fee: bigint }) => Charge> = {
  agency: ({ media, fee }) => ({ untaxed: 0n, taxable: media + fee }),
  advance: ({ media, fee }) => ({ untaxed: media, taxable: fee }),
  client: ({ fee }) => ({ untaxed: 0n, taxable: fee }),
}
