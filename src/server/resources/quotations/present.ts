import type { Quotation, QuotationState, QuotationSummary } from '#shared/api/quotations.ts'
import type { CsvColumn } from '#server/http/csv.ts'
import type { Db } from '#server/db/connect.ts'
import type { SignedInUser } from '#server/http/session.ts'
import { MILLIONTHS } from '#shared/money.ts'
import { orderLabel } from '#shared/order-label.ts'
import type { Text } from '#shared/language.ts'
import type { QuotationListRow } from './list-queries.ts'
import { listLines, listRevisions, type LineRow, type QuotationRow } from './queries.ts'
import { allActions, mayAct, stateOf } from './rules.ts'

/** All of a quotation, as a person sees it. */
export async function presentQuotation(
  db: Db,
  row: QuotationRow,
  { user, today }: { user: SignedInUser; today: string },
): Promise<Quotation> {
  const lines = await listLines(db, row.id)
  const revisions = await listRevisions(db, row)
  const state = stateOf(row, today)
  const revision = { state, has_draft: revisions.some(each => each.status === 'draft') }
  return {
    ...row,
    label: orderLabel(row),
    status: state,
    lines: lines.map(presentLine),
    sent_at: row.sent_at?.toISOString() ?? null,
    revisions: revisions.map(each => ({
      id: each.id,
      revision: each.revision,
      status: stateOf(each, today),
      total: each.total,
      sent_at: each.sent_at?.toISOString() ?? null,
    })),
    may: allActions.filter(action => mayAct(user, revision, action)),
    created_at: row.created_at.toISOString(),
    last_modified_at: row.last_modified_at.toISOString(),
  }
}

const presentLine = ({
  quotation: _quotation,
  position: _position,
  final_spent: _spent,
  final_at: _at,
  ...line
}: LineRow): Quotation['lines'][number] => line

export const presentSummary = (row: QuotationListRow, today: string): QuotationSummary => ({
  ...row,
  label: orderLabel(row),
  status: stateOf(row, today),
  last_modified_at: row.last_modified_at.toISOString(),
})

export const csvTitle: Text = { en: 'Insertion orders', 'zh-TW': '委刊單' }

/** For whoever keeps the books: without the agent's commission. */
export const csvColumns: readonly CsvColumn<QuotationSummary>[] = [
  { header: { en: 'Number', 'zh-TW': '編號' }, cell: ({ label }) => label },
  { header: { en: 'Title', 'zh-TW': '名稱' }, cell: ({ title }) => title },
  { header: { en: 'Advertiser', 'zh-TW': '廣告主' }, cell: row => row.advertiser_name },
  { header: { en: 'Agent', 'zh-TW': '代理商' }, cell: row => row.agent_name },
  { header: { en: 'Owner', 'zh-TW': '負責人' }, cell: row => row.owner_name },
  { header: { en: 'State', 'zh-TW': '狀態' }, cell: ({ status }, language) => stateNames[status][language] },
  { header: { en: 'Currency', 'zh-TW': '幣別' }, cell: ({ currency }) => currency },
  { header: { en: 'Total', 'zh-TW': '總計' }, cell: ({ total }) => total / MILLIONTHS },
  { header: { en: 'Issued on', 'zh-TW': '開立日期' }, cell: row => row.issue_on },
  { header: { en: 'Valid until', 'zh-TW': '有效期限' }, cell: row => row.valid_until },
  { header: { en: 'Starts on', 'zh-TW': '開始日期' }, cell: ({ start }) => start },
  { header: { en: 'Ends on', 'zh-TW': '結束日期' }, cell: ({ end }) => end },
  { header: { en: 'Customer’s order number', 'zh-TW': '客戶採購單號' }, cell: row => row.client_po },
]

const stateNames: Record<QuotationState, Text> = {
  draft: { en: 'Draft', 'zh-TW': '草稿' },
  sent: { en: 'Sent', 'zh-TW': '已送出' },
  expired: { en: 'Expired', 'zh-TW': '已逾期' },
  accepted: { en: 'Accepted', 'zh-TW': '已成立' },
  rejected: { en: 'Rejected', 'zh-TW': '已婉拒' },
  cancelled: { en: 'Cancelled', 'zh-TW': '已取消' },
  superseded: { en: 'Superseded', 'zh-TW': '已被取代' },
}
