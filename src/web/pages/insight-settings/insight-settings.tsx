import { LinkText } from '#web/client/links.tsx'
import { usePageTitle } from '#web/client/page-title.ts'
import { useTranslation } from '#web/i18n/use-translation.ts'
import { PageHeader } from '#web/ui/page-header.tsx'
import { ConversionsTab } from './conversions/conversions-tab.tsx'
import tabStyles from '#web/pages/tab-nav.module.css'
import { LabelsTab } from './labels/labels-tab.tsx'
import { MetricsTab } from './metrics/metrics-tab.tsx'
import { RatesTab } from './rates/rates-tab.tsx'
import { tabs, type Tab } from './search.ts'
import { tabOf, useInsightView } from './view.ts'

/** What a number means, decided once for all reports. */
export function InsightSettings() {
  const { t } = useTranslation('insight')
  const tab = tabOf(useInsightView().view)
  usePageTitle(t('tab_title', { tab: t(`tab.${tab}`) }))
  return (
    <>
      <PageHeader title={t('title')} detail={t(`detail.${tab}`)} />
      <TabNav current={tab} />
      {tab === 'metrics' && <MetricsTab />}
      {tab === 'conversions' && <ConversionsTab />}
      {tab === 'labels' && <LabelsTab />}
      {tab === 'rates' && <RatesTab />}
    </>
  )
}

/** The tabs are addresses: links that can be sent and opened anew. */
function TabNav({ current }: { current: Tab }) {
  const { t } = useTranslation('insight')
  return (
    <nav className={tabStyles.tabs} aria-label={t('tab.label')}>
      {tabs.map(tab => (
        <LinkText
          key={tab}
          to="/insight-setting"
          search={{ search: '', page: 1, ...(tab !== 'metrics' && { tab }) }}
          resetScroll={false}
          activeOptions={{ exact: true, includeSearch: true }}
          aria-current={tab === current ? 'page' : undefined}
          {...(tab === current && { ref: bringIntoView })}
        >
          {t(`tab.${tab}`)}
        </LinkText>
      ))}
    </nav>
  )
}

/** On a phone the tabs are wider than the page. */
const bringIntoView = (link: HTMLAnchorElement | null) =>
  link?.scrollIntoView({ block: 'nearest', inline: 'nearest' })
