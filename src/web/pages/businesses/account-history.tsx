import { reasonText, statusText } from '#shared/account-standing.ts'
import type { BusinessAccount } from '#shared/api/businesses.ts'
import type { Language } from '#shared/language.ts'
import { useTranslation } from '#web/i18n/use-translation.ts'
import { formatMoney } from '#web/ui/money.ts'
import { instantText } from '#web/ui/times.ts'
import styles from './businesses.module.css'

type Change = BusinessAccount['history'][number]

/** What has changed at Meta, the newest first. */
export function AccountHistory({ account }: { account: BusinessAccount }) {
  const { t, language } = useTranslation('businesses')
  const none = t('history.nothing')
  if (account.history.length === 0) return <p className={styles.quiet}>{t('history.none')}</p>
  return (
    <ul className={styles.list}>
      {account.history.map(change => (
        <li key={`${change.at} ${change.field}`}>
          {change.field === 'gone'
            ? t(change.to === true ? 'history.gone' : 'history.back')
            : t('history.change', {
                field: t(`history.field.${change.field}`),
                from: textOf(change.field, change.from) ?? none,
                to: textOf(change.field, change.to) ?? none,
              })}
          <small className={styles.below}>
            <time dateTime={change.at}>{instantText(change.at, language)}</time>
          </small>
        </li>
      ))}
    </ul>
  )

  function textOf(field: Change['field'], value: Change['from']): string | null {
    if (field === 'relation') return value === 'owned' || value === 'client' ? t(`relation.${value}`) : null
    return typeof value === 'number'
      ? numberText(field, value, { language, currency: account.currency })
      : null
  }
}

function numberText(
  field: Change['field'],
  value: number,
  { language, currency }: { language: Language; currency: string },
): string | null {
  if (field === 'status') return statusText(value)[language]
  if (field === 'disable_reason') return reasonText(value)?.[language] ?? null
  return formatMoney(value, currency, language)
}
