import type { Notification } from '#shared/api/notifications.ts'
import type { ErrorTexts } from '#shared/error-texts.ts'
import { errorsEn } from '#shared/errors-en.ts'
import { errorsZhTW } from '#shared/errors-zh-TW.ts'
import type { Language, Text } from '#shared/language.ts'
import { noticeText, noticeActionOf, type NoticeReader } from '#shared/notice-text.ts'
import { noticeActions } from '#shared/notices.ts'

interface Reader extends Omit<NoticeReader, 'errors'> {
  public_url: string
}

/** The text of an e-mail about one notification. */
interface Item {
  severity: Notification['severity']
  title: string
  cause: string
  link: { text: string; url: string } | null
}

/** One e-mail of all notifications, as text and as HTML that loads no external resources. */
export function composeMessage(notices: readonly Notification[], reader: Reader) {
  const { language, public_url } = reader
  const entries = gathered(notices)
  const items = entries.slice(0, MOST).map(notice => itemOf(notice, reader))
  const left_out = entries.length - items.length
  const settings_url = `${public_url}/profile#notices`
  const say = (text: Text) => text[language]
  const [first] = items
  const subject =
    (first?.title ?? '') + (entries.length > 1 ? fill(say(texts.others), entries.length - 1) : '')
  const more = left_out > 0 ? fill(say(texts.more), left_out) : null
  const closing = { why: say(texts.why), settings: say(texts.settings), settings_url }
  return {
    subject,
    text: asText(items, { more, ...closing }),
    html: asHtml(items, { language, more, ...closing, heading: say(texts.heading) }),
    settings_url,
  }
}

const MOST = 50

const texts = {
  heading: { en: 'Your reports', 'zh-TW': '您的報表' },
  others: { en: ' (and {{count}} more)', 'zh-TW': '（另有 {{count}} 則）' },
  more: {
    en: 'See your notifications in Sheetcast for {{count}} more.',
    'zh-TW': '另有 {{count}} 則，請至 Sheetcast 的通知查看。',
  },
  why: {
    en: 'You receive this e-mail from Sheetcast because it is about your reports or your account.',
    'zh-TW': '此信由 Sheetcast 自動寄出，內容與您的報表或帳號有關。',
  },
  settings: { en: 'Choose which e-mails you receive', 'zh-TW': '選擇要收到的電子郵件' },
} as const satisfies Record<string, Text>

const fill = (text: string, count: number) => text.replace('{{count}}', String(count))

/** The most severe first; grouped by report. */
function gathered(notices: readonly Notification[]): Notification[] {
  const reports = Map.groupBy(notices, ({ id, report }) => report?.id ?? `notice ${id}`)
  const worst = (of_report: readonly Notification[]) =>
    Math.min(...of_report.map(({ severity }) => severities.indexOf(severity)))
  return [...reports.values()].toSorted((one, other) => worst(one) - worst(other)).flat()
}

const severities: Notification['severity'][] = ['error', 'warning', 'success', 'info']

function itemOf(notice: Notification, { public_url, ...reader }: Reader): Item {
  const { language, audience } = reader
  const offer = noticeActionOf(notice, audience)
  return {
    severity: notice.severity,
    ...noticeText(notice, { ...reader, errors: errorTexts[language] }),
    link: offer && { text: noticeActions[offer.action][language], url: public_url + offer.path },
  }
}

export const errorTexts: Record<Language, ErrorTexts> = { en: errorsEn, 'zh-TW': errorsZhTW }

interface Closing {
  more: string | null
  why: string
  settings: string
  settings_url: string
}

function asText(items: readonly Item[], { more, why, settings, settings_url }: Closing): string {
  const lines = items.map(({ title, cause, link }) =>
    [title, ...(cause ? [cause] : []), ...(link ? [`${link.text}: ${link.url}`] : [])]
      .map(withoutBreaks)
      .join('\n'),
  )
  return [...lines, ...(more ? [more] : []), '--', `${why}\n${settings}: ${settings_url}`].join('\n\n')
}

/** A name with line breaks must not look like a paragraph of ours. */
const withoutBreaks = (text: string) => text.replaceAll(/\p{Cc}+/gu, ' ')

const colors = { error: '#c22f2f', warning: '#a04a00', success: '#187845', info: '#2f55c8' } as const

function asHtml(
  items: readonly Item[],
  { language, heading, more, why, settings, settings_url }: Closing & { language: Language; heading: string },
): string {
  const blocks = items.map(
    ({ severity, title, cause, link }) => `
<div style="margin: 0 0 16px; padding: 2px 0 2px 14px; border-left: 4px solid ${colors[severity]}">
<p style="margin: 0; font-size: 15px; font-weight: 600">${escaped(title)}</p>
${cause ? `<p style="margin: 4px 0 0; color: #465060">${escaped(cause)}</p>` : ''}
${link ? `<p style="margin: 6px 0 0"><a href="${escaped(link.url)}" style="color: #2848ab">${escaped(link.text)}</a></p>` : ''}
</div>`,
  )
  return `<!doctype html>
<html lang="${language === 'zh-TW' ? 'zh-Hant-TW' : language}">
<head><meta charset="utf-8"><title>${escaped(heading)}</title></head>
<body style="margin: 0; padding: 24px; font-family: sans-serif; font-size: 14px; line-height: 1.5; color: #181d26; background: #ffffff">
<div style="max-width: 600px; margin: 0 auto">
<h1 style="margin: 0 0 20px; font-size: 18px">${escaped(heading)}</h1>
${blocks.join('\n')}
${more ? `<p>${escaped(more)}</p>` : ''}
<p style="margin: 28px 0 0; padding: 12px 0 0; border-top: 1px solid #e4e7ec; font-size: 12px; color: #626d7d">${escaped(why)}
<a href="${escaped(settings_url)}" style="color: #2848ab">${escaped(settings)}</a></p>
</div>
</body>
</html>
`
}

/** Escapes text inside an element or a quoted attribute. */
const escaped = (text: string) => text.replaceAll(/[&<>"']/g, character => `&#${character.codePointAt(0)};`)
