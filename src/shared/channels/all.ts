import { aw } from './aw.ts'
import { aw_keyword } from './aw_keyword.ts'
import type { Channel, ChannelCatalogue, Metric } from './catalogue.ts'
import { clientCost } from './client-cost.ts'
import { fb } from './fb.ts'
import { ga } from './ga.ts'
import { ga_event } from './ga_event.ts'
import { ga4 } from './ga4.ts'
import { ln } from './ln.ts'
import { tt } from './tt.ts'
import { yg } from './yg.ts'

const catalogues: Record<Channel, ChannelCatalogue> = {
  fb: withClientCost(fb),
  aw: withClientCost(aw),
  aw_keyword,
  yg: withClientCost(yg),
  tt: withClientCost(tt),
  ln: withClientCost(ln),
  ga,
  ga_event,
  ga4,
}

/** What a customer pays for the media with the agency's fee; beside the cost that it is worked out of. */
function withClientCost(catalogue: ChannelCatalogue): ChannelCatalogue {
  const metrics = Object.entries(catalogue.metrics).flatMap(([id, metric]): [string, Metric][] =>
    id === 'cost'
      ? [
          [id, metric],
          ['client_cost', { ...metric, ...clientCost }],
        ]
      : [[id, metric]],
  )
  return { ...catalogue, metrics: Object.fromEntries(metrics) }
}

/** The catalogue of one channel. */
export const catalogueOf = (channel: Channel): ChannelCatalogue => catalogues[channel]

/** The channel that a channel's accounts belong to: those of keywords are those of Google Ads. */
export const accountChannelOf = (channel: Channel): Channel => catalogues[channel].accounts_of ?? channel
