import { aw } from './aw.ts'
import { aw_keyword } from './aw_keyword.ts'
import { channelIds as every, type Channel, type ChannelCatalogue } from './catalogue.ts'
import { fb } from './fb.ts'
import { ga } from './ga.ts'
import { ga_event } from './ga_event.ts'
import { ga4 } from './ga4.ts'
import { ln } from './ln.ts'
import { tt } from './tt.ts'
import { yg } from './yg.ts'

export type { Channel } from './catalogue.ts'

const channels: Partial<Record<Channel, ChannelCatalogue>> = {
  fb,
  aw,
  aw_keyword,
  yg,
  tt,
  ln,
  ga,
  ga_event,
  ga4,
}

/** Every channel, in the order in which it is offered. */
export const channelIds = every.filter(isChannel)

export function isChannel(value: string): value is Channel {
  return Object.hasOwn(channels, value)
}

/** The catalogue of one channel. */
export function catalogueOf(channel: Channel): ChannelCatalogue {
  const catalogue = channels[channel]
  if (!catalogue) throw new Error(`${channel} has no catalogue`)
  return catalogue
}

/** The channel that a channel's accounts are kept under: those of keywords are those of Google Ads. */
export const accountChannelOf = (channel: Channel): Channel => channels[channel]?.accounts_of ?? channel
