import type { AudienceKind } from '#shared/audiences.ts'
import type { Channel } from '#shared/channels/catalogue.ts'

/** The channels that take audiences through us. */
export const sharedChannels = ['fb', 'aw', 'tt', 'ln'] as const satisfies readonly Channel[]

/** The channels whose accounts are offered for a kind of audience. */
export const channelsOf: Record<AudienceKind, readonly Channel[]> = {
  // LY takes the file by hand.
  customer_file: [...sharedChannels, 'yg'],
  website: ['fb'],
  lookalike: ['fb'],
  // Google itself carries them to the accounts that are linked with the property.
  ga4: [],
}

export const isByHand = (channel: Channel) => channel === 'yg'
