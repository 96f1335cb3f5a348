import type { AccountStatus } from './account-statuses.ts'
import type { Text } from './language.ts'

// How an ad account stands at Meta, in Meta's numbers (Marketing API, ad account).

const statuses: Readonly<Record<AccountStatus, Text>> = {
  1: text('Active', '啟用'),
  2: text('Disabled', '停用'),
  3: text('Unsettled', '未結清'),
  7: text('Under review', '審核中'),
  8: text('Settlement pending', '待結算'),
  9: text('Grace period', '寬限期'),
  100: text('Closing', '待關閉'),
  101: text('Closed', '已關閉'),
}

const reasons: Readonly<Record<number, Text>> = {
  1: text('integrity policy', '違反誠信政策'),
  2: text('intellectual property review', '智慧財產權審查'),
  3: text('payment risk', '付款風險'),
  4: text('account of a closed business', '灰色帳號已關閉'),
  5: text('ads review', '廣告審查'),
  6: text('business integrity', '企業誠信審查'),
  7: text('closed for good', '永久關閉'),
  8: text('unused reseller account', '未使用的經銷商帳戶'),
  9: text('unused', '未使用'),
  10: text('its umbrella account', '上層帳戶因素'),
  11: text('integrity of the business manager', '商業管理平台誠信政策'),
  12: text('misrepresentation', '不實陳述'),
  13: text('legal entity', '法律實體因素'),
  14: text('thread review', '訊息審查'),
  15: text('compromised account', '帳戶遭盜用'),
}

/** In its grace period it still delivers. */
export const ACTIVE_STATUSES: readonly number[] = [1, 9]
export const hasStopped = (status: number) => !ACTIVE_STATUSES.includes(status)

/** From here on a cap is near, in basis points. */
export const CAP_NEAR = 9000

export const statusText = (status: number): Text =>
  (statuses as Readonly<Record<number, Text>>)[status] ?? text(`Status ${status}`, `狀態 ${status}`)

/** null where Meta names none. */
export const reasonText = (reason: number | null): Text | null =>
  reason === null || reason === 0 ? null : (reasons[reason] ?? text(`reason ${reason}`, `原因 ${reason}`))

function text(en: string, zh: string): Text {
  return { en, 'zh-TW': zh }
}
