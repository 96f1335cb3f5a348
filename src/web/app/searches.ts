import type { Language } from '#shared/language.ts'
import { sitePath } from '#shared/redirect.ts'
import { isId, isNatural, listSearch, only, textOf, type Raw } from '#web/client/search.ts'
import { audiencesSearch } from '#web/pages/audiences/search.ts'
import { auditSearch } from '#web/pages/audit/search.ts'
import { businessesSearch } from '#web/pages/businesses/search.ts'
import {
  advertiserSearch,
  advertisersSearch,
  agentsSearch,
  industriesSearch,
} from '#web/pages/customers/search.ts'
import { ecMonthSearch, ecSpendSearch } from '#web/pages/ec-spend/search.ts'
import { insightSearch } from '#web/pages/insight-settings/search.ts'
import { newOrderSearch, orderSearch, ordersSearch } from '#web/pages/orders/search.ts'
import { overviewSearch } from '#web/pages/overview/search.ts'
import { paymentsSearch } from '#web/pages/payments/search.ts'
import {
  bulkChangesSearch,
  newReportSearch,
  reportEditorSearch,
  reportListSearch,
  reportSearch,
  reportVersionsSearch,
  runHistorySearch,
} from '#web/pages/reports/search.ts'
import { supportSearch } from '#web/pages/support/search.ts'
import { usersSearch } from '#web/pages/users/search.ts'

import { targetAudiencesSearch } from '#web/pages/target-audiences/search.ts'
import { linksSearch } from '#web/pages/links/search.ts'
import { sitesSearch } from '#web/pages/materials/sites/search.ts'
import { publishersSearch } from '#web/pages/materials/publishers/search.ts'
import { imagesSearch } from '#web/pages/materials/images/search.ts'
import { filesSearch } from '#web/pages/materials/files/search.ts'

/** Only a path of this site survives. */
export const withRedirect = ({ redirect: path }: Raw): { redirect?: string } => {
  const safe = sitePath(path)
  return safe === null ? {} : { redirect: safe }
}

const mailboxSearch = ({ id, page: number }: Raw): { id?: number; page: number } => ({
  ...(isId(id) && { id }),
  page: isId(number) ? number : 1,
})

/** An issue, or the report of a new one: opened over the overview (issue-area.tsx). */
const issueSearch = ({ issue, report }: Raw): { issue?: number; report?: number } => ({
  ...(isId(issue) && { issue }),
  ...(isId(report) && { report }),
})

/** The URL parameters of the pages. */
export const searches = {
  redirect: only(withRedirect),
  token: only(({ token }) => ({ token: textOf(token) })),
  gid: only(({ gid }): { gid?: number } => (isNatural(gid) ? { gid } : {})),
  overview: only(raw => ({ ...overviewSearch(raw), ...issueSearch(raw) })),
  report_list: only(reportListSearch),
  report_editor: only(reportEditorSearch),
  new_report: only(newReportSearch),
  report: only(reportSearch),
  run_history: only(runHistorySearch),
  report_versions: only(reportVersionsSearch),
  bulk_changes: only(bulkChangesSearch),
  mailbox: only(mailboxSearch),
  support: only(supportSearch),
  users: only(usersSearch),
  instructions: only(({ language }): { language?: Language } =>
    language === 'en' || language === 'zh-TW' ? { language } : {},
  ),
  audiences: only(audiencesSearch),
  audit: only(auditSearch),
  ec_spend: only(ecSpendSearch),
  ec_month: only(ecMonthSearch),
  businesses: only(businessesSearch),
  advertisers: only(advertisersSearch),
  advertiser: only(advertiserSearch),
  industries: only(industriesSearch),
  agents: only(agentsSearch),
  target_audiences: only(targetAudiencesSearch),
  links: only(linksSearch),
  sites: only(sitesSearch),
  publishers: only(publishersSearch),
  images: only(imagesSearch),
  files: only(filesSearch),
  insight_settings: only(insightSearch),
  orders: only(ordersSearch),
  order: only(orderSearch),
  new_order: only(newOrderSearch),
  payments: only(paymentsSearch),
  public_accounts: only(listSearch(['name', 'tested_at', 'expires_at'])),
}
