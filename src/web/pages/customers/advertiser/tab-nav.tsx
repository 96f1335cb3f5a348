import { LinkText } from '#web/client/links.tsx'
import { useTranslation } from '#web/i18n/use-translation.ts'
import { tabs } from '#web/pages/customers/search.ts'
import styles from '#web/pages/tab-nav.module.css'

/** The tabs are addresses: links that can be sent and opened anew. */
export function TabNav({ id }: { id: number }) {
  const { t } = useTranslation('advertisers')
  return (
    <nav className={styles.tabs} aria-label={t('tab.label')}>
      {tabs.map(tab => (
        <LinkText
          key={tab}
          to="/customer/advertiser/$id"
          params={{ id: String(id) }}
          search={tab === 'overview' ? {} : { tab }}
          activeOptions={{ exact: true, includeSearch: true }}
        >
          {t(`tab.${tab}`)}
        </LinkText>
      ))}
    </nav>
  )
}
