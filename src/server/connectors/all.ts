import type { Platform } from '#shared/platforms.ts'
import { sourceOf, type Source } from './connector.ts'
import { meta } from './meta/report.ts'
import { universalAnalytics } from './universal-analytics/report.ts'

/** Who answers for each platform, given a login as it is kept. Throws when the login is not whole. */
export const sources: Partial<Record<Platform, (login: unknown) => Source>> = {
  meta: login => sourceOf(meta, login),
  universal_analytics: login => sourceOf(universalAnalytics, login),
}
