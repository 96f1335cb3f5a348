import { failureActions } from './failure-actions.ts'
import type { Text } from './language.ts'

/**
 * Every notice, as one closed list, shown in the bell and sent by mail. `title` names what happened
 * (placeholders: what `NoticeDetail` and the report's name hold), `more` adds what follows from it; the cause
 * is in errors-….ts under the notice's code. `mail` is who gets it by mail: everybody, whatever they have
 * chosen; those who want failures; or only those who want everything.
 */
export const notices = {
  report_failed: kind('error', 'failures', {
    title: text('“{{report}}” could not be updated', '報表「{{report}}」未能更新'),
    more: text('The spreadsheet is unchanged.', '試算表未變更。'),
  }),
  channels_lack_output: kind('warning', 'failures', {
    title: text(
      'Some channels of “{{report}}” lacked output: {{channels}}',
      '報表「{{report}}」部分管道沒有輸出資料：{{channels}}',
    ),
  }),
  report_recovered: kind('success', 'failures', {
    title: text('“{{report}}” is updating again', '報表「{{report}}」已恢復更新'),
  }),
  channels_recovered: kind('success', 'failures', {
    title: text(
      'Channels of “{{report}}” have output again: {{channels}}',
      '報表「{{report}}」的管道已恢復輸出資料：{{channels}}',
    ),
  }),
  schedule_ended: kind('warning', 'failures', {
    title: text('The schedule of “{{report}}” has ended', '報表「{{report}}」的排程已自動結束'),
    more: text(
      'Its end date is more than 14 days ago. A later end date restarts it.',
      '資料結束日期已超過 14 天。延後結束日期後，排程會自動重新開始。',
    ),
  }),
  login_failed: kind('error', 'failures', {
    title: text(
      'The shared login “{{login}}” ({{platform}}) no longer works',
      '公用帳號「{{login}}」（{{platform}}）已無法使用',
    ),
    more: text('Reports that use it will fail until it is fixed.', '修復之前，使用此帳號的報表將會失敗。'),
  }),
  login_recovered: kind('success', 'failures', {
    title: text(
      'The shared login “{{login}}” ({{platform}}) works again',
      '公用帳號「{{login}}」（{{platform}}）已恢復正常',
    ),
  }),
  login_expires: kind('warning', 'failures', {
    title: text(
      'The shared login “{{login}}” ({{platform}}) expires on {{expires_on}}',
      '公用帳號「{{login}}」（{{platform}}）將於 {{expires_on}} 到期',
    ),
    more: text(
      'Enter a new one before then. Otherwise, reports that use it will fail.',
      '請於到期前更新，否則使用此帳號的報表將會失敗。',
    ),
  }),
  report_shared: kind('info', 'all', {
    title: text('{{person}} shared “{{report}}” with you', '{{person}} 與您共用了報表「{{report}}」'),
  }),
  report_copied: kind('info', 'all', {
    title: text(
      '{{person}} sent you a copy of “{{report}}”',
      '{{person}} 傳送了報表副本給您：「{{report}}」',
    ),
    more: text('It is yours. It has no schedule or tab yet.', '此報表屬於您，尚未設定排程與工作表。'),
  }),
  report_transferred: kind('info', 'all', {
    title: text('You are now the owner of “{{report}}”', '報表「{{report}}」已移轉給您'),
    more: text('{{person}} transferred it to you.', '由 {{person}} 移轉。'),
  }),
  reports_transferred: kind('info', 'all', {
    title: text('You are now the owner of {{count}} reports', '{{count}} 份報表已移轉給您'),
    more: text('{{person}} transferred them to you.', '由 {{person}} 移轉。'),
  }),
  spreadsheet_taken_over: kind('warning', 'failures', {
    title: text(
      'The owner of the spreadsheet “{{spreadsheet}}” has taken control of it',
      '試算表「{{spreadsheet}}」的控制權已由其擁有者取回',
    ),
    more: text(
      'Your reports no longer write to it. Choose another spreadsheet for them.',
      '您的報表將不再寫入此試算表，請改用其他試算表。',
    ),
  }),
  spreadsheet_passed_on: kind('warning', 'failures', {
    title: text(
      'Somebody else now controls the spreadsheet “{{spreadsheet}}”',
      '試算表「{{spreadsheet}}」的控制權已轉移給他人',
    ),
    more: text(
      'Nobody on your side was an editor of it any more. Your reports no longer write to it.',
      '您這一方已無人可編輯此試算表，您的報表將不再寫入。',
    ),
  }),
  spreadsheet_released: kind('warning', 'failures', {
    title: text(
      'A superuser has reset who controls the spreadsheet “{{spreadsheet}}”',
      '超級管理員已解除試算表「{{spreadsheet}}」的控制權驗證',
    ),
    more: text(
      'Reports do not write to it until somebody checks the permissions and confirms control again.',
      '重新檢查權限並完成驗證之前，報表不會寫入此試算表。',
    ),
  }),
  spreadsheet_gained: kind('info', 'all', {
    title: text(
      'You now control the spreadsheet “{{spreadsheet}}”',
      '您已取得試算表「{{spreadsheet}}」的控制權',
    ),
    more: text(
      'Others controlled it before. Their reports no longer write to it.',
      '先前由他人控制，他們的報表將不再寫入此試算表。',
    ),
  }),
  quotation_expires: kind('warning', 'failures', {
    title: text(
      'Insertion order {{document}} of {{customer}} expires on {{expires_on}}',
      '{{customer}} 的委刊單 {{document}} 將於 {{expires_on}} 逾期',
    ),
    more: text(
      'Ask the customer for an answer, or make it valid for longer.',
      '請向客戶確認，或延長有效期限。',
    ),
  }),
  payment_overdue: kind('warning', 'failures', {
    title: text('Payment {{document}} of {{customer}} is overdue', '{{customer}} 的款項 {{document}} 已逾期'),
    more: text('It was due on {{due_on}}.', '到期日為 {{due_on}}。'),
  }),
  ad_account_stopped: kind('warning', 'failures', {
    title: text(
      'Ad account “{{ad_account}}” of {{customer}} has stopped: {{standing}}',
      '{{customer}} 的廣告帳戶「{{ad_account}}」已停止投放：{{standing}}',
    ),
    more: text('Its ads do not run until that is settled at Meta.', '於 Meta 處理完成之前，廣告將不會投放。'),
  }),
  spend_cap_near: kind('warning', 'failures', {
    title: text(
      'Ad account “{{ad_account}}” of {{customer}} has used {{cap_used}} of its spend cap',
      '{{customer}} 的廣告帳戶「{{ad_account}}」已使用花費上限的 {{cap_used}}',
    ),
    more: text(
      'At the cap its ads stop. It can be raised at Meta.',
      '達到上限後廣告將停止投放，可於 Meta 調高上限。',
    ),
  }),
  issue_reported: kind('info', 'all', {
    title: text('{{person}} reported issue no. {{issue}}', '{{person}} 回報了問題 {{issue}} 號'),
  }),
  issue_added: kind('info', 'all', {
    title: text('{{person}} added to issue no. {{issue}}', '{{person}} 補充了問題 {{issue}} 號'),
  }),
  issue_answered: kind('info', 'all', {
    title: text('Your issue no. {{issue}} has been answered', '您的問題回報 {{issue}} 號已有回覆'),
  }),
  audience_stopped: kind('warning', 'failures', {
    title: text(
      'The audience “{{audience}}” has stopped in “{{ad_account}}”',
      '受眾「{{audience}}」已於廣告帳號「{{ad_account}}」停用',
    ),
    more: text('Ads no longer reach it there.', '該帳號的廣告將無法再觸及此受眾。'),
  }),
  second_factor_on: kind('info', 'always', {
    title: text('Two-step sign-in was turned on for your account', '您的帳號已啟用兩步驟驗證'),
    more: text('All your other browsers have been signed out.', '其他已登入的瀏覽器均已登出。'),
  }),
  second_factor_off: kind('warning', 'always', {
    title: text('Two-step sign-in was turned off for your account', '您的帳號已關閉兩步驟驗證'),
    more: text(
      'If that was not you, change your password and turn it on again.',
      '若非您本人操作，請變更密碼並重新啟用。',
    ),
  }),
  second_factor_reset: kind('warning', 'always', {
    title: text('Two-step sign-in was reset for your account', '您帳號的兩步驟驗證已重設'),
    more: text(
      'You can set it up again in your profile. If you did not ask for this, tell a superuser.',
      '您可於個人資料重新設定。若您未曾要求重設，請告知超級管理員。',
    ),
  }),
  recovery_code_used: kind('warning', 'always', {
    title: text(
      'One of your recovery codes was used. Unused codes: {{count}}',
      '您的一組復原碼已使用，剩餘 {{count}} 組',
    ),
    more: text(
      'If that was not you, change your password and create new recovery codes.',
      '若非您本人操作，請變更密碼並重新產生復原碼。',
    ),
  }),
  recovery_codes_new: kind('info', 'always', {
    title: text('Your recovery codes were replaced', '您的復原碼已重新產生'),
    more: text('Your previous codes no longer work.', '先前的復原碼均已失效。'),
  }),
  second_factor_wrong: kind('warning', 'always', {
    title: text(
      'Somebody entered your password and several wrong codes',
      '有人輸入了您的密碼，並多次輸入錯誤的驗證碼',
    ),
    more: text('If that was not you, change your password now.', '若非您本人操作，請立即變更密碼。'),
  }),
  password_changed: kind('warning', 'always', {
    title: text('Your password was changed', '您的密碼已變更'),
    more: text(
      'On {{when}} from {{address}}. All other sign-ins have ended. If that was not you, tell a superuser immediately.',
      '時間：{{when}}，來源位址：{{address}}。其他登入皆已結束。若非您本人操作，請立即通知超級管理員。',
    ),
  }),
  session_reused: kind('warning', 'always', {
    title: text('One of your sign-ins was ended for security', '基於安全考量，已結束您的一個登入'),
    more: text(
      'Its token was used a second time on {{when}} from {{address}}, so somebody may have copied it. If that was not you, change your password.',
      '其權杖於 {{when}} 從 {{address}} 被重複使用，可能已遭複製。若非您本人操作，請變更密碼。',
    ),
  }),
} as const satisfies Record<string, NoticeFacts>

export type NoticeKind = keyof typeof notices

export interface NoticeFacts {
  severity: 'info' | 'success' | 'warning' | 'error'
  mail: 'always' | 'failures' | 'all'
  title: Text
  more?: Text
}

export const noticeKinds = Object.keys(notices) as [NoticeKind, ...NoticeKind[]]

/** Which notices somebody has sent to their e-mail address. */
export const mailChoices = ['none', 'failures', 'all'] as const
export type MailChoice = (typeof mailChoices)[number]

/** What one can do about it, in the order in which an offer is looked for. */
export const noticeActions = {
  ...failureActions,
  edit_report: text('Open report', '開啟報表'),
  extend_report: text('Choose a later end date', '延後結束日期'),
  reconnect: text('Fix shared login', '修復公用帳號'),
  see_run: text('View run', '查看執行詳情'),
  answer_issue: text('View and answer', '查看並回覆'),
  see_issue: text('View answer', '查看回覆'),
  open_reports: text('Open reports', '前往報表'),
  open_order: text('Open order', '前往委刊單'),
  open_ad_account: text('Open ad account', '查看廣告帳戶'),
  open_payment: text('Open payment', '前往款項'),
  open_audiences: text('Open audience lists', '前往受眾名單'),
  open_second_factor: text('Open two-step sign-in', '前往兩步驟驗證'),
  see_sessions: text('View your sign-ins', '查看目前的登入'),
} as const satisfies Record<string, Text>

export type NoticeAction = keyof typeof noticeActions

function kind<Severity extends NoticeFacts['severity'], Mail extends NoticeFacts['mail']>(
  severity: Severity,
  mail: Mail,
  texts: { title: Text; more?: Text },
) {
  return { severity, mail, ...texts }
}

function text(en: string, zh: string): Text {
  return { en, 'zh-TW': zh }
}
