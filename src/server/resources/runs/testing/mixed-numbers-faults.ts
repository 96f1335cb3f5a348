import * as fc from 'fast-check'
import type { Provider } from '#shared/platforms.ts'
import type { MixedReport } from './mixed-numbers-oracle.ts'

/** Faults as the sandbox's control endpoint takes them. */
export type Fault = { platform: string; action: string; [fact: string]: unknown }

/**
 * A fault of the platform of one of the report's blocks; which fault depends on what the platform supports.
 */
export const drawnFault = fc.record({
  block: fc.nat(),
  action: fc.nat(),
  skip: fc.oneof({ weight: 2, arbitrary: fc.nat({ max: 2 }) }, { weight: 1, arbitrary: fc.nat({ max: 12 }) }),
  count: fc.option(fc.integer({ min: 1, max: 4 }), { nil: undefined, freq: 5 }),
})
export type DrawnFault = typeof drawnFault extends fc.Arbitrary<infer T> ? T : never

/** `explains`: the codes with which a block may permanently fail. */
interface Kind {
  action: string
  explains?: string[]
  [fact: string]: unknown
}

/** With all accounts lost the login has no access; platforms report either. */
const lost = ['credential_expired', 'account_access_lost']
const expired = { action: 'expired_token', explains: lost }
const revoked = { action: 'revoked', explains: lost }
const anywhere: Kind[] = [
  { action: 'latency', delay_ms: 30 },
  { action: 'cut' },
  { action: 'malformed' },
  { action: 'server_error', status: 500 },
  { action: 'server_error', status: 503 },
  { action: 'server_error', status: 504 },
  { action: 'rate_limit' },
]
const usual = [...anywhere, expired, revoked]
const pages: Kind[] = [{ action: 'repeat_page' }, { action: 'reorder' }]
const made: Kind[] = [
  { action: 'job_failed' },
  { action: 'job_slow', looks: 8 },
  { action: 'download_error' },
  { action: 'bom' },
]

const kinds = {
  meta: [...usual, ...pages, { action: 'async_failed' }, { action: 'async_skipped' }],
  google_ads: [
    ...usual,
    { action: 'stream_error' },
    { action: 'front_door', status: 401, explains: lost },
    { action: 'expired_page_token' },
    { action: 'rate_limit', code: 'RESOURCE_EXHAUSTED' },
    { action: 'rate_limit', retry_delay: '5s' },
  ],
  ly_search: [...usual, ...made],
  ly_display: [...usual, ...made, { action: 'job_canceled' }],
  yahoo_dsp: [...usual, ...made],
  tiktok: [
    ...usual,
    ...pages,
    { action: 'server_error' },
    { action: 'rate_limit', window: 'minute' },
    { action: 'rate_limit', window: 'day' },
    { action: 'async_failed' },
    { action: 'async_slow', looks: 8 },
    { action: 'partial' },
  ],
  line: [
    ...anywhere,
    revoked,
    { action: 'unauthorized', explains: lost },
    { action: 'locked' },
    { action: 'quota' },
    { action: 'report_failed' },
    { action: 'report_slow', looks: 8 },
    { action: 'old_labels' },
    { action: 'no_bom' },
  ],
  ua: [...usual, { action: 'shutdown', status: 410, explains: ['channel_retired'] }],
  ga4: [...usual, { action: 'truncated' }, { action: 'rate_limit', quota: 'concurrent' }],
} satisfies Record<string, Kind[]>

const platformOf: Partial<Record<Provider, keyof typeof kinds>> = {
  meta: 'meta',
  google_ads: 'google_ads',
  ly_search: 'ly_search',
  ly_display: 'ly_display',
  yahoo_dsp: 'yahoo_dsp',
  tiktok: 'tiktok',
  line: 'line',
  universal_analytics: 'ua',
  ga4: 'ga4',
}

export function faultOf({ block, action, skip, count }: DrawnFault, { blocks }: MixedReport): Fault {
  const providers = blocks.flatMap(({ accounts }) => accounts.map(({ provider }) => provider))
  const platform = platformOf[providers[block % providers.length] ?? 'meta'] ?? 'meta'
  const { explains: _, ...kind } = kindAt(platform, action)
  return { platform, skip, ...(count !== undefined && { count }), ...kind }
}

const kindAt = (platform: keyof typeof kinds, number: number): Kind => {
  const own: Kind[] = kinds[platform]
  return own[number % own.length] ?? { action: 'cut' }
}

/** The codes with which a block may permanently fail, when its accounts are of these providers. */
export function finalCodes(faults: readonly Fault[], providers: readonly Provider[]): string[] {
  const platforms = providers.map(provider => platformOf[provider])
  return faults
    .filter(({ platform }) => platforms.some(each => each === platform))
    .flatMap(({ platform, action }) => {
      const own: Kind[] = kinds[platform as keyof typeof kinds]
      return own.find(kind => kind.action === action)?.explains ?? []
    })
}

/** A day's quota is used up: longer than a run may wait. */
export const lastsForHours = ({ window, code }: Fault) => window === 'day' || code === 'RESOURCE_EXHAUSTED'
