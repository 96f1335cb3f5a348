import { randomBytes } from 'node:crypto'
import { setTimeout as sleep } from 'node:timers/promises'
import type { FastifyRequest } from 'fastify'
import type { Logger } from 'pino'
import { quotasOf, sharesOneAddress, type Config } from './config.ts'
import { visibleDemoPassword } from './demo/demo-people.ts'
import type { Db, OpenDatabase } from './db/connect.ts'
import { openFiles } from './files/open-files.ts'
import { refreshCookie } from './http/cookies.ts'
import type { Effects } from './http/effects.ts'
import { followLink } from './link-check/follow-link.ts'
import { followNetwork } from './link-check/network.ts'
import type { Route } from './http/route.ts'
import { refuse } from './http/refusal.ts'
import { BURST_MINUTES, createRequestLimits, queueLimits } from './http/request-limits.ts'
import { createTokens } from './http/tokens.ts'
import { createPdfRenderer } from './pdf/renderer.ts'
import type { WorkerEffects } from './workers/executor.ts'
import { createAccountCheck } from './resources/ad-accounts/check-account.ts'
import { adAccountsRoutes } from './resources/ad-accounts/routes.ts'
import { advertisersRoutes } from './resources/advertisers/routes.ts'
import { agentsRoutes } from './resources/agents/routes.ts'
import { createAccessCheck } from './resources/audiences/check-access.ts'
import { createGa4Audiences } from './resources/audiences/ga4-audiences.ts'
import { audiencesRoutes } from './resources/audiences/routes.ts'
import { shareRoutes } from './resources/audiences/share-routes.ts'
import { writeExport } from './resources/audit/queries.ts'
import { auditRoutes } from './resources/audit/routes.ts'
import { createBusinessUsers, sourceOfLogin } from './resources/businesses/account-users.ts'
import { businessesRoutes } from './resources/businesses/routes.ts'
import { bulkOperationsRoutes } from './resources/bulk-operations/routes.ts'
import { catalogueRoutes } from './resources/catalogue/routes.ts'
import { mailboxRoutes } from './resources/demo/mailbox-routes.ts'
import { demoRoutes } from './resources/demo/routes.ts'
import { eventsRoutes } from './resources/events/routes.ts'
import { openLiveEvents } from './resources/events/live-events.ts'
import { restoreRoutes } from './resources/executions/restore-routes.ts'
import { executionsRoutes } from './resources/executions/routes.ts'
import { createPlatformNames } from './resources/filter-values/platform-names.ts'
import { materialFilesRoutes } from './resources/files/routes.ts'
import { filterValuesRoutes } from './resources/filter-values/routes.ts'
import { foldersRoutes } from './resources/folders/routes.ts'
import { imagesRoutes } from './resources/images/routes.ts'
import { industriesRoutes } from './resources/industries/routes.ts'
import { createAccountActions } from './resources/insight-settings/account-actions.ts'
import { insightSettingsRoutes } from './resources/insight-settings/routes.ts'
import { issuerRoutes } from './resources/issuer/routes.ts'
import { instructionsRoutes } from './resources/instructions/routes.ts'
import { linksRoutes } from './resources/links/routes.ts'
import { notificationsRoutes } from './resources/notifications/routes.ts'
import { overviewGroupRoutes } from './resources/overview/groups-routes.ts'
import { overviewOrderRoutes } from './resources/overview/orders-routes.ts'
import { overviewRoutes } from './resources/overview/routes.ts'
import { accountsRoutes } from './resources/people/account-routes.ts'
import { operationsRoutes } from './resources/operations/routes.ts'
import { targetAudiencesRoutes } from './resources/target-audiences/routes.ts'
import { targetsRoutes } from './resources/targets/routes.ts'
import { createPreviews } from './resources/preview/create-previews.ts'
import { previewRoutes } from './resources/preview/routes.ts'
import { tryRoutes } from './resources/preview/try-routes.ts'
import { transfersRoutes } from './resources/transfers/routes.ts'
import { peopleRoutes } from './resources/people/routes.ts'
import { publishersRoutes } from './resources/publishers/routes.ts'
import { bulkRoutes } from './resources/reports/bulk-routes.ts'
import { filesRoutes } from './resources/reports/file-routes.ts'
import { openReportFileReader } from './resources/reports/report-file-reader.ts'
import { deleteReports, restoreReportsIn } from './resources/reports/queries.ts'
import { listRoutes } from './resources/reports/list-routes.ts'
import { recheckShares } from './resources/reports/foreign-shares.ts'
import { reportsRoutes } from './resources/reports/routes.ts'
import { sharingRoutes } from './resources/reports/sharing-routes.ts'
import { versionRoutes } from './resources/reports/version-routes.ts'
import { connectionEffects } from './resources/public-accounts/connect-effects.ts'
import { platformEffects } from './resources/public-accounts/platform-effects.ts'
import { publicAccountsRoutes } from './resources/public-accounts/routes.ts'
import { changesRoutes } from './resources/runs/changes/routes.ts'
import { runsRoutes } from './resources/runs/routes.ts'
import { whyNotSecondFactor } from './resources/second-factor/check-code.ts'
import { scheduleLoadRoutes } from './resources/schedule-load/routes.ts'
import { secondFactorRoutes } from './resources/second-factor/routes.ts'
import { paymentDocumentRoutes } from './resources/payments/document-routes.ts'
import { receiptRoutes } from './resources/payments/receipt-routes.ts'
import { paymentsRoutes } from './resources/payments/routes.ts'
import { actionRoutes } from './resources/quotations/action-routes.ts'
import { deliveryRoutes } from './resources/quotations/delivery-routes.ts'
import { fileRoutes } from './resources/quotations/file-routes.ts'
import { orderPaymentRoutes } from './resources/quotations/payment-routes.ts'
import { quotationsRoutes } from './resources/quotations/routes.ts'
import { createHashing } from './resources/session/hashing.ts'
import { isRenewable, signingKey } from './resources/session/queries.ts'
import { sessionRoutes } from './resources/session/routes.ts'
import { ecSpendRoutes } from './resources/ec-spend/routes.ts'
import { spendRoutes } from './resources/spend/routes.ts'
import { searchRoutes } from './resources/search/routes.ts'
import { supportRoutes } from './resources/support/routes.ts'
import { sitesRoutes } from './resources/sites/routes.ts'
import { sheetsRoutes } from './resources/sheets/routes.ts'
import { spreadsheetEffects } from './resources/spreadsheets/effects.ts'
import { spreadsheetsRoutes } from './resources/spreadsheets/routes.ts'
import type { Vault } from './vault.ts'

// Where all parts are wired: nothing else in the server knows both a dependency and its provider. What a
// resource triggers in one of a higher layer is passed to it here as an argument.

/** Every route of the API. */
export const routes: readonly Route[] = [
  ...sessionRoutes(whyNotSecondFactor),
  ...secondFactorRoutes,
  ...peopleRoutes,
  ...accountsRoutes(recheckShares),
  ...transfersRoutes,
  ...foldersRoutes({ deleteReports, restoreReportsIn }),
  ...filesRoutes,
  ...previewRoutes,
  ...tryRoutes,
  ...reportsRoutes,
  ...listRoutes,
  ...executionsRoutes,
  ...runsRoutes,
  ...restoreRoutes,
  ...changesRoutes,
  ...eventsRoutes,
  ...notificationsRoutes,
  ...sharingRoutes,
  ...versionRoutes,
  ...bulkRoutes,
  ...bulkOperationsRoutes,
  ...scheduleLoadRoutes,
  ...spreadsheetsRoutes,
  ...targetsRoutes,
  ...catalogueRoutes,
  ...adAccountsRoutes,
  ...linksRoutes,
  ...advertisersRoutes(recheckShares),
  ...industriesRoutes,
  ...agentsRoutes,
  ...issuerRoutes,
  ...insightSettingsRoutes,
  ...shareRoutes,
  ...audiencesRoutes,
  ...targetAudiencesRoutes,
  ...sitesRoutes,
  ...publishersRoutes,
  ...businessesRoutes(recheckShares),
  ...imagesRoutes,
  ...materialFilesRoutes,
  ...publicAccountsRoutes,
  ...instructionsRoutes,
  ...filterValuesRoutes,
  ...spendRoutes,
  ...ecSpendRoutes,
  ...overviewRoutes,
  ...overviewGroupRoutes,
  ...overviewOrderRoutes,
  ...searchRoutes,
  ...supportRoutes,
  ...quotationsRoutes,
  ...actionRoutes,
  ...fileRoutes,
  ...deliveryRoutes,
  ...orderPaymentRoutes,
  ...paymentsRoutes,
  ...receiptRoutes,
  ...paymentDocumentRoutes,
  ...auditRoutes,
  ...operationsRoutes,
  ...sheetsRoutes,
  ...demoRoutes,
  ...mailboxRoutes,
]

/** The effects of the API outside its database, and its settings. */
export async function apiEffects(
  { config, database, vault, log }: { config: Config; database: OpenDatabase; vault: Vault; log: Logger },
  worker: WorkerEffects,
  stopping: AbortSignal,
): Promise<Effects> {
  const { system_users, sourceOf } = worker
  const network = followNetwork(stopping)
  return {
    tokens: createTokens(await signingKey(database.db, randomBytes(32))),
    hashing: createHashing(),
    spreadsheets: spreadsheetEffects({ system_users, sleep: ms => sleep(ms), signal: stopping }),
    platforms: platformEffects(vault, worker),
    businessUsers: createBusinessUsers({ sourceOf: sourceOfLogin(worker), platforms: worker }),
    connections: connectionEffects(worker),
    followLink: config.link_checks ? link => followLink(link, network) : null,
    checkAccount: createAccountCheck({ sourceOf, platforms: worker }),
    accountActions: createAccountActions({ sourceOf, platforms: worker }),
    audiences: {
      access: createAccessCheck({
        audiencesOf: worker.audiences?.audiencesOf ?? (async () => null),
        platforms: worker,
      }),
      ga4Audiences: createGa4Audiences({
        sourceOf,
        platforms: worker,
        now: () => performance.now(),
      }),
    },
    preview: createPreviews(worker, { stopping }),
    readReportFiles: openReportFileReader({ stopping }),
    pdf: createPdfRenderer({ stopping, busy: () => refuse('overloaded', { retry_after_s: 2 }) }),
    files: openFiles(config, { vault, log, stopping }),
    vault,
    platformNames: createPlatformNames({ sourceOf, platforms: worker }),
    noteExport: writeExport,
    liveEvents: await openLiveEvents(database.db, database.listen),
    requestLimits: createRequestLimits({ queues: queueLimits, writes: writesOf(config) }),
    stopping,
    settings: {
      public_url: config.public_url,
      session_days: config.session_days,
      shares_one_address: sharesOneAddress(config),
      time_zone: config.app_time_zone,
      currency: config.app_currency,
      report_channel_limit: config.report_channel_limit,
      history_days: config.history_days,
      spreadsheet_origins: [config.google_sheets_base_url, config.public_url],
      ...(hasBuiltInSheets(config) && {
        built_in_sheets: { sheets: config.google_sheets_base_url, drive: config.google_drive_base_url },
      }),
      quotas: quotasOf(config),
      metrics_token: config.metrics_token,
      second_factor_roles: config.second_factor_roles,
      mailbox_url: config.mailbox_url,
      demo_password: visibleDemoPassword(config),
    },
  }
}

/**
 * An access token to read what a page shows to somebody whose own has expired and could be renewed; null when
 * it could not. It never leaves this process: the browser renews its own when it needs one.
 */
export const pageAccess =
  (db: Db, { tokens, settings }: Pick<Effects, 'tokens' | 'settings'>, clock: () => Date) =>
  async (request: FastifyRequest): Promise<string | null> => {
    const now = clock()
    const claims = await tokens.readRefresh(refreshCookie(request, settings) ?? '', now)
    const isOpen = claims !== null && (await isRenewable(db, claims, { now, ...settings }))
    return isOpen ? await tokens.signAccess(claims, now) : null
  }

const writesOf = ({ writes_per_minute }: Config) => ({
  per_minute: writes_per_minute,
  burst: BURST_MINUTES * writes_per_minute,
})

/** The sandbox's spreadsheets are the product's own, unless the configuration names another service. */
const hasBuiltInSheets = ({ sandbox, defaulted_base_urls }: Config) =>
  sandbox &&
  defaulted_base_urls.includes('google_sheets_base_url') &&
  defaulted_base_urls.includes('google_drive_base_url')
