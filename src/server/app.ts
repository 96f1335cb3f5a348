import type { SpreadsheetEffects } from './http/effects.ts'
import type { Route } from './http/route.ts'
import { demoRoutes } from './resources/demo/routes.ts'
import { adAccountsRoutes } from './resources/ad-accounts/routes.ts'
import { auditRoutes } from './resources/audit/routes.ts'
import { catalogueRoutes } from './resources/catalogue/routes.ts'
import { eventsRoutes } from './resources/events/routes.ts'
import { executionsRoutes } from './resources/executions/routes.ts'
import { foldersRoutes } from './resources/folders/routes.ts'
import { accountsRoutes } from './resources/people/accounts.ts'
import { peopleRoutes } from './resources/people/routes.ts'
import { reportsRoutes } from './resources/reports/routes.ts'
import { sharingRoutes } from './resources/reports/sharing.ts'
import { runsRoutes } from './resources/runs/routes.ts'
import { sessionRoutes } from './resources/session/routes.ts'
import { sheetsRoutes } from './resources/sheets/routes.ts'
import { spreadsheetsRoutes } from './resources/spreadsheets/routes.ts'
import { checkPermission, listTabs, type PermissionEffects } from './sheets/permission.ts'
import { emailControls, findCode } from './sheets/proof.ts'

/** Every call of the API. */
export const routes: readonly Route[] = [
  ...sessionRoutes,
  ...peopleRoutes,
  ...accountsRoutes,
  ...foldersRoutes,
  ...reportsRoutes,
  ...executionsRoutes,
  ...runsRoutes,
  ...eventsRoutes,
  ...sharingRoutes,
  ...spreadsheetsRoutes,
  ...catalogueRoutes,
  ...adAccountsRoutes,
  ...auditRoutes,
  ...sheetsRoutes,
  ...demoRoutes,
]

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
