import { aw } from './aw.ts'
import { aw_keyword } from './aw_keyword.ts'
import type { Channel, ChannelCatalogue } from './catalogue.ts'
import { fb } from './fb.ts'
import { ga } from './ga.ts'
import { ga_event } from './ga_event.ts'
import { ga4 } from './ga4.ts'
import { ln } from './ln.ts'
import { tt } from './tt.ts'
import { yg } from './yg.ts'

const catalogues: Record<Channel, ChannelCatalogue> = { fb, aw, aw_keyword, yg, tt, ln, ga, ga_event, ga4 }

/** The catalogue of one channel. */
export const catalogueOf = (channel: Channel): ChannelCatalogue => catalogues[channel]

/** The channel that a channel's accounts belong to: those of keywords are those of Google Ads. */
export const accountChannelOf = (channel: Channel): Channel => catalogues[channel].accounts_of ?? channel
