import { randomUUID } from 'node:crypto'
import { describe, expect, it } from 'vitest'
import type { IdentityName } from '#shared/access.ts'
import { routes } from '#server/app.ts'
import { expectAlike, outcomeOf } from './testing/answers.ts'
import { testApi, type ApiResponse, type Client } from './testing/api.ts'
import { principals } from './testing/principals.ts'

/**
 * Who may call what with whose data, written down a second time and apart from the policy that it tests. Each
 * route is called by nine principals, and where it names something, for something in each of six relations to
 * the principal.
 */

/** What the path names. */
type Named = 'report' | 'folder' | 'view' | 'person' | 'account' | 'execution'
type Right = 'owner' | 'viewer' | 'editor'

interface Rule {
  /** Finance: whoever of the agency is in department 7. */
  least: IdentityName | 'manager_or_finance' | 'director_or_finance' | 'superuser_or_finance' | 'public'
  /** Left out: the path names nothing, or the route looks it up elsewhere. */
  named?: Named
  /** For reports: who beside a superuser may. */
  may?: readonly Right[]
  body?: object
  query?: string
}

const see = ['owner', 'viewer', 'editor'] as const
const REPORT = '/api/gs-template-setting/:id/'

/** One line a route; a route without one fails. */
const rules: Record<string, Rule> = {
  'POST /api/token/': { least: 'public' },
  'POST /api/token/refresh/': { least: 'public' },
  'POST /api/token/revoke/': { least: 'public' },
  'GET /api/sessions/': { least: 'external_user' },
  'DELETE /api/sessions/:id/': { least: 'external_user' },
  'POST /api/set-password/': { least: 'public' },
  'GET /api/demo/': { least: 'public' },
  'POST /api/token/logout/': { least: 'external_user' },
  'GET /api/second-factor/': { least: 'external_user' },
  'POST /api/second-factor/': { least: 'external_user', body: {} },
  'POST /api/second-factor/confirm/': { least: 'external_user', body: { code: '123456' } },
  'POST /api/second-factor/recovery-codes/': { least: 'external_user', body: {} },
  'DELETE /api/second-factor/': { least: 'external_user', body: {} },
  'DELETE /api/user/:id/second-factor/': { least: 'superuser' },
  'GET /api/users/identity/': { least: 'external_user' },
  'GET /api/users/:user_id/': { least: 'external_user', named: 'person' },
  'PATCH /api/users/:user_id/': { least: 'external_user', named: 'person', body: { language: 'en' } },
  'GET /api/department/': { least: 'external_user' },
  'GET /api/user/': { least: 'external_user' },
  'GET /api/user/:id/': { least: 'external_user', named: 'person' },
  'POST /api/user/': { least: 'superuser', body: {} },
  'PATCH /api/user/:id/': { least: 'superuser', body: {} },
  'POST /api/user/:id/password-link/': { least: 'superuser' },
  'GET /api/user/:id/transfer-reports/': { least: 'superuser' },
  'POST /api/user/:id/transfer-reports/': { least: 'superuser', body: { to: 1 } },
  'GET /api/instructions/': { least: 'staff' },
  'PATCH /api/instructions/': { least: 'superuser', body: {} },
  'GET /api/audit/': { least: 'superuser' },
  'GET /api/operations/': { least: 'superuser' },
  'GET /api/gs-template-folder/': { least: 'external_user' },
  'POST /api/gs-template-folder/': { least: 'external_user', body: { name: 'x' } },
  'PATCH /api/gs-template-folder/:id/': {
    least: 'external_user',
    named: 'folder',
    body: { name: 'renamed' },
  },
  'DELETE /api/gs-template-folder/:id/': {
    least: 'external_user',
    named: 'folder',
    body: { mode: 'keepitems' },
  },
  'POST /api/gs-template-folder/:id/restore/': { least: 'external_user' },
  'GET /api/gs-template-setting/': { least: 'external_user' },
  'POST /api/gs-template-setting/': { least: 'external_user', body: {} },
  [`GET ${REPORT}`]: { least: 'external_user', named: 'report', may: see },
  [`PATCH ${REPORT}`]: {
    least: 'external_user',
    named: 'report',
    may: ['owner', 'editor'],
    body: { version: 1, name: 'n' },
  },
  [`DELETE ${REPORT}`]: { least: 'external_user', named: 'report', may: ['owner'] },
  'GET /api/gs-template-setting/ending/': { least: 'external_user' },
  [`POST ${REPORT}favourite/`]: { least: 'external_user', named: 'report', may: see },
  [`DELETE ${REPORT}favourite/`]: { least: 'external_user', named: 'report', may: see },
  'GET /api/gs-template-view/': { least: 'external_user' },
  'POST /api/gs-template-view/': { least: 'external_user', body: { name: 'x', filters: {} } },
  'PATCH /api/gs-template-view/:id/': { least: 'external_user', named: 'view', body: { name: 'renamed' } },
  'DELETE /api/gs-template-view/:id/': { least: 'external_user', named: 'view' },
  [`POST ${REPORT}restore/`]: { least: 'external_user', named: 'report', may: ['owner'] },
  [`GET ${REPORT}export/`]: { least: 'external_user', named: 'report', may: see },
  'GET /api/gs-template-setting/export/': { least: 'external_user', query: '?ids=999999999' },
  'POST /api/gs-template-setting/import/check/': { least: 'external_user', body: {} },
  'POST /api/gs-template-setting/import/': { least: 'external_user', body: {} },
  'POST /api/gs-template-setting/preview/': { least: 'external_user', body: {} },
  [`POST ${REPORT}copy/`]: { least: 'external_user', named: 'report', may: see },
  [`GET ${REPORT}share/`]: { least: 'external_user', named: 'report', may: ['owner'] },
  [`POST ${REPORT}share/`]: {
    least: 'external_user',
    named: 'report',
    may: ['owner'],
    body: { user: 1, access: 'viewer' },
  },
  [`DELETE ${REPORT}share/:user_id/`]: { least: 'external_user' },
  'POST /api/gs-template-setting/bulk/': {
    least: 'external_user',
    body: { action: 'delete', ids: [999_999_999] },
  },
  'GET /api/gs-template-setting/care/accounts/': { least: 'external_user' },
  'POST /api/gs-template-setting/care/replace-account/': {
    least: 'external_user',
    body: { from: 999_999_999, to: 999_999_998 },
  },
  'POST /api/gs-template-setting/care/clone/': {
    least: 'external_user',
    body: { source: { reports: [999_999_999] }, advertiser: 999_999_999 },
  },
  'POST /api/gs-template-setting/care/extend/': {
    least: 'external_user',
    body: { reports: [{ id: 999_999_999 }], by: { months: 1 } },
  },
  'POST /api/gs-template-setting/care/:deed/undo/': { least: 'external_user' },
  'GET /api/schedule/load/': { least: 'external_user', query: '?timezone=UTC&update_frequency=2' },
  [`GET ${REPORT}versions/`]: { least: 'external_user', named: 'report', may: see },
  [`GET ${REPORT}versions/:version/`]: { least: 'external_user' },
  [`POST ${REPORT}versions/:version/restore/`]: { least: 'external_user', body: { version: 1 } },
  [`GET ${REPORT}runs/`]: { least: 'external_user', named: 'report', may: see },
  [`GET ${REPORT}runs/:run_id/`]: { least: 'external_user' },
  [`POST ${REPORT}runs/:run_id/retry/`]: { least: 'external_user' },
  [`POST ${REPORT}runs/:run_id/write-back/`]: { least: 'external_user' },
  [`GET ${REPORT}runs/:run_id/changes/`]: { least: 'external_user' },
  [`GET ${REPORT}runs/:run_id/table/`]: { least: 'external_user' },
  'POST /api/gs-template-execution/': { least: 'external_user', body: { folder: 999_999_999 } },
  'GET /api/gs-template-execution/': { least: 'external_user' },
  'GET /api/gs-template-execution/:id/': { least: 'external_user', named: 'execution' },
  'DELETE /api/gs-template-execution/:id/': { least: 'external_user', named: 'execution' },
  'GET /api/events/': { least: 'external_user' },
  'GET /api/demo/mailbox/': { least: 'external_user' },
  'GET /api/demo/mailbox/:id/': { least: 'external_user' },
  'GET /api/notifications/': { least: 'external_user' },
  'POST /api/notifications/read/': { least: 'external_user', body: { ids: [999_999_999] } },
  'GET /api/ad/gs_metrics/': { least: 'external_user' },
  'GET /api/ad/gs_meanings/': { least: 'external_user' },
  'GET /api/ad/gs_permission_check/': { least: 'external_user', query: '?spreadsheet_url=x' },
  'GET /api/ad/gs_place/': { least: 'external_user', query: '?spreadsheet_url=x&sheet_name=T' },
  'POST /api/ad/gs_sheet/': { least: 'external_user', body: { spreadsheet_url: 'x', title: 'T' } },
  'GET /api/ad/gs_spreadsheet/': { least: 'external_user' },
  'POST /api/ad/gs_spreadsheet/': { least: 'external_user', body: {} },
  'GET /api/ad/gs_sheet_name_list/': { least: 'external_user', query: '?spreadsheet_url=x' },
  'DELETE /api/ad/gs_binding/': { least: 'superuser', query: '?spreadsheet_url=x' },
  'GET /api/ad/account/': { least: 'external_user' },
  'GET /api/ad/account/advertisers/': { least: 'external_user' },
  'GET /api/ad/account/:id/': { least: 'external_user', named: 'account' },
  'POST /api/ad/account/:id/check/': { least: 'staff' },
  'GET /api/ad/filter-values/': {
    least: 'external_user',
    query: '?channel=fb&accounts=999999999&field=campaign_name',
  },
  'GET /api/support/': { least: 'external_user' },
  'POST /api/support/': { least: 'external_user', body: {} },
  'GET /api/support/:id/': { least: 'external_user' },
  'GET /api/support/:id/image/': { least: 'external_user' },
  'PATCH /api/support/:id/': { least: 'external_user', body: { status: 'closed' } },
  'POST /api/support/:id/additions/': { least: 'external_user', body: { text: 'More' } },
  'GET /api/support/editor-check': { least: 'external_user' },
  'GET /api/overview/': { least: 'external_user' },
  'GET /api/overview/attention/': { least: 'external_user' },
  'GET /api/overview/first-steps/': { least: 'external_user' },
  'GET /api/overview/orders/': { least: 'staff' },
  'GET /api/overview/groups/': { least: 'manager', query: '?by=team' },
  'GET /api/ad/metrics/': { least: 'external_user', query: '?start=2026-11-01&end=2026-11-30' },
  'GET /api/public-account/': { least: 'superuser' },
  'POST /api/public-account/': { least: 'superuser', body: {} },
  'GET /api/public-account/:id/': { least: 'superuser' },
  'PATCH /api/public-account/:id/': { least: 'superuser', body: {} },
  'DELETE /api/public-account/:id/': { least: 'superuser' },
  'POST /api/public-account/:id/test/': { least: 'superuser' },
  'POST /api/public-account/:id/import-accounts/': { least: 'superuser' },
  'GET /api/public-account-platform/': { least: 'superuser' },
  'GET /api/fb-business/': { least: 'external_user' },
  'GET /api/fb-business/:id/': { least: 'external_user' },
  'GET /api/fb-business/adaccount/': { least: 'external_user' },
  'PATCH /api/fb-business/adaccount/:id/': { least: 'manager', body: { advertiser: null } },
  'GET /api/fb-business/adaccount/:id/users/': { least: 'staff' },
  'POST /api/fb-business/:id/refresh/': { least: 'staff' },
  'GET /api/fb-business/:id/members/': { least: 'director' },
  'POST /api/fb-business/:id/members/': { least: 'director', body: { user: 999_999_999 } },
  'DELETE /api/fb-business/:id/members/:user_id/': { least: 'director' },
  'PATCH /api/public-account-platform/:platform/': { least: 'superuser', body: { version: 0 } },
  // Keepers, too: which login is decided by the body.
  'POST /api/public-account/connect/': { least: 'staff', body: {} },
  'POST /api/public-account/connect/finish/': { least: 'staff', body: {} },
  'GET /api/public-account/:id/disconnect/': { least: 'superuser' },
  'POST /api/public-account/:id/disconnect/': { least: 'superuser' },
  'GET /api/public-account-service/': { least: 'superuser' },
  'PATCH /api/public-account-service/:id/': { least: 'superuser', body: { enabled: true } },
  'GET /api/public-account-permission/': { least: 'superuser' },
  'POST /api/public-account-permission/check/': { least: 'superuser', body: {} },
  'GET /api/public-account-user/': { least: 'staff' },
  'POST /api/public-account-user/': { least: 'superuser', body: {} },
  'DELETE /api/public-account-user/:id/': { least: 'superuser' },
  'GET /api/ga-view/': { least: 'external_user' },
  'GET /api/advertiser/': { least: 'staff' },
  'POST /api/advertiser/': { least: 'staff', body: {} },
  'GET /api/advertiser/:id/': { least: 'staff' },
  'PATCH /api/advertiser/:id/': { least: 'staff', body: { version: 1 } },
  'DELETE /api/advertiser/:id/': { least: 'manager_or_finance', body: { version: 1 } },
  'GET /api/advertiser/:id/spend/': { least: 'staff' },
  'POST /api/advertiser/import/': { least: 'staff', body: {} },
  'POST /api/industry/import/': { least: 'staff', body: {} },
  'POST /api/agent/import/': { least: 'staff', body: {} },
  'GET /api/industry/': { least: 'staff' },
  'POST /api/industry/': { least: 'staff', body: {} },
  'GET /api/industry/:id/': { least: 'staff' },
  'PATCH /api/industry/:id/': { least: 'staff', body: { version: 1 } },
  'DELETE /api/industry/:id/': { least: 'manager_or_finance', body: { version: 1 } },
  'POST /api/industry/:id/merge/': { least: 'manager_or_finance', body: { version: 1, into: 1 } },
  'GET /api/search/': { least: 'staff', query: '?search=x' },
  'GET /api/agent/': { least: 'staff' },
  'POST /api/agent/': { least: 'staff', body: {} },
  'GET /api/agent/:id/': { least: 'staff' },
  'PATCH /api/agent/:id/': { least: 'staff', body: { version: 1 } },
  'DELETE /api/agent/:id/': { least: 'manager_or_finance', body: { version: 1 } },
  'GET /api/advertiser/:id/fee-agreement/': { least: 'staff' },
  'POST /api/advertiser/:id/fee-agreement/': { least: 'director_or_finance', body: {} },
  'PATCH /api/advertiser/:id/fee-agreement/:aid/': { least: 'director_or_finance', body: { version: 1 } },
  'DELETE /api/advertiser/:id/fee-agreement/:aid/': { least: 'director_or_finance', body: { version: 1 } },
  'GET /api/ad_insertion/issuer/': { least: 'staff' },
  'PATCH /api/ad_insertion/issuer/': { least: 'director_or_finance', body: { version: 999_999 } },
  'GET /api/insight-setting/metrics/': { least: 'staff' },
  'POST /api/insight-setting/metrics/': { least: 'staff', body: {} },
  'GET /api/insight-setting/metrics/:id/': { least: 'staff' },
  'PATCH /api/insight-setting/metrics/:id/': { least: 'staff', body: { version: 1 } },
  'DELETE /api/insight-setting/metrics/:id/': { least: 'staff', body: { version: 1 } },
  'POST /api/insight-setting/metrics/try/': { least: 'staff', body: {} },
  'GET /api/insight-setting/conversions/actions/': { least: 'staff', query: '?ad_account=999999999' },
  'GET /api/insight-setting/conversions/': { least: 'staff' },
  'POST /api/insight-setting/conversions/': { least: 'staff', body: {} },
  'GET /api/insight-setting/conversions/:id/': { least: 'staff' },
  'PATCH /api/insight-setting/conversions/:id/': { least: 'staff', body: { version: 1 } },
  'DELETE /api/insight-setting/conversions/:id/': { least: 'staff', body: { version: 1 } },
  'GET /api/insight-setting/labels/': { least: 'staff' },
  'POST /api/insight-setting/labels/': { least: 'staff', body: {} },
  'GET /api/insight-setting/labels/:id/': { least: 'staff' },
  'PATCH /api/insight-setting/labels/:id/': { least: 'staff', body: { version: 1 } },
  'DELETE /api/insight-setting/labels/:id/': { least: 'staff', body: { version: 1 } },
  'GET /api/insight-setting/rates/': { least: 'staff' },
  'POST /api/insight-setting/rates/': { least: 'manager_or_finance', body: {} },
  'PATCH /api/insight-setting/rates/:id/': { least: 'manager_or_finance', body: { version: 1 } },
  'DELETE /api/insight-setting/rates/:id/': { least: 'manager_or_finance', body: { version: 1 } },
  'POST /api/insight-setting/rates/import/': { least: 'manager_or_finance', body: {} },
  'GET /api/lta/': { least: 'external_user' },
  'POST /api/lta/': { least: 'external_user', body: {} },
  'GET /api/lta/sources/': { least: 'external_user', query: '?advertiser=999999999' },
  'POST /api/lta/erase/': { least: 'external_user', body: {} },
  'GET /api/lta/erase/': { least: 'external_user' },
  'GET /api/lta/erase/:id/': { least: 'external_user' },
  'GET /api/lta/check-ad-account-permission/': { least: 'external_user', query: '?ad_account=999999999' },
  'POST /api/lta/share-custom-audience/': {
    least: 'external_user',
    body: { audience: 999_999_999, ad_accounts: [999_999_999] },
  },
  'POST /api/lta/:id/shares/:share/retry/': { least: 'external_user' },
  'PATCH /api/lta/:id/shares/:share/': { least: 'external_user', body: { auto_sync: false } },
  'DELETE /api/lta/:id/shares/:share/': { least: 'external_user' },
  'GET /api/lta/:id/': { least: 'external_user' },
  'GET /api/lta/:id/uploads/': { least: 'external_user' },
  'GET /api/lta/:id/history/': { least: 'external_user' },
  'PATCH /api/lta/:id/': { least: 'external_user', body: { version: 1 } },
  'DELETE /api/lta/:id/': { least: 'external_user', body: { version: 1 } },
  'POST /api/lta/:id/members/': {
    least: 'external_user',
    body: { session: randomUUID(), seq: 1, last: true, action: 'add', columns: ['email'], rows: [] },
  },
  'GET /api/targetaudience/': { least: 'staff' },
  'POST /api/targetaudience/': { least: 'staff', body: {} },
  'GET /api/targetaudience/:id/': { least: 'staff' },
  'PATCH /api/targetaudience/:id/': { least: 'staff', body: { version: 1 } },
  'DELETE /api/targetaudience/:id/': { least: 'staff', body: { version: 1 } },
  'GET /api/site/': { least: 'staff' },
  'POST /api/site/': { least: 'staff', body: {} },
  'GET /api/site/:id/': { least: 'staff' },
  'PATCH /api/site/:id/': { least: 'staff', body: { version: 1 } },
  'DELETE /api/site/:id/': { least: 'staff', body: { version: 1 } },
  'POST /api/site/import/': { least: 'staff', body: {} },
  'GET /api/publisher/': { least: 'staff' },
  'POST /api/publisher/': { least: 'staff', body: {} },
  'GET /api/publisher/:id/': { least: 'staff' },
  'PATCH /api/publisher/:id/': { least: 'staff', body: { version: 1 } },
  'DELETE /api/publisher/:id/': { least: 'staff', body: { version: 1 } },
  'POST /api/publisher/import/': { least: 'staff', body: {} },
  'GET /api/image/': { least: 'staff' },
  'GET /api/image/tags/': { least: 'staff' },
  'GET /api/image/:id/': { least: 'staff' },
  'POST /api/image/': { least: 'staff', body: new FormData() },
  'POST /api/image/:id/fit/': { least: 'staff', body: { format: 'line_card' } },
  'PATCH /api/image/:id/': { least: 'staff', body: { version: 1 } },
  'DELETE /api/image/:id/': { least: 'staff', body: { version: 1 } },
  // By a signed link, which an image of a page has instead of a token.
  'GET /api/image/:id/content/': { least: 'public' },
  'GET /api/file/': { least: 'staff' },
  'GET /api/file/tags/': { least: 'staff' },
  'GET /api/file/usage/': { least: 'staff' },
  'GET /api/file/:id/': { least: 'staff' },
  'POST /api/file/': { least: 'staff', body: new FormData() },
  'PATCH /api/file/:id/': { least: 'staff', body: { version: 1 } },
  'DELETE /api/file/:id/': { least: 'staff', body: { version: 1 } },
  'GET /api/file/:id/content/': { least: 'public' },
  'GET /api/advertiser/relate/ad-account/': { least: 'staff', query: '?advertiser=999999999' },
  'POST /api/advertiser/relate/ad-account/': {
    least: 'staff',
    body: { advertiser: 999_999_999, ad_accounts: [1] },
  },
  'DELETE /api/advertiser/relate/ad-account/': {
    least: 'staff',
    body: { advertiser: 999_999_999, ad_accounts: [1] },
  },
  'GET /api/advertiser/relate/ga-view/': { least: 'staff', query: '?advertiser=999999999' },
  'POST /api/advertiser/relate/ga-view/': {
    least: 'staff',
    body: { advertiser: 999_999_999, ga_views: [1] },
  },
  'DELETE /api/advertiser/relate/ga-view/': {
    least: 'staff',
    body: { advertiser: 999_999_999, ga_views: [1] },
  },
  'GET /api/ga4-view/': { least: 'external_user' },
  'GET /api/ad/': { least: 'staff' },
  'POST /api/ad/': { least: 'staff', body: {} },
  'GET /api/ad/:id/': { least: 'staff' },
  'PATCH /api/ad/:id/': { least: 'staff', body: { version: 1 } },
  'DELETE /api/ad/:id/': { least: 'staff', body: { version: 1 } },
  'POST /api/ad/:id/check/': { least: 'staff' },
  'POST /api/ad/bulk/': { least: 'staff', body: {} },
  'GET /api/ad/preset/': { least: 'staff' },
  'POST /api/ad/preset/': { least: 'staff', body: {} },
  'GET /api/ad/preset/:id/': { least: 'staff' },
  'PATCH /api/ad/preset/:id/': { least: 'staff', body: { version: 1 } },
  'DELETE /api/ad/preset/:id/': { least: 'staff', body: { version: 1 } },
  'GET /api/ad/ecspend/': { least: 'director_or_finance', query: '?from=2026-10&to=2026-11' },
  'GET /api/ad/ecspend/invoice/': { least: 'director_or_finance' },
  'POST /api/ad/ecspend/invoice/': { least: 'director_or_finance', body: {} },
  'PATCH /api/ad/ecspend/invoice/:id/': { least: 'director_or_finance', body: { version: 1 } },
  'DELETE /api/ad/ecspend/invoice/:id/': { least: 'director_or_finance', body: { version: 1 } },
  'GET /api/ad/ecspend/adjustment/': { least: 'director_or_finance' },
  'POST /api/ad/ecspend/adjustment/': { least: 'director_or_finance', body: {} },
  'PATCH /api/ad/ecspend/adjustment/:id/': { least: 'director_or_finance', body: { version: 1 } },
  'DELETE /api/ad/ecspend/adjustment/:id/': { least: 'director_or_finance', body: { version: 1 } },
  'GET /api/ad/ecspend/statement/pdf/': {
    least: 'director_or_finance',
    query: '?month=2026-11&advertiser=999999999&currency=TWD',
  },
  'POST /api/ad/ecspend/import/': { least: 'director_or_finance', body: {} },
  'POST /api/ad/ecspend/lock/': { least: 'superuser_or_finance', body: {} },
  'POST /api/ad/ecspend/unlock/': { least: 'director', body: {} },
  'POST /api/ad/ecspend/bill/': { least: 'director_or_finance', body: {} },
  'POST /api/ad/ecspend/drift/': { least: 'director_or_finance', body: {} },
  'GET /api/ad/ecspend/statement/': { least: 'director_or_finance', query: '?month=2026-11' },
  'GET /api/ad/ecspend/checks/': { least: 'director_or_finance', query: '?month=2026-11' },
  'GET /api/ad/ecspend/reconciliation/': { least: 'director_or_finance', query: '?month=2026-11' },
  'GET /api/ad_insertion/quotation/': { least: 'staff' },
  'POST /api/ad_insertion/quotation/': { least: 'staff', body: {} },
  'GET /api/ad_insertion/quotation/:id/': { least: 'staff' },
  'PATCH /api/ad_insertion/quotation/:id/': { least: 'staff', body: { version: 1 } },
  'DELETE /api/ad_insertion/quotation/:id/': { least: 'staff', body: { version: 1 } },
  'POST /api/ad_insertion/quotation/:id/send/': { least: 'staff', body: { version: 1 } },
  'POST /api/ad_insertion/quotation/:id/accept/': {
    least: 'staff',
    body: { version: 1, accepted_on: '2026-11-01', accepted_by: 'x' },
  },
  'POST /api/ad_insertion/quotation/:id/reject/': { least: 'staff', body: { version: 1, reason: 'x' } },
  'POST /api/ad_insertion/quotation/:id/cancel/': { least: 'staff', body: { version: 1 } },
  'POST /api/ad_insertion/quotation/:id/revise/': { least: 'staff', body: { version: 1 } },
  'POST /api/ad_insertion/quotation/:id/copy/': { least: 'staff', body: { version: 1 } },
  'POST /api/ad_insertion/quotation/:id/spent/': {
    least: 'staff',
    body: { version: 1, lines: [{ line: 1, typed_spent: null }] },
  },
  'GET /api/ad_insertion/quotation/:id/pdf/': { least: 'staff' },
  'GET /api/ad_insertion/quotation/:id/delivery/': { least: 'staff' },
  'GET /api/ad_insertion/quotation/:id/acceptance/': { least: 'staff' },
  'GET /api/ad_insertion/payment/': { least: 'staff' },
  'POST /api/ad_insertion/payment/': { least: 'director_or_finance', body: {} },
  'GET /api/ad_insertion/payment/:id/': { least: 'staff' },
  'GET /api/ad_insertion/payment/:id/pdf/': { least: 'staff' },
  'PATCH /api/ad_insertion/payment/:id/': { least: 'director_or_finance', body: { version: 1 } },
  'POST /api/ad_insertion/payment/:id/void/': {
    least: 'director_or_finance',
    body: { version: 1, reason: 'x' },
  },
  'POST /api/ad_insertion/payment/:id/receipt/': {
    least: 'director_or_finance',
    body: { version: 1, on: '2026-11-01', amount: 1_000_000 },
  },
  'POST /api/ad_insertion/payment/:id/receipt/:rid/reverse/': {
    least: 'director_or_finance',
    body: { version: 1, reason: 'x' },
  },
  // The built-in service itself decides by the person's address.
  'GET /api/sheets/': { least: 'external_user' },
  'POST /api/sheets/': { least: 'external_user', body: { title: 'x' } },
  'GET /api/sheets/:id/': { least: 'external_user' },
  'GET /api/sheets/:id/values/': { least: 'external_user', query: '?gid=0' },
  'POST /api/sheets/:id/share/': { least: 'external_user', body: {} },
  'DELETE /api/sheets/:id/share/:permission/': { least: 'external_user' },
  'POST /api/sheets/:id/named-ranges/': { least: 'external_user', body: {} },
  'DELETE /api/sheets/:id/named-ranges/:range/': { least: 'external_user' },
  'GET /api/sheets/:id/export/': { least: 'external_user', query: '?format=xlsx' },
}

const levels: IdentityName[] = ['external_user', 'staff', 'manager', 'director', 'superuser']
const api = await testApi()

const { people, client_a, client_b } = await principals(api)
// People without a business manager are refused its accounts, whatever their role.
await grantBusiness(Object.values(people).map(({ user }) => user.id))
/** Others of the same kinds, who share files with each other. */
const { people: editors } = await principals(api)
type Name = keyof typeof people
const names = Object.keys(people).filter((name): name is Name => name in people)
const isInternal = (name: Name) => !['a1', 'a2', 'b'].includes(name)
const servesA = (name: Name) => ['a1', 'a2', 'staff', 'manager'].includes(name)

describe('the table of rights', () => {
  it('has a line for every route, and none for others', () => {
    const declared = routes.map(({ method, path }) => `${method} ${path}`)
    expect(new Set(declared).size).toBe(declared.length)
    expect(Object.keys(rules).toSorted()).toEqual(declared.toSorted())
  })

  it('agrees with the level that each route declares', () => {
    for (const { method, path, level } of routes) expect(level, path).toBe(rules[`${method} ${path}`]?.least)
  })
})

describe.each(Object.entries(rules).filter(([, rule]) => rule.least !== 'public'))('%s', (call, rule) => {
  const [method = '', path = ''] = call.split(' ')
  const nowhere = path
    .replaceAll(/:(id|rid|user_id|aid)/g, '999999999')
    .replaceAll(/:(run_id|permission|deed)/g, randomUUID())
    .replaceAll(':version', '1')
  const send = (who: Pick<Client, 'call'>, to: string) =>
    statusOf(who, { method, path: to + (rule.query ?? ''), rule })

  it('refuses anonymous requests', async () => {
    expect(await send(api.anonymous, nowhere)).toBe(401)
  })

  it('serves sufficient roles and forbids the others', async () => {
    for (const name of names) {
      const isByRole = levels.indexOf(people[name].user.identity) >= levels.indexOf(asLevel(rule.least))
      const isEnough = isByRole || (name === 'finance' && rule.least.endsWith('_or_finance'))
      const status = await send(await throwaway(call, name), nowhere)
      expect([name, isEnough ? status !== 401 && status !== 403 : status]).toEqual([name, isEnough || 403])
    }
  })
})

/** The principal; for what ends a session, a person like them. */
const throwaway = (call: string, name: Name) =>
  call.includes('logout') ? api.signedIn(people[name].user.identity) : people[name]

function asLevel(least: Rule['least']): IdentityName {
  if (least === 'manager_or_finance') return 'manager'
  if (least === 'director_or_finance') return 'director'
  if (least === 'superuser_or_finance') return 'superuser'
  return least === 'public' ? 'external_user' : least
}

/** Without waiting for the end of a response that has none. */
async function statusOf(
  who: Pick<Client, 'call'>,
  { method, path, rule }: { method: string; path: string; rule: Rule },
): Promise<number> {
  if (!path.includes('/api/events/')) return (await who.call(method, path, rule.body)).status
  const leaving = new AbortController()
  const token =
    'token' in who && typeof who.token === 'string' ? { authorization: `Bearer ${who.token}` } : {}
  const response = await fetch(api.origin + path, { headers: token, signal: leaving.signal })
  leaving.abort()
  return response.status
}

describe.each(Object.entries(rules).filter(([, rule]) => rule.named === 'report'))(
  '%s of a report',
  (call, rule) => {
    const [method = '', path = ''] = call.split(' ')
    const send = (who: Client, id: number) => who.call(method, path.replace(':id', String(id)), rule.body)
    const allows = (right: Right) => rule.may?.includes(right) ?? false

    it.each(names)('by %s', async name => {
      const who = people[name]
      const foreigner = name === 'b' ? people.a1 : people.b
      const colleague = name === 'a1' ? people.a2 : people.a1
      const isSuper = name === 'superuser'
      const outcome = async (id: number) => outcomeOf(await send(who, id))

      expect(await outcome(await reportOf(who))).toBe(allows('owner') ? 'done' : 'forbidden')
      for (const access of ['viewer', 'editor'] as const) {
        const shared = await reportOf(colleague, { shared_with: who, access })
        expect([access, await outcome(shared)]).toEqual([
          access,
          isSuper || allows(access) ? 'done' : 'forbidden',
        ])
      }
      expect(await outcome(await reportOf(colleague))).toBe(isSuper ? 'done' : 'missing')
      const unshared = await reportOf(colleague, { shared_with: who, access: 'editor' })
      await api.db.deleteFrom('report_share').where('report', '=', unshared).execute()
      expect(await outcome(unshared)).toBe(isSuper ? 'done' : 'missing')

      const [foreign, missing] = [await send(who, await reportOf(foreigner)), await send(who, 999_999_999)]
      expect(outcomeOf(missing)).toBe('missing')
      expect(outcomeOf(foreign)).toBe(isSuper ? 'done' : 'missing')
      if (!isSuper) expectAlike(foreign, missing)
    })
  },
)

/** The owner of the file that an editor targets: the report writes with its owner's access. */
describe('a report shared as editor, with another file as target', () => {
  const usesAll = (name: Name) => name === 'director' || name === 'superuser'

  it.each(names)('by %s', async name => {
    const editor = editors[name]
    const owner = name === 'a1' ? editors.a2 : editors.a1
    const foreigner = name === 'b' ? editors.finance : editors.b
    const missing = fileId()
    const cases: [file: string, expected: string][] = [
      [await fileOf(editor, owner), 'saved'],
      [await fileOf(editor), 'owner_lacks_spreadsheet'],
      [await fileOf(owner), usesAll(name) ? 'saved' : 'spreadsheet_not_shared'],
      [await fileOf(foreigner), usesAll(name) ? 'owner_lacks_spreadsheet' : 'spreadsheet_not_shared'],
      [missing, 'spreadsheet_not_shared'],
    ]
    for (const [of, [file, expected]] of cases.entries()) {
      for (const [what, change] of Object.entries(changesTo(file))) {
        const binding = async (id: string) => await changed(editor, { owner, file: id, change, what })
        const response = await binding(file)
        expect([of, what, savedOr(response)]).toEqual([of, what, expected])
        if (expected === 'spreadsheet_not_shared')
          expectAlike(
            response,
            await changed(editor, { owner, file: missing, change: changesTo(missing)[what], what }),
          )
      }
    }
  })

  const fileId = () => randomUUID().replaceAll('-', '').padEnd(44, 'x')
  const urlOf = (file: string) => `https://docs.google.com/spreadsheets/d/${file}/edit`
  const changesTo = (file: string): Record<string, object> => ({
    spreadsheet: { spreadsheet_url: urlOf(file) },
    tab: { sheet_name: 'Other' },
    cell: { start_cell: 'D9' },
  })

  /** A file that is proven to belong to these people, of an advertiser without other members. */
  async function fileOf(...members: Client[]): Promise<string> {
    const advertiser = await api.advertiser(
      `Files ${randomUUID()}`,
      members.map(({ user }) => user.id),
    )
    const spreadsheet_id = fileId()
    const proven_by = members[0]?.user.id ?? null
    await api.db
      .insertInto('spreadsheet_binding')
      .values({ spreadsheet_id, advertiser, proven_by, proof: 'permission' })
      .execute()
    return spreadsheet_id
  }

  /** The owner may name any file; a tab and a cell are changed where it is named already. */
  async function changed(
    editor: Client,
    { owner, file, change, what }: { owner: Client; file: string; change: object | undefined; what: string },
  ): Promise<ApiResponse> {
    const fields = what === 'spreadsheet' ? {} : { spreadsheet_url: urlOf(file), sheet_name: 'Data' }
    const { id, version } = await owner.report(fields)
    await api.db
      .insertInto('report_share')
      .values({ report: id, user_id: editor.user.id, access: 'editor', shared_by: owner.user.id })
      .execute()
    return await editor.patch(`/api/gs-template-setting/${id}/`, { version, ...change })
  }

  const savedOr = ({ status, body }: ApiResponse) =>
    status === 200 ? 'saved' : (body as { codes: Record<string, string[]> }).codes['spreadsheet_url']?.[0]
})

describe.each(Object.entries(rules).filter(([, rule]) => rule.named === 'folder'))(
  '%s of a folder',
  (call, rule) => {
    const [method = '', path = ''] = call.split(' ')

    it.each(names)('by %s is for its owner alone', async name => {
      const who = people[name]
      const send = (id: number | null) => who.call(method, path.replace(':id', String(id)), rule.body)
      expect(outcomeOf(await send((await who.folder()).id))).toBe('done')
      const foreign = await send((await (name === 'b' ? people.a1 : people.b).folder()).id)
      expect(outcomeOf(foreign)).toBe('missing')
      expectAlike(foreign, await send(999_999_999))
    })
  },
)

describe.each(Object.entries(rules).filter(([, rule]) => rule.named === 'view'))(
  '%s of a saved view',
  (call, rule) => {
    const [method = '', path = ''] = call.split(' ')

    it.each(names)('by %s is for its owner alone', async name => {
      const who = people[name]
      const send = (id: number) => who.call(method, path.replace(':id', String(id)), rule.body)
      const viewOf = async (owner: Client) => {
        const body = { name: randomUUID(), filters: {} }
        return Number(Object((await owner.post('/api/gs-template-view/', body)).body).id)
      }
      const own = await viewOf(who)
      expect(outcomeOf(await send(own))).toBe('done')
      // The next principal saves views of the same name.
      await who.delete(`/api/gs-template-view/${own}/`)
      const foreign = await send(await viewOf(name === 'b' ? people.a1 : people.b))
      expect(outcomeOf(foreign)).toBe('missing')
      expectAlike(foreign, await send(999_999_999))
    })
  },
)

describe.each(Object.entries(rules).filter(([, rule]) => rule.named === 'person'))(
  '%s of a person',
  (call, rule) => {
    const [method = '', path = ''] = call.split(' ')

    it.each(names)('by %s', async name => {
      const send = (id: number) => people[name].call(method, path.replace(/:\w+/, String(id)), rule.body)
      expect(outcomeOf(await send(people[name].user.id))).toBe('done')
      const read = method === 'GET' ? 'done' : 'forbidden'
      for (const other of names.filter(candidate => candidate !== name)) {
        const isVisible = isInternal(name) || (servesA(name) && servesA(other))
        const response = await send(people[other].user.id)
        expect([other, outcomeOf(response)]).toEqual([other, isVisible ? read : 'missing'])
        if (!isVisible) expectAlike(response, await send(999_999_999))
      }
    })
  },
)

describe('an ad account', () => {
  it.each(names)('by %s', async name => {
    const send = (id: number) => people[name].get(`/api/ad/account/${id}/`)
    const ofA = await send(await api.account({ advertiser: client_a }))
    const ofB = await send(await api.account({ advertiser: client_b }))
    const ofNobody = await send(await api.account({ advertiser: null }))
    const seesAll = name === 'director' || name === 'superuser'
    expect([ofA, ofB, ofNobody].map(outcomeOf)).toEqual([
      seesAll || servesA(name) ? 'done' : 'missing',
      seesAll || name === 'b' ? 'done' : 'missing',
      seesAll ? 'done' : 'missing',
    ])
    const missing = await send(999_999_999)
    for (const response of [ofA, ofB, ofNobody].filter(one => outcomeOf(one) === 'missing'))
      expectAlike(response, missing)
  })
})

describe.each(['GET', 'DELETE'])('%s of an execution', method => {
  it('is only for the person who started it', async () => {
    for (const name of names) {
      const execution = randomUUID()
      await api.db
        .insertInto('execution')
        .values({ id: execution, created_by: people[name].user.id })
        .execute()
      for (const other of names) {
        const response = await people[other].call(method, `/api/gs-template-execution/${execution}/`)
        expect([other, outcomeOf(response)]).toEqual([other, other === name ? 'done' : 'missing'])
        if (other !== name)
          expectAlike(
            response,
            await people[other].call(method, `/api/gs-template-execution/${randomUUID()}/`),
          )
      }
    }
  })
})

async function reportOf(
  owner: Client,
  share?: { shared_with: Client; access: 'viewer' | 'editor' },
): Promise<number> {
  const { id } = await owner.report()
  if (share)
    await api.db
      .insertInto('report_share')
      .values({
        report: id,
        user_id: share.shared_with.user.id,
        access: share.access,
        shared_by: owner.user.id,
      })
      .execute()
  return id
}

async function grantBusiness(user_ids: readonly number[]) {
  const { id: business } = await api.db
    .insertInto('business')
    .values({ external_id: randomUUID(), name: 'A business' })
    .returning('id')
    .executeTakeFirstOrThrow()
  await api.db
    .insertInto('business_member')
    .values(user_ids.map(user_id => ({ business, user_id })))
    .execute()
}
