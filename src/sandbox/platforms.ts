import type { IncomingMessage, ServerResponse } from 'node:http'
import type { Clock } from './clock.ts'
import type { Controlled } from './control/control.ts'
import { armedBy, createFaults, MetaFault } from './control/faults.ts'
import { createGa4 } from './ga4/service.ts'
import { createGoogleAds } from './google-ads/service.ts'
import { createLine } from './line/service.ts'
import { createMeta } from './meta/service.ts'
import type { Caller } from './oauth/caller.ts'
import { createTikTok } from './tiktok/service.ts'
import { createUniversalAnalytics } from './universal-analytics/service.ts'
import type { Dataset } from './dataset/dataset.ts'
import { createYahoo } from './yahoo/service.ts'

/** The wire of a platform that serves the dataset. */
export interface Platform {
  /** What its requests are called in the log. */
  name: string
  owns(pathname: string): boolean
  /** Answers; tells the account that it was about. */
  handle(request: IncomingMessage, response: ServerResponse, url: URL): Promise<{ account: string | null }>
  control: Controlled
}

export interface Shared {
  clock: Clock
  dataset: Dataset
  /** Whose token this Authorization header has, if the token endpoint gave it. */
  login(authorization: string | undefined): Caller | null
}

/** All platforms, in the order in which they are asked whether a path is theirs. */
export const createPlatforms = (shared: Shared): Platform[] => [
  metaOf(shared),
  createTikTok(shared),
  createLine(shared),
  createGoogleAds(shared),
  createGa4(shared),
  ...createYahoo(shared),
  createUniversalAnalytics(shared),
]

function metaOf({ clock, dataset }: Shared): Platform {
  const faults = createFaults()
  const meta = createMeta({ clock, dataset, faults })
  return {
    ...meta,
    name: 'meta',
    control: { ...armedBy('meta', faults, MetaFault), reset: meta.reset, limits: meta.limits },
  }
}
