import { createPrivateKey, randomBytes } from 'node:crypto'
import { readFileSync } from 'node:fs'
import { setTimeout as sleep } from 'node:timers/promises'
import type { Config } from './config.ts'
import type { Hosts } from './connectors/connector.ts'
import { createTokenCache } from './connectors/tokens.ts'
import type { OpenDatabase } from './db/connect.ts'
import { codeOf } from './db/problem.ts'
import type { Effects, SpreadsheetEffects } from './http/effects.ts'
import type { Route } from './http/route.ts'
import { createTokens } from './http/tokens.ts'
import { platformGate, sheetsGate } from './limits/gates.ts'
import type { Queue } from './queue/queue.ts'
import { adAccountsRoutes } from './resources/ad-accounts/routes.ts'
import { advertisersRoutes } from './resources/advertisers/routes.ts'
import { auditRoutes } from './resources/audit/routes.ts'
import { catalogueRoutes } from './resources/catalogue/routes.ts'
import { demoRoutes } from './resources/demo/routes.ts'
import { eventsRoutes } from './resources/events/routes.ts'
import { openRunEvents } from './resources/events/run-events.ts'
import { executionsRoutes } from './resources/executions/routes.ts'
import { createPlatformNames } from './resources/filter-values/ask.ts'
import { filterValuesRoutes } from './resources/filter-values/routes.ts'
import { foldersRoutes } from './resources/folders/routes.ts'
import { accountsRoutes } from './resources/people/accounts.ts'
import { peopleRoutes } from './resources/people/routes.ts'
import { filesRoutes } from './resources/reports/files.ts'
import { reportsRoutes } from './resources/reports/routes.ts'
import { sharingRoutes } from './resources/reports/sharing.ts'
import { platformEffects } from './resources/public-accounts/ask.ts'
import { publicAccountsRoutes } from './resources/public-accounts/routes.ts'
import { createSources, type Sources } from './resources/public-accounts/sources.ts'
import { runsRoutes } from './resources/runs/routes.ts'
import { signingKey } from './resources/session/queries.ts'
import { sessionRoutes } from './resources/session/routes.ts'
import { sheetsRoutes } from './resources/sheets/routes.ts'
import { spreadsheetsRoutes } from './resources/spreadsheets/routes.ts'
import { sheetsClient } from './sheets/client.ts'
import { checkPermission, listTabs, type PermissionEffects } from './sheets/permission.ts'
import { emailControls, findCode } from './sheets/proof.ts'
import { ServiceAccountKey } from './sheets/schema.ts'
import { StartProblem } from './start-problem.ts'
import type { Vault } from './vault.ts'
import { enqueueRuns, type WorkerEffects } from './worker.ts'

// Where all parts meet: nothing else of the server knows both what it needs and who gives it.

/** Every call of the API. */
export const routes: readonly Route[] = [
  ...sessionRoutes,
  ...peopleRoutes,
  ...accountsRoutes,
  ...foldersRoutes,
  ...filesRoutes,
  ...reportsRoutes,
  ...executionsRoutes,
  ...runsRoutes,
  ...eventsRoutes,
  ...sharingRoutes,
  ...spreadsheetsRoutes,
  ...catalogueRoutes,
  ...adAccountsRoutes,
  ...advertisersRoutes,
  ...publicAccountsRoutes,
  ...filterValuesRoutes,
  ...auditRoutes,
  ...sheetsRoutes,
  ...demoRoutes,
]

/** What workers do to the world: ask platforms, write spreadsheets, at the pace that all keep together. */
export function workerEffects(config: Config, { db }: OpenDatabase, sources: Sources): WorkerEffects {
  const pause = (ms: number) => sleep(ms)
  const sheets = spreadsheetService(config)
  return {
    sourceOf: account => sources.of(account),
    hosts: hostsOf(config),
    tokens: createTokenCache(() => new Date()),
    quota: platformGate(db, pause),
    fetch,
    sheets,
    sheets_quota: sheetsGate(db, sheets.system_user, pause),
  }
}

/** The logins of platforms: those that people keep in the product, and those of the environment. */
export const openSources = (config: Config, { db }: OpenDatabase, vault: Vault): Sources =>
  createSources(db, {
    vault,
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
  google_ads: config.google_ads_base_url,
  google_token: config.google_token_url,
  ga4_data: config.ga4_data_base_url,
  ga4_admin: config.ga4_admin_base_url,
  ua: config.ua_base_url,
  ua_management: config.ua_management_base_url,
  ly_search: config.ly_search_base_url,
  ly_display: config.ly_display_base_url,
  ly_token: config.ly_token_url,
  yahoo_dsp: config.yahoo_dsp_base_url,
  yahoo_dsp_reports: config.yahoo_dsp_report_base_url,
  yahoo_dsp_token: config.yahoo_dsp_token_base_url,
  tiktok: config.tiktok_base_url,
  line_ads: config.line_ads_base_url,
})

function spreadsheetService(config: Config) {
  const file = config.google_service_account_file
  if (file === null) throw new StartProblem('GOOGLE_SERVICE_ACCOUNT_FILE is missing')
  return sheetsClient({ ...config, key: readKey(file) })
}

/** Says which file and why; never what it holds. */
function readKey(file: string): ServiceAccountKey {
  const of_file = `GOOGLE_SERVICE_ACCOUNT_FILE: ${file}`
  let text: string
  try {
    text = readFileSync(file, 'utf8')
  } catch (error) {
    throw new StartProblem(`${of_file} cannot be read (${codeOf(error) ?? 'unknown'})`)
  }
  try {
    const key = ServiceAccountKey.parse(JSON.parse(text))
    createPrivateKey(key.private_key)
    return key
  } catch {
    throw new StartProblem(
      `${of_file} is not the key file of a service account: make one in the Google Cloud console as JSON, and do not change it`,
    )
  }
}

/** What the API does to the world, and the settings that it obeys. */
export async function apiEffects(
  { config, database, queue, vault }: { config: Config; database: OpenDatabase; queue: Queue; vault: Vault },
  worker: WorkerEffects,
  stopping: AbortSignal,
): Promise<Effects> {
  const { sheets, sheets_quota, sourceOf } = worker
  const asking = { client: sheets, quota: sheets_quota, sleep: (ms: number) => sleep(ms), signal: stopping }
  return {
    tokens: createTokens(await signingKey(database.db, randomBytes(32))),
    spreadsheets: spreadsheetEffects(asking),
    platforms: platformEffects(vault, worker),
    vault,
    platformNames: createPlatformNames({ sourceOf, platforms: worker }),
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

/** The spreadsheet service as the API asks it. */
export const spreadsheetEffects = (asking: PermissionEffects): SpreadsheetEffects => ({
  system_user: asking.client.system_user,
  async check(question) {
    const { result, title, sheet_id } = await checkPermission(question, asking)
    return { result, ...(title !== null && { title }), ...(sheet_id !== null && { sheet_id }) }
  },
  tabs: spreadsheet_id => listTabs(spreadsheet_id, asking),
  emailControls: (spreadsheet_id, email) => emailControls(spreadsheet_id, email, asking),
  findCode: (spreadsheet_id, code) => findCode(spreadsheet_id, code, asking),
})
