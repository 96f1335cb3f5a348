import { Link, useMatches } from '@tanstack/react-router'
import { crumbName } from '#web/client/page-title.ts'
import { useStore } from '#web/client/store.ts'
import { useTranslation } from '#web/i18n/use-translation.ts'
import styles from './header.module.css'
import { useMayOpen } from './may-open.ts'

/**
 * The way from the area to this page; the last part is the name of the thing where the page has given one. A
 * page that is not for this person is named as little as one that does not exist.
 */
export function Breadcrumb() {
  const { t } = useTranslation('app')
  const name = useStore(crumbName)
  const mayOpen = useMayOpen()
  const crumbs = useMatches({
    select: matches =>
      matches.flatMap(({ pathname, staticData }) =>
        staticData.crumb ? [{ pathname, crumb: staticData.crumb }] : [],
      ),
    structuralSharing: true,
  })
  return (
    <nav className={styles.way} aria-label={t('crumb.label')}>
      <ol className={styles.crumbs}>
        {(!mayOpen || crumbs.length === 0) && (
          <li>
            <span aria-current="page">{t('not_found.title')}</span>
          </li>
        )}
        {(mayOpen ? crumbs : []).map(({ pathname, crumb }, index) =>
          index < crumbs.length - 1 ? (
            <li key={pathname}>
              <Link to={pathname}>{t(`crumb.${crumb}`)}</Link>
            </li>
          ) : (
            <li key={pathname}>
              <span aria-current="page">{name ?? t(`crumb.${crumb}`)}</span>
            </li>
          ),
        )}
      </ol>
    </nav>
  )
}
