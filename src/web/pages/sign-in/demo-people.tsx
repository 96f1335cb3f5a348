import type { Demo } from '#shared/api/demo.ts'
import { useTranslation } from '#web/i18n/use-translation.ts'
import { Initials } from '#web/ui/initials.tsx'
import styles from './demo-people.module.css'

interface DemoPeopleProps {
  demo: Demo
  disabled: boolean
  onChoose: (username: string) => void
}

/** The demo agency's people, each a button that signs in. */
export function DemoPeople({ demo, disabled, onChoose }: DemoPeopleProps) {
  const { t } = useTranslation('sign_in')
  const { t: tApp } = useTranslation('app')
  return (
    <section className={styles.demo}>
      <h2>{t('demo_title')}</h2>
      <p>{t('demo_detail')}</p>
      <ul>
        {demo.users.map(({ username, identity, name }) => (
          <li key={username}>
            <button
              type="button"
              disabled={disabled}
              onClick={() => onChoose(username)}
              aria-label={t('demo_as', { name })}
            >
              <Initials name={name} />
              <span className={styles.name}>{name}</span>
              <span className={styles.role}>{tApp(`identity.${identity}`)}</span>
            </button>
          </li>
        ))}
      </ul>
    </section>
  )
}
