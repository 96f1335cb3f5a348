import type { Notification } from './api/notifications.ts'
import { errorText, type ErrorTexts } from './error-texts.ts'
import { isErrorCode } from './errors.ts'
import { failureActionOf, pathOfFailureAction } from './failure-actions.ts'
import { instructionsPath } from './instructions.ts'
import { listText, type Language } from './language.ts'
import { notices, type NoticeFacts, type NoticeAction } from './notices.ts'
import { platforms } from './platforms.ts'
import { reasonText, statusText } from './account-standing.ts'
import { nameSpecialists, type Specialist } from './specialist.ts'

export type Audience = 'internal' | 'external'

/** Whom a notice is worded for. */
export interface NoticeReader {
  language: Language
  errors: ErrorTexts
  audience: Audience
  /** Who serves them, where they are a client. */
  specialists: readonly Specialist[]
}

/** A notice in words: what happened, why and what follows, and where it can be fixed. */
export function noticeText(
  notice: Notification,
  { language, errors, audience, specialists }: NoticeReader,
): { title: string; cause: string } {
  const facts: NoticeFacts = notices[notice.kind]
  const fill = (template: string) =>
    template.replaceAll(/\{\{(\w+)\}\}/g, (_, name: string) => valuesOf(notice, language)[name] ?? '')
  const causes = [notice.code ?? '', notice.detail.last ?? ''].filter(isErrorCode)
  const sentences = [
    ...causes.map(code => nameSpecialists(errorText(errors, code, audience), specialists, language)),
    ...(facts.more ? [fill(facts.more[language])] : []),
  ]
  return { title: fill(facts.title[language]), cause: sentences.join(language === 'en' ? ' ' : '') }
}

function valuesOf(
  { report, detail, at }: Pick<Notification, 'report' | 'detail' | 'at'>,
  language: Language,
): Record<string, string> {
  const {
    channels = [],
    person = '',
    count = 0,
    login = '',
    platform,
    expires_on = '',
    issue,
    address = '',
    spreadsheet = '',
    document = '',
    customer = '',
    due_on = '',
    audience = '',
    ad_account: account = '',
    cap_used = 0,
  } = detail
  return {
    report: report?.name ?? '',
    channels: listText(channels, language),
    person,
    count: count.toLocaleString(language),
    login,
    platform: platform ? platforms[platform].names[language] : '',
    expires_on,
    issue: String(issue ?? ''),
    address,
    when: instantIn(detail.time_zone ?? 'UTC', at, language),
    spreadsheet,
    document,
    customer,
    due_on,
    audience,
    ad_account: account,
    standing: detail.status === undefined ? '' : standingText(detail.status, detail.disable_reason, language),
    cap_used: `${(cap_used / 100).toLocaleString(language, { maximumFractionDigits: 1 })}%`,
  }
}

/** Disabled (payment risk) */
function standingText(status: number, reason: number | undefined, language: Language): string {
  const why = reasonText(reason ?? null)?.[language]
  const how = statusText(status)[language]
  if (why === undefined) return how
  return language === 'en' ? `${how} (${why})` : `${how}（${why}）`
}

/** With its zone: a mail is read anywhere. */
const instantIn = (timeZone: string, at: string, language: Language) =>
  new Intl.DateTimeFormat(language, {
    timeZone,
    year: 'numeric',
    month: 'short',
    day: 'numeric',
    hour: '2-digit',
    minute: '2-digit',
    timeZoneName: 'short',
  }).format(new Date(at))

/** Where the notice leads: the place where it can be fixed, or the thing itself. */
export function noticeActionOf(
  notice: Notification,
  audience: Audience,
): { action: NoticeAction; path: string } | null {
  const { kind, report, run, code } = notice
  if (kind === 'login_failed' || kind === 'login_recovered' || kind === 'login_expires')
    return { action: 'reconnect', path: '/setting/public-account' }
  if (kind === 'issue_answered' || kind === 'issue_reported' || kind === 'issue_added')
    return {
      action: kind === 'issue_answered' ? 'see_issue' : 'answer_issue',
      // Clients have no page of issues: theirs opens over the first page.
      path: `${audience === 'internal' ? '/support' : '/'}${notice.detail.issue ? `?issue=${notice.detail.issue}` : ''}`,
    }
  if (kind === 'password_changed' || kind === 'session_reused')
    return { action: 'see_sessions', path: '/profile#sessions' }
  if (kind === 'quotation_expires')
    return { action: 'open_order', path: `/customer/insertion-order/${notice.detail.quotation ?? ''}` }
  if (kind === 'ad_account_stopped' || kind === 'spend_cap_near') {
    const { business, ad_account_id } = notice.detail
    return {
      action: 'open_ad_account',
      path: `/bm-management?business=${business ?? ''}&search=${encodeURIComponent(ad_account_id ?? '')}`,
    }
  }
  if (kind === 'payment_overdue')
    return {
      action: 'open_payment',
      path: `/customer/insertion-order/payments?search=${encodeURIComponent(notice.detail.document ?? '')}`,
    }
  if (kind === 'audience_stopped') return { action: 'open_audiences', path: '/lta-audience/audience-list' }
  if (kind === 'reports_transferred') return { action: 'open_reports', path: '/gs-template' }
  if (kind.startsWith('second_factor') || kind.startsWith('recovery_code'))
    return { action: 'open_second_factor', path: '/profile#second-factor' }
  if (!report) return null
  const editor = `/gs-template/template?id=${report.id}`
  if (kind === 'schedule_ended') return { action: 'extend_report', path: editor }
  if (kind === 'report_shared' || kind === 'report_copied' || kind === 'report_transferred')
    return { action: 'edit_report', path: editor }
  if (code?.startsWith('credential_') && audience === 'internal' && run === null)
    return { action: 'reconnect', path: '/setting/public-account' }
  // Its text names the instructions, and no sentence of a mail has a link.
  if (code === 'channel_no_data' && audience === 'internal')
    return { action: 'instructions', path: instructionsPath() }
  const identity = audience === 'internal' ? 'staff' : 'external_user'
  const action =
    code !== null && isErrorCode(code) ? failureActionOf(code, { identity, may_change: true }) : null
  const path = action && pathOfFailureAction(action, { report: report.id })
  if (action !== null && path !== null && action !== 'report_issue') return { action, path }
  return { action: 'see_run', path: `/gs-template/history?id=${report.id}${run ? `&run=${run}` : ''}` }
}
