import { armedBy, createFaults, MetaFault } from './control/faults.ts'
import { createDataManager } from './data-manager/service.ts'
import { createGa4 } from './ga4/service.ts'
import { createGoogleAds } from './google-ads/service.ts'
import { createLine } from './line/service.ts'
import { NOT_EMULATED } from './meta/audiences/errors.ts'
import { createMeta } from './meta/service.ts'
import { createTikTok } from './tiktok/service.ts'
import { createUniversalAnalytics } from './universal-analytics/service.ts'
import { createConsent } from './consent/consent.ts'
import type { Platform, PlatformContext } from './platform.ts'
import { createYahoo } from './yahoo/service.ts'

/** All platforms, in the order in which their paths are matched. */
export const createPlatforms = (shared: PlatformContext): Platform[] => [
  // Meta's page is below a version of its API.
  createConsent(shared),
  metaOf(shared),
  createTikTok(shared),
  createLine(shared),
  createGoogleAds(shared),
  createDataManager(shared),
  createGa4(shared),
  ...createYahoo(shared),
  createUniversalAnalytics(shared),
]

function metaOf({ clock, dataset, grants }: PlatformContext): Platform {
  const faults = createFaults()
  const meta = createMeta({ clock, dataset, faults, grants })
  return {
    ...meta,
    name: 'meta',
    control: {
      ...armedBy('meta', faults, MetaFault),
      reset: meta.reset,
      limits: meta.limits,
      terms: meta.terms,
      not_emulated: NOT_EMULATED,
    },
  }
}
