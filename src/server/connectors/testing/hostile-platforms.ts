import { sourceOf, type AccountRef, type ReportRequest, type Source } from '#server/connectors/connector.ts'
import { ga4 } from '#server/connectors/ga4/report.ts'
import { googleAds } from '#server/connectors/google-ads/report.ts'
import { line } from '#server/connectors/line/report.ts'
import { meta } from '#server/connectors/meta/report.ts'
import { tiktok } from '#server/connectors/tiktok/report.ts'
import { universalAnalytics } from '#server/connectors/universal-analytics/report.ts'
import { lyAds, yahooDsp } from '#server/connectors/yahoo/report.ts'

/** What is read of a platform, and which changes of its responses cannot be detected. */
export interface PlatformCase {
  source: Source
  account: AccountRef
  report: Pick<ReportRequest, 'channel' | 'dimensions' | 'metrics'>
  range: ReportRequest['range']
  /** Sizes of the sandbox, so that responses take several pages. */
  limits: object
  secrets: string[]
  plausible: Plausible[]
  /** Left out: the report, its accounts, and one of them. */
  reads?: ('report' | 'accounts' | 'account')[]
}

/**
 * Changes of the values at these paths that are as good as the truth; in responses to some requests only.
 */
export type Plausible = readonly [place: RegExp, kinds: RegExp, of?: RegExp]

/** Another text is as good as the one that was there. */
const TEXT = /^(empty|abc|huge text|dash|negative text|many digits|constructor|__proto__|line break|long)$/
const OTHER_NUMBER = /^(negative|negative text|fraction|beyond 2\^53)$/
const ABSENT = /^(null|missing|empty|dash)$/
/** Nothing says how long a list is. */
const SHORTER =
  /^(missing|instead of a list or object, (null|\[\]|\{\})|an item (dropped|first and last only|twice|twice at the end|reversed))$/
/** A response of a list that holds nothing is an empty list. */
const NOTHING = /^(JSON|200) /

const google = {
  client_id: '100000000000-sandbox.apps.googleusercontent.com',
  client_secret: 'GOCSPX-sandbox-client-secret',
  refresh_token: 'sandbox-admin',
}
const googleSecrets = [google.client_secret, google.refresh_token]
const tiktokLogin = {
  access_token: 'sandbox-admin',
  app_id: '7300000000000000001',
  app_secret: 'sandbox-app-secret',
}
const tiktokSource = sourceOf(tiktok, tiktokLogin)
const tiktokSecrets = [tiktokLogin.access_token, tiktokLogin.app_secret]

const account = (
  provider: AccountRef['provider'],
  external_id: string,
  place: Partial<Pick<AccountRef, 'via' | 'currency' | 'timezone'>> = {},
): AccountRef => ({ provider, external_id, currency: 'TWD', timezone: 'Asia/Taipei', via: null, ...place })

const threeDays = { start: '2026-10-01', end: '2026-10-03' }

export const platforms: Record<string, PlatformCase> = {
  Meta: {
    source: sourceOf(meta, { access_token: 'sandbox-admin', app_secret: 'sandbox-app-secret' }),
    account: account('meta', '10150357160960121'),
    report: {
      channel: 'fb',
      dimensions: ['campaign'],
      metrics: ['impressions', 'cost', 'conversions', 'reach'],
    },
    range: threeDays,
    limits: {},
    secrets: ['sandbox-admin', 'sandbox-app-secret'],
    plausible: [
      [/(^|\.)(name|campaign_name)$/, TEXT],
      [/\.(spend|impressions|reach|value)$/, OTHER_NUMBER],
      // What is zero is left out.
      [/(\.(spend|impressions|reach|actions)|business)$/, /^missing$/],
      [/\.actions$/, SHORTER],
      [/\.action_type$/, TEXT],
      [/^data$/, SHORTER],
      [/(account_status|account_id|name)$/, OTHER_NUMBER],
    ],
  },
  'Meta, in jobs': {
    source: sourceOf(meta, { access_token: 'sandbox-admin', app_secret: 'sandbox-app-secret' }),
    account: account('meta', '10150357160960121'),
    report: { channel: 'fb', dimensions: ['device_type'], metrics: ['impressions', 'cost'] },
    range: { start: '2026-09-01', end: '2026-10-01' },
    limits: {},
    secrets: ['sandbox-admin', 'sandbox-app-secret'],
    plausible: [
      [/\.(spend|impressions)$/, OTHER_NUMBER],
      [/\.(spend|impressions)$/, /^missing$/],
      [/^data$/, SHORTER],
      [/\.impression_device|\.device_platform$|_platform$|device$/, TEXT],
    ],
    reads: ['report'],
  },
  'Google Ads': {
    source: sourceOf(googleAds, google),
    account: account('google_ads', '4203141501', { via: '1110000001' }),
    report: {
      channel: 'aw',
      dimensions: ['campaign'],
      metrics: ['impressions', 'cost', 'conversions', 'search_impression_share'],
    },
    range: threeDays,
    limits: { google_ads_page_size: 5 },
    secrets: googleSecrets,
    plausible: [
      [/(name|descriptiveName)$/, TEXT],
      [/\.metrics\./, OTHER_NUMBER],
      // A field that has its default is left out, and so is an empty list.
      [
        /(name|descriptiveName|manager|level|\.metrics(\.\w+)?)$/,
        /^(null|missing|instead of a list or object, (null|\{\}))$/,
      ],
      [/^nextPageToken$/, /^(empty|missing)$/],
      [/^(results|resourceNames)$/, SHORTER],
      [/(campaign\.id|customerClient\.(status|level)|customer\.status)$/, TEXT],
      [/manager$/, /^true$/],
      [/^$/, NOTHING, /listAccessibleCustomers/],
      // A grant may outlive what it is for.
      [/^$/, /^403 .*(Google|Meta)$/, /customers\/\d+/],
    ],
  },
  GA4: {
    source: sourceOf(ga4, google),
    account: account('ga4', '384626431'),
    report: { channel: 'ga4', dimensions: ['campaign', 'device_type'], metrics: ['sessions', 'revenue'] },
    range: threeDays,
    limits: {
      ga4_page_rows: 20,
      ga4_quota: {
        serverErrorsPerProjectPerHour: 1e9,
        tokensPerProjectPerHour: 1e9,
        tokensPerHour: 1e9,
        tokensPerDay: 1e9,
      },
    },
    secrets: googleSecrets,
    plausible: [
      [/(dimensionValues\.\d+\.value|displayName)$/, TEXT],
      [/metricValues\.\d+\.value$/, OTHER_NUMBER],
      [/displayName$/, /^missing$/],
      // Values that have changed places are values.
      [/(metricHeaders|metricValues|dimensionValues)$/, /^an item (reversed|twice)$/],
      [/^accountSummaries$|propertySummaries$/, SHORTER],
      [/^$/, NOTHING, /accountSummaries/],
    ],
  },
  TikTok: {
    source: tiktokSource,
    account: account('tiktok', '7012345678901230032'),
    report: { channel: 'tt', dimensions: ['campaign'], metrics: ['impressions', 'cost', 'conversions'] },
    range: threeDays,
    limits: {},
    secrets: tiktokSecrets,
    plausible: [
      [/(name|company|status|campaign_id)$/, TEXT],
      [/\.metrics\./, OTHER_NUMBER],
      // TikTok says nothing.
      [/(\.metrics\.\w+|company|display_timezone)$/, ABSENT],
      // Which advertisers are left out is its own affair.
      [/^data\.list$/, SHORTER],
    ],
  },
  'TikTok, in tasks': {
    source: tiktokSource,
    account: account('tiktok', '7012345678901230161', { currency: 'USD', timezone: 'America/Los_Angeles' }),
    report: { channel: 'tt', dimensions: ['ad'], metrics: ['impressions', 'cost', 'conversions'] },
    range: { start: '2026-10-01', end: '2026-10-01' },
    limits: {},
    secrets: tiktokSecrets,
    plausible: [
      // Such a file has neither a count nor an end.
      [/^\d*$/, /^(a header alone|a row dropped|the last row dropped|silently cut)$/],
      // A name, an id, or nothing said.
      [/^[0-9]$/, /^a cell /],
    ],
    reads: ['report'],
  },
  LINE: {
    source: sourceOf(line, {
      access_key: 'sandbox-admin',
      secret_key: 'sandbox-admin',
      group_ids: 'G10000000001, G10000000003',
    }),
    account: account('line', 'A37000000037', { via: 'G10000000001' }),
    report: {
      channel: 'ln',
      dimensions: ['campaign'],
      metrics: ['impressions', 'cost', 'clicks', 'conversions'],
    },
    range: threeDays,
    limits: {},
    secrets: ['sandbox-admin'],
    plausible: [
      [/(\.id|name|configuredStatus|timezone)$/, TEXT],
      [/(timezone|lineAccount(\.name)?)$/, /^(null|missing|instead of a list or object, (null|\{\}))$/],
      // Such a file has neither a count nor an end, and rows about the same are added up.
      [
        /^\d*$/,
        /^(a header alone|a row dropped|the last row dropped|silently cut|an empty line|a row twice|a row twice at the end)$/,
      ],
      [/^\d+$/, /^a cell /],
      [/^\d+/, /^(a renamed column|a column named like another)$/],
    ],
  },
  'Universal Analytics': {
    source: sourceOf(universalAnalytics, google),
    account: account('universal_analytics', '92653581'),
    report: { channel: 'ga', dimensions: ['campaign', 'source'], metrics: ['sessions', 'revenue'] },
    range: { start: '2023-05-01', end: '2023-05-03' },
    limits: { ua_quota: { per_user: 1e9, per_view: 1e9 } },
    secrets: googleSecrets,
    plausible: [
      [/(dimensions\.\d+|name|\.id|Id|effective\.\d+)$/, TEXT],
      [/values\.\d+$/, OTHER_NUMBER],
      [/\.values$/, /^an item reversed$/],
      [/(effective|webProperties)$/, SHORTER],
      [/data$/, /^instead of a list or object, \{\}$/],
    ],
  },
  'LY search ads': {
    source: sourceOf(lyAds, {
      client_id: 'any',
      client_secret: 'sandbox-admin',
      refresh_token: 'sandbox-admin',
    }),
    account: account('ly_search', '1001926', { via: '1000100', currency: 'JPY', timezone: 'Asia/Tokyo' }),
    report: { channel: 'yg', dimensions: ['campaign'], metrics: ['impressions', 'cost', 'conversions'] },
    range: threeDays,
    limits: {},
    secrets: ['sandbox-admin'],
    plausible: [
      [/(accountName|accountStatus|isMccAccount|accountId)$/, TEXT],
      [/(accountName|accountStatus|isMccAccount|accountId)$/, /^(null|missing|beyond 2\^53)$/],
      [/^\d*$/, /^a header alone$/],
      [/^\d+$/, /^a cell /],
    ],
  },
  'Yahoo DSP': {
    source: sourceOf(yahooDsp, { client_id: 'any', client_secret: 'sandbox-admin' }),
    account: account('yahoo_dsp', '330030'),
    report: { channel: 'yg', dimensions: ['campaign'], metrics: ['impressions', 'cost', 'conversions'] },
    range: threeDays,
    limits: {},
    secrets: ['sandbox-admin'],
    plausible: [
      [/(name|status)$/, TEXT],
      [/^response$/, SHORTER],
      [/^\d+$/, /^(a cell |silently cut$)/],
    ],
  },
}
