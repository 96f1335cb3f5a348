import type { ConnectablePlatform } from '#shared/connect.ts'
import type { Platform } from '#shared/platforms.ts'
import { audienceSourceOf, type AudienceSource } from './audience.ts'
import { sourceOf, type Source } from './connector.ts'
import { ga4 } from './ga4/report.ts'
import { googleAdsAudiences } from './google-ads/audiences.ts'
import { googleAds } from './google-ads/report.ts'
import { googleSource } from './google-source.ts'
import { googleConnect } from './kit/google-connect.ts'
import { lineAudiences } from './line/audiences.ts'
import { line } from './line/report.ts'
import { metaAudiences } from './meta/audiences.ts'
import { metaConnect } from './meta/connect.ts'
import { meta } from './meta/report.ts'
import type { OAuthConnector } from './oauth.ts'
import { tiktokAudiences } from './tiktok/audiences.ts'
import { tiktokConnect } from './tiktok/connect.ts'
import { tiktok } from './tiktok/report.ts'
import { universalAnalytics } from './universal-analytics/report.ts'
import { lyConnect } from './yahoo/ly/connect.ts'
import { lyAds, yahooDsp } from './yahoo/report.ts'

/**
 * The source of each platform, for a login as it is stored. Throws when the login is incomplete. For a new
 * platform copy `meta`: ARCHITECTURE.md, "A new channel".
 */
export const sources: Record<Platform, (login: unknown) => Source> = {
  meta: login => sourceOf(meta, login),
  google: googleSource,
  google_ads: login => sourceOf(googleAds, login),
  ly_ads: login => sourceOf(lyAds, login),
  yahoo_dsp: login => sourceOf(yahooDsp, login),
  tiktok: login => sourceOf(tiktok, login),
  line: login => sourceOf(line, login),
  universal_analytics: login => sourceOf(universalAnalytics, login),
  ga4: login => sourceOf(ga4, login),
}

/** How a person connects at each platform that has a page for it. */
export const oauthConnectors: Record<ConnectablePlatform, OAuthConnector> = {
  meta: metaConnect,
  google: googleConnect,
  ly_ads: lyConnect,
  tiktok: tiktokConnect,
}

/** Settings of the agency that audiences depend on. */
export interface AudienceSettings {
  /** In which form phones go to LINE; null: they do not. */
  line_phone_form: 'digits' | 'e164' | null
}

/** Where audiences can be made from lists of customers, with a login as it is stored. */
export const audienceSources: Partial<
  Record<Platform, (login: unknown, settings: AudienceSettings) => AudienceSource>
> = {
  meta: login => audienceSourceOf(metaAudiences, login),
  google_ads: login => audienceSourceOf(googleAdsAudiences, login),
  tiktok: login => audienceSourceOf(tiktokAudiences, login),
  line: (login, { line_phone_form }) => audienceSourceOf(lineAudiences(line_phone_form), login),
}
