import type { User } from '#shared/api/people.ts'
import { useTranslation } from '#web/i18n/use-translation.ts'
import { contactTypes } from './contacts-field.tsx'
import styles from './users.module.css'

/** How somebody can be reached; what a phone or a mail program opens is a link. */
export function ContactLines({ user: { email, contacts } }: { user: User }) {
  const { t } = useTranslation('users')
  const others = (contacts ?? []).filter(({ value }) => value !== email)
  if (!email && others.length === 0) return <span className={styles.quiet}>–</span>
  return (
    <>
      {email && (
        <div className={styles.contact}>
          <a href={`mailto:${email}`}>{email}</a>
        </div>
      )}
      {others.map(({ type, value }) => (
        <div key={`${type} ${value}`} className={styles.contact}>
          <span className={styles.quiet}>{t(`contact.${contactTypes[type] ?? 'other'}`)}</span>{' '}
          <Value type={contactTypes[type] ?? 'other'} value={value} />
        </div>
      ))}
    </>
  )
}

function Value({ type, value }: { type: (typeof contactTypes)[number]; value: string }) {
  if (type === 'email') return <a href={`mailto:${value}`}>{value}</a>
  if (type !== 'mobile' || !value.startsWith('+')) return value
  return (
    <a href={`tel:${value}`} data-tabular>
      {value.replace(/^(\+886)(\d{3})(\d{3})(\d{3})$/, '$1 $2 $3 $4')}
    </a>
  )
}
