import type { Platform } from './platforms.ts'

// Connecting at a platform: a person agrees there to what a login is used for, and is asked for the scopes of
// these services only.

export const services = ['reporting', 'audiences', 'businesses', 'spreadsheets'] as const
/** What a shared login may be used for. */
export type Service = (typeof services)[number]

/** How a login came here: a person agreed at the platform, or its keys were entered. */
export type LoginKind = 'oauth' | 'keys'

const google = (scope: string) => `https://www.googleapis.com/auth/${scope}`
/**
 * The platforms that a person can be sent to, and the scopes that a service needs there. TikTok is asked for
 * nothing by name: what its app may do is settled in TikTok's own portal, and its answer has numbers whose
 * meaning is documented nowhere.
 */
const scopes = {
  meta: { reporting: ['ads_read'], audiences: ['ads_management'], businesses: ['business_management'] },
  // One consent is for Google Ads and Analytics alike.
  google: {
    reporting: [google('adwords'), google('analytics.readonly')],
    audiences: [google('datamanager')],
    spreadsheets: [google('spreadsheets'), google('drive.metadata.readonly')],
  },
  ly_ads: { reporting: ['yahooads'] },
  tiktok: { reporting: [], audiences: [] },
} as const satisfies Partial<Record<Platform, Partial<Record<Service, readonly string[]>>>>

export type ConnectablePlatform = keyof typeof scopes

/** Elsewhere keys are entered by hand: LINE and Yahoo DSP have no consent. */
export const isConnectable = (platform: Platform): platform is ConnectablePlatform =>
  Object.hasOwn(scopes, platform)

/** The services that a login of the platform can have, in their order. */
export const servicesOf = (platform: ConnectablePlatform): Service[] =>
  services.filter(service => Object.hasOwn(scopes[platform], service))

/** The scopes of some services, each once; a service that the platform does not have needs none. */
export function scopesOf(platform: ConnectablePlatform, chosen: readonly Service[]): string[] {
  const ofPlatform: Partial<Record<Service, readonly string[]>> = scopes[platform]
  return [...new Set(chosen.flatMap(service => ofPlatform[service] ?? []))]
}

/** What a service lacks; nothing where the platform does not tell what was granted. */
export const missingScopes = (
  platform: ConnectablePlatform,
  service: Service,
  granted: readonly string[] | null,
): string[] =>
  granted === null ? [] : scopesOf(platform, [service]).filter(scope => !granted.includes(scope))

/**
 * Whether a login can serve something with what was granted. Reports are of several products at Google: one
 * of them is enough.
 */
export function canServe(
  platform: ConnectablePlatform,
  service: Service,
  granted: readonly string[] | null,
): boolean {
  const missing = missingScopes(platform, service, granted)
  return (
    missing.length === 0 || (service === 'reporting' && missing.length < scopesOf(platform, [service]).length)
  )
}
