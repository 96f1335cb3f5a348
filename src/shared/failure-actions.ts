import { isInternal, type IdentityName } from './access.ts'
import type { Channel } from './channels/catalogue.ts'
import { errorFacts, type ErrorCode, type Offer } from './errors.ts'
import { instructionsPath } from './instructions.ts'
import type { Text } from './language.ts'

/**
 * What a person can do about a failed run: the same on its page, in lists, on the overview, in notifications
 * and in e-mails.
 */
export const failureActions = {
  run_again: text('Run again', '重新執行'),
  permission_settings: text('Open permission settings', '前往權限設定'),
  edit_report: text('Edit report', '編輯報表'),
  edit_channel: text('Go to the channel', '前往此管道'),
  shorten_range: text('Shorten the date range', '縮短日期區間'),
  reconnect: text('Reconnect', '重新連結'),
  instructions: text('Open the instructions', '查看授權說明'),
  report_issue: text('Report the issue', '回報問題'),
  ask_specialist: text('Ask your specialist', '聯絡服務專員'),
} as const satisfies Record<string, Text>
export type FailureAction = keyof typeof failureActions

/** Superusers have the shared logins; clients have a service specialist. */
type ReaderKind = 'superuser' | 'internal' | 'external'

const actions: Record<Offer, FailureAction | null | Record<ReaderKind, FailureAction>> = {
  none: null,
  field: 'edit_report',
  edit_report: 'edit_report',
  edit_channel: 'edit_channel',
  shorten_range: 'shorten_range',
  permission_settings: 'permission_settings',
  share_spreadsheet: 'permission_settings',
  run_again: 'run_again',
  // It is retried by itself; once the run has given up, a person may.
  wait: 'run_again',
  reconnect: { superuser: 'reconnect', internal: 'report_issue', external: 'ask_specialist' },
  regain_access: { superuser: 'reconnect', internal: 'instructions', external: 'ask_specialist' },
  check_channel: { superuser: 'edit_channel', internal: 'edit_channel', external: 'ask_specialist' },
  support: { superuser: 'report_issue', internal: 'report_issue', external: 'report_issue' },
  contact_pm: { superuser: 'report_issue', internal: 'report_issue', external: 'report_issue' },
}

interface Reader {
  identity: IdentityName
  may_change: boolean
}

/** The one action that helps this person most; null: none of theirs does. */
export function failureActionOf(code: ErrorCode, { identity, may_change }: Reader): FailureAction | null {
  const action = actions[errorFacts(code).offer]
  const reader = identity === 'superuser' ? 'superuser' : isInternal({ identity }) ? 'internal' : 'external'
  const chosen = typeof action === 'object' && action !== null ? action[reader] : action
  return chosen !== null && changing.has(chosen) && !may_change ? null : chosen
}

const changing: ReadonlySet<FailureAction> = new Set([
  'permission_settings',
  'edit_report',
  'edit_channel',
  'shorten_range',
])

/** Whether the same run may succeed if it is only started again, or after something outside was changed. */
export const mayRunAgainHelp = (code: ErrorCode): boolean =>
  ['run_again', 'wait', 'share_spreadsheet', 'check_channel', 'contact_pm'].includes(errorFacts(code).offer)

/**
 * Where the action is done; `channel` counts from 0, and `of` is which one it is. null: on the page of the
 * run itself.
 */
export function pathOfFailureAction(
  action: FailureAction,
  { report, channel, of }: { report: number; channel?: number | undefined; of?: Channel | undefined },
): string | null {
  const editor = `/gs-template/template?id=${report}`
  const paths: Record<FailureAction, string | null> = {
    run_again: null,
    permission_settings: `/gs-template/setting?id=${report}`,
    edit_report: editor,
    edit_channel: `${editor}#${channel === undefined ? 'channels' : `block-${channel}`}`,
    shorten_range: `${editor}#dates`,
    reconnect: '/setting/public-account',
    instructions: instructionsPath(of),
    // The form opens over the page; clients have no page of issues.
    report_issue: `/?report=${report}`,
    ask_specialist: `/?report=${report}`,
  }
  return paths[action]
}

function text(en: string, zh: string): Text {
  return { en, 'zh-TW': zh }
}
