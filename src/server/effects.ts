import { randomBytes } from 'node:crypto'
import { readFileSync } from 'node:fs'
import { setTimeout as sleep } from 'node:timers/promises'
import { spreadsheetEffects } from './app.ts'
import type { Config } from './config.ts'
import { connectors } from './connectors/all.ts'
import type { OpenDatabase } from './db/connect.ts'
import type { Effects } from './http/effects.ts'
import { createTokens } from './http/tokens.ts'
import { platformGate, sheetsGate } from './limits/gates.ts'
import type { Queue } from './queue/queue.ts'
import { openRunEvents } from './resources/events/run-events.ts'
import { signingKey } from './resources/session/queries.ts'
import { sheetsClient } from './sheets/client.ts'
import { ServiceAccountKey } from './sheets/schema.ts'
import { enqueueRuns, type WorkerEffects } from './worker.ts'

/** What workers do to the world: ask platforms, write spreadsheets, at the pace that all keep together. */
export function workerEffects(config: Config, { db }: OpenDatabase): WorkerEffects {
  const pause = (ms: number) => sleep(ms)
  const sheets = spreadsheetService(config)
  return {
    connectors,
    connectionOf: () =>
      config.meta_access_token === null
        ? null
        : {
            base_url: config.meta_base_url,
            credential: {
              access_token: config.meta_access_token,
              app_secret: config.meta_app_secret,
              api_version: config.meta_api_version,
            },
          },
    quota: platformGate(db, pause),
    fetch,
    sheets,
    sheets_quota: sheetsGate(db, sheets.system_user, pause),
  }
}

function spreadsheetService(config: Config) {
  const file = config.google_service_account_file
  if (file === null) throw new Error('GOOGLE_SERVICE_ACCOUNT_FILE is missing')
  const key = ServiceAccountKey.safeParse(JSON.parse(readFileSync(file, 'utf8')))
  if (!key.success) throw new Error(`${file} is not the key file of a service account`)
  return sheetsClient({ ...config, key: key.data })
}

/** What the API does to the world, and the settings that it obeys. */
export async function apiEffects(
  { config, database, queue }: { config: Config; database: OpenDatabase; queue: Queue },
  { sheets, sheets_quota }: WorkerEffects,
  stopping: AbortSignal,
): Promise<Effects> {
  const asking = { client: sheets, quota: sheets_quota, sleep: (ms: number) => sleep(ms), signal: stopping }
  return {
    tokens: createTokens(await signingKey(database.db, randomBytes(32))),
    spreadsheets: spreadsheetEffects(asking),
    enqueueRuns: (trx, run_ids) => enqueueRuns(queue, trx, run_ids, { urgent: true }),
    runEvents: await openRunEvents(database.db, database.listen),
    stopping,
    settings: {
      public_url: config.public_url,
      time_zone: config.app_time_zone,
      report_channel_limit: config.report_channel_limit,
      history_days: config.history_days,
      spreadsheet_origins: [config.google_sheets_base_url, config.public_url],
      ...(hasBuiltInSheets(config) && {
        built_in_sheets: { sheets: config.google_sheets_base_url, drive: config.google_drive_base_url },
      }),
      metrics_token: config.metrics_token,
      demo_password: config.sandbox ? config.demo_password : null,
    },
  }
}

/** The sandbox's spreadsheets are the product's own, unless somebody has pointed it at others. */
const hasBuiltInSheets = ({ sandbox, defaulted_base_urls }: Config) =>
  sandbox &&
  defaulted_base_urls.includes('google_sheets_base_url') &&
  defaulted_base_urls.includes('google_drive_base_url')
