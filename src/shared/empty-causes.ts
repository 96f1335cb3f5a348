import type { Text } from './language.ts'

/** Why a block has no rows: the first cause that was found, in the order in which they are looked for. */
export const emptyCauses = {
  credential: cause(
    'The connection to the platform has ended: a superuser must connect it again.',
    '平台連線已中斷，須由超級使用者重新連線。',
  ),
  access: cause('The platform does not let us read this account any more.', '平台已不允許讀取此帳戶。'),
  disabled: cause('The account is closed or paused by the platform.', '此帳戶已被平台停用或關閉。'),
  history: cause('The dates are before what the platform still keeps.', '日期早於平台保留資料的期間。'),
  no_delivery: cause('The account had no delivery at all on these days.', '此帳戶在這段期間內沒有任何投放。'),
  account_filter: cause('This filter leaves no account over.', '此篩選條件排除了所有帳戶。'),
  filter: cause('This filter removes every row.', '此篩選條件排除了所有資料列。'),
  filters_together: cause(
    'Each filter lets rows through, but none passes all of them.',
    '個別篩選條件皆有符合的資料列，但沒有資料列同時符合全部條件。',
  ),
  level: cause(
    'The account had delivery, but the platform says nothing at this level of detail.',
    '此帳戶有投放，但平台未提供此層級的資料。',
  ),
  unknown: cause('The platform could not be asked why.', '暫時無法向平台查詢原因。'),
} as const satisfies Record<string, Text>

export type EmptyCause = keyof typeof emptyCauses

function cause(en: string, zh: string): Text {
  return { en, 'zh-TW': zh }
}
