import type { ChannelCatalogue } from './catalogue.ts'
import { fb } from './fb.ts'

/** Every channel, in the order in which it is offered. */
export const channels = { fb } as const satisfies Record<string, ChannelCatalogue>

export type Channel = keyof typeof channels

export const channelIds = Object.keys(channels).filter(isChannel)

export function isChannel(value: string): value is Channel {
  return Object.hasOwn(channels, value)
}

/** The catalogue of one channel, widened. */
export const catalogueOf = (channel: Channel): ChannelCatalogue => channels[channel]
