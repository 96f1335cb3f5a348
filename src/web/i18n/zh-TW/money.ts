import type { money as english } from '#web/i18n/en/money.ts'
import type { TextsLike } from '#web/i18n/texts.ts'

export const money: TextsLike<typeof english> = {
  amount: {
    not_an_amount: '請輸入金額，例如 {{example}}。',
    whole: '{{currency}} 不計小數，請輸入整數。',
    step: '金額的最小單位為 {{step}}。',
    too_large: '金額上限為 {{most}}。',
    negative: '金額不可小於 0。',
  },
  rate: {
    not_a_rate: '請輸入百分比，例如 12.5。',
    decimals: '最多兩位小數。',
    out_of_range: '請輸入 0 至 {{most}} 之間的數字。',
  },
  month: { choose: '選擇月份' },
  currency: { choose: '選擇幣別' },
  terms: {
    from: '起算日',
    days: '開立日起算',
    month_end: '月結（開立月份的月底起算）',
    number: '天數',
    unit: '天',
    days_0: '開立時付款',
    month_end_0: '當月月底',
    days_text_other: '開立後 {{count}} 天',
    month_end_text_other: '月結 {{count}} 天',
    days_range: '請輸入 0 至 {{most}} 天。',
  },
  contact: {
    nth: '聯絡人 {{number}}',
    name: '姓名',
    title: '職稱',
    phone: '電話',
    email: '電子郵件',
    is_billing: '收取帳務文件',
    add: '新增聯絡人',
    remove: '移除聯絡人 {{number}}',
  },
}
