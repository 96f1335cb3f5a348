import { Link, useLocation } from '@tanstack/react-router'
import { useTranslation } from '#web/i18n/use-translation.ts'
import { useMe } from './me.ts'
import { isUnder, menuOf } from './menu.ts'
import styles from './sidebar.module.css'

/** The groups of pages that this person may open; `rail`: only their icons. */
export function Navigation({ rail }: { rail: boolean }) {
  const { t } = useTranslation('app')
  const me = useMe()
  const pathname = useLocation({ select: location => location.pathname })
  return (
    <nav className={styles.nav} aria-label={t('nav.label')}>
      {menuOf(me).map(group => {
        const active = group.items.some(item => isUnder(pathname, item.to))
        return (
          <div key={group.key} className={styles.group} data-active={active || undefined}>
            {group.items.length > 1 && !rail && <h2 className={styles.groupName}>{t(`nav.${group.key}`)}</h2>}
            {group.items.map(item => (
              <Link
                key={item.key}
                to={item.to}
                className={styles.item}
                data-active={isUnder(pathname, item.to) || undefined}
                aria-current={isUnder(pathname, item.to) ? 'page' : undefined}
                {...(rail && { title: t(`nav.${item.key}`), 'aria-label': t(`nav.${item.key}`) })}
              >
                <item.icon size={18} stroke={1.6} aria-hidden />
                {!rail && <span>{t(`nav.${item.key}`)}</span>}
              </Link>
            ))}
          </div>
        )
      })}
    </nav>
  )
}
