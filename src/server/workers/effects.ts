import { setTimeout as sleep } from 'node:timers/promises'
import type { Logger } from 'pino'
import type { Config } from '#server/config.ts'
import type { Hosts } from '#server/connectors/connector.ts'
import { createTokenCache } from '#server/connectors/kit/tokens.ts'
import type { OpenDatabase } from '#server/db/connect.ts'
import { openSharedFetches } from '#server/fetches/share-fetches.ts'
import type { WorkerEffects } from './executor.ts'
import { platformLimiter } from '#server/admission/platform-limiter.ts'
import { openChunk } from '#server/resources/audiences/chunk.ts'
import { openErasure } from '#server/resources/audiences/erase.ts'
import { createSources, type Sources } from '#server/resources/public-accounts/sources.ts'
import { openConnectedUsers, type ConnectedUsers } from '#server/connected-users.ts'
import { liveList } from '#server/live-list.ts'
import { openSystemUsers } from '#server/system-users.ts'
import type { Vault } from '#server/vault.ts'

/** The effects of workers: platforms and spreadsheets, through the limiters that all workers share. */
export function workerEffects(
  config: Config,
  { db, now }: Pick<OpenDatabase, 'db' | 'now'>,
  { sources, vault, log }: { sources: Sources; vault: Vault; log: Pick<Logger, 'warn'> },
): WorkerEffects & { connected: ConnectedUsers } {
  const pause = (ms: number) => sleep(ms)
  const limiter = platformLimiter(db, pause)
  const accounts = openSystemUsers(config, { db, now }, pause)
  const connected = openConnectedUsers(config, { db, now, vault }, pause)
  return {
    sourceOf: account => sources.of(account),
    audiences: {
      audiencesOf: account => sources.audiencesOf(account),
      openChunk: chunk => openChunk(vault, chunk),
      openErasure: erasure => openErasure(vault, erasure),
    },
    ...(config.source_cache_mb > 0 && {
      fetches: openSharedFetches(db, {
        vault,
        most_bytes: config.source_cache_mb * 1024 * 1024,
        onError: error => log.warn({ err: error }, 'shared responses unavailable'),
      }),
    }),
    public_url: config.public_url,
    hosts: hostsOf(config),
    now,
    tokens: createTokenCache(now),
    limiter,
    limiterFor: limiter.forRun,
    limiterForBackground: limiter.forBackground,
    fetch,
    system_users: liveList(() => [...accounts, ...connected.current()]),
    connected,
  }
}

/**
 * The credentials of platforms: those that people have entered in the product, and those of the environment.
 */
export const openSources = (config: Config, { db }: OpenDatabase, vault: Vault): Sources =>
  createSources(db, {
    vault,
    audiences: config,
    environment: {
      ...(config.meta_access_token !== null && {
        meta: {
          access_token: config.meta_access_token,
          ...(config.meta_app_secret !== null && { app_secret: config.meta_app_secret }),
        },
      }),
    },
  })

const hostsOf = (config: Config): Hosts => ({
  meta: `${config.meta_base_url}/${config.meta_api_version}`,
  meta_dialog: `${config.meta_dialog_base_url}/${config.meta_api_version}`,
  meta_business: config.meta_business_base_url,
  google_ads: config.google_ads_base_url,
  google_data_manager: config.google_data_manager_base_url,
  google_token: config.google_token_url,
  google_consent: config.google_consent_url,
  ga4_data: config.ga4_data_base_url,
  ga4_admin: config.ga4_admin_base_url,
  ua: config.ua_base_url,
  ua_management: config.ua_management_base_url,
  ly_search: config.ly_search_base_url,
  ly_display: config.ly_display_base_url,
  ly_token: config.ly_token_url,
  ly_consent: config.ly_consent_url,
  yahoo_dsp: config.yahoo_dsp_base_url,
  yahoo_dsp_reports: config.yahoo_dsp_report_base_url,
  yahoo_dsp_token: config.yahoo_dsp_token_base_url,
  tiktok: config.tiktok_base_url,
  line_ads: config.line_ads_base_url,
})
