import { isAuditField } from '#shared/audit.ts'
import { listText } from '#shared/language.ts'
import { useTranslation } from '#web/i18n/use-translation.ts'
import styles from './audit.module.css'
import { useCodeTexts } from './code-texts.ts'
import type { Line } from './data.ts'

/** At most this many are shown at first. */
const AT_FIRST = 3

/** The details of an entry: from and to of each field, or how much was moved. */
export function Changes({ line: { detail } }: { line: Pick<Line, 'detail'> }) {
  const { t } = useTranslation('audit')
  const texts = useChangeTexts(detail ?? {})
  const rest = texts.slice(AT_FIRST)
  if (texts.length === 0) return <span className={styles.quiet}>–</span>
  return (
    <>
      <List texts={texts.slice(0, AT_FIRST)} />
      {rest.length > 0 && (
        <details className={styles.more}>
          <summary>{t('more')}</summary>
          <List texts={rest} />
        </details>
      )}
    </>
  )
}

const List = ({ texts }: { texts: readonly string[] }) => (
  <ul className={styles.changes}>
    {texts.map(text => (
      <li key={text}>{text}</li>
    ))}
  </ul>
)

function useChangeTexts(detail: Record<string, unknown>): string[] {
  const { t, language } = useTranslation('audit')
  const codeTexts = useCodeTexts()
  const { changes, rows, is_whole } = detail
  const fieldText = (path: string) => {
    // One of several contacts, and a part of it.
    const [, place] = /^contacts\.(\d+)/.exec(path) ?? []
    if (place !== undefined) return `${t('field.contacts')} ${Number(place) + 1}`
    return isAuditField(path) ? t(`field.${path}`) : path
  }
  const ofFields = Object.entries(Object(changes) as Record<string, Partial<Changed>>).map(
    ([path, { from, to, kept }]) => {
      const field = fieldText(path)
      const valueText = (value: unknown) => textOf(path, value)
      if (kept === undefined || !Array.isArray(from) || !Array.isArray(to))
        return t('change', { field, from: valueText(from), to: valueText(to) })
      const parts = [
        from.length > 0 && t('list_change.gone', { items: valueText(from) }),
        to.length > 0 && t('list_change.come', { items: valueText(to) }),
      ].filter(part => part !== false)
      return `${field}: ${listText(parts, language)}`
    },
  )
  const taken =
    typeof rows === 'number'
      ? [listText([t('rows', { count: rows }), ...(is_whole === false ? [t('broken_off')] : [])], language)]
      : []
  return [...ofFields, ...taken]

  function textOf(path: string, value: unknown): string {
    const known = isAuditField(path) ? codeTexts[path]?.(value) : undefined
    if (known !== undefined) return known
    if (value === null || value === undefined || value === '') return t('none')
    if (value === true) return t('yes')
    if (value === false) return t('no')
    if (Array.isArray(value))
      return (
        listText(
          value.map(one => textOf(path, one)),
          language,
        ) || t('none')
      )
    if (typeof value !== 'object') return String(value)
    return path.startsWith('contacts.') && 'value' in value ? String(value.value) : JSON.stringify(value)
  }
}

interface Changed {
  from: unknown
  to: unknown
  kept: number
}
