/**
 * The pages behind the first ones. Apart from the routes, since each brings along the names of all the files
 * that it is made of.
 */
export const innerPages = {
  reportList: () => import('#web/pages/reports/report-list.tsx'),
  newReport: () => import('#web/pages/reports/new/new-report.tsx'),
  reportEditor: () => import('#web/pages/reports/report-editor.tsx'),
  permissionSettings: () => import('#web/pages/reports/permission-settings.tsx'),
  reportVersions: () => import('#web/pages/reports/versions/report-versions.tsx'),
  runHistory: () => import('#web/pages/reports/run-history.tsx'),
  bulkChangesPage: () => import('#web/pages/reports/bulk-changes/bulk-changes-page.tsx'),
  sheetList: () => import('#web/pages/sheets/sheet-list.tsx'),
  sheet: () => import('#web/pages/sheets/sheet.tsx'),
  secondFactor: () => import('#web/pages/second-factor/required-page.tsx'),
  profile: () => import('#web/pages/profile/profile.tsx'),
  publicAccounts: () => import('#web/pages/public-accounts/public-accounts.tsx'),
  mailbox: () => import('#web/pages/mailbox/mailbox.tsx'),
  operations: () => import('#web/pages/operations/operations.tsx'),
  issueDialogs: () => import('#web/pages/support/issue-dialogs.tsx'),
  support: () => import('#web/pages/support/support.tsx'),
  audit: () => import('#web/pages/audit/audit.tsx'),
  advertisers: () => import('#web/pages/customers/advertisers/advertisers.tsx'),
  advertiser: () => import('#web/pages/customers/advertiser/advertiser-page.tsx'),
  industries: () => import('#web/pages/customers/industries.tsx'),
  agents: () => import('#web/pages/customers/agents.tsx'),
  ecSpend: () => import('#web/pages/ec-spend/ec-spend.tsx'),
  ecMonth: () => import('#web/pages/ec-spend/month/month-page.tsx'),
  users: () => import('#web/pages/users/users.tsx'),
  instructions: () => import('#web/pages/instructions/instructions.tsx'),
}
