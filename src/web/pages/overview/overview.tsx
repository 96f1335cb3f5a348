import { useSearch } from '@tanstack/react-router'
import { Suspense } from 'react'
import { isAtLeast } from '#shared/access.ts'
import type { Grouping } from '#shared/api/overview-groups.ts'
import { nameOf } from '#shared/person-name.ts'
import { LinkButton } from '#web/client/links.tsx'
import { useIsInternal, useMe } from '#web/client/me.ts'
import { Optional } from '#web/client/optional.tsx'
import { usePageTitle } from '#web/client/page-title.ts'
import { useIsPageIdle } from '#web/client/page-idle.ts'
import { loadOverviewTexts } from '#web/i18n/i18n.ts'
import { useTranslation } from '#web/i18n/use-translation.ts'
import { LazyProblem } from '#web/ui/lazy-problem.tsx'
import { PageHeader } from '#web/ui/page-header.tsx'
import { lazy, lazyAtFirst } from '#web/visit/lazy.ts'
import { Agency } from './agency.tsx'
import { useOverview } from './data.ts'
import { OverviewLoading } from './overview-loading.tsx'
import styles from './overview.module.css'

const groupings: readonly Grouping[] = ['team', 'client']

/** Clients see another page, which is not worth loading for the agency's own people. */
const ClientReports = lazyAtFirst('pages/overview/client-reports.tsx', async () => {
  const [{ ClientReports: drawn }] = await Promise.all([import('./client-reports.tsx'), loadOverviewTexts()])
  return { default: drawn }
})

/** For whoever has no report yet. */
const FirstSteps = lazyAtFirst('pages/overview/first-steps.tsx', async () => {
  const [{ FirstSteps: drawn }] = await Promise.all([import('./first-steps.tsx'), loadOverviewTexts()])
  return { default: drawn }
})

/** For who leads others; their own reports are drawn first. */
const ViewSwitch = lazy(async () => {
  const [{ ViewSwitch: drawn }] = await Promise.all([import('./view-switch.tsx'), loadOverviewTexts()])
  return { default: drawn }
})
const GroupsCard = lazy(async () => {
  const [{ GroupsCard: drawn }] = await Promise.all([import('./groups-card.tsx'), loadOverviewTexts()])
  return { default: drawn }
})

/** Events from now on; what is there already is drawn first. */
const RunEvents = lazy(async () => ({
  default: (await import('#web/pages/reports/runs/run-events.tsx')).RunEvents,
}))

/** What happened to my reports today, what is scheduled, and what needs my attention. */
export function Overview() {
  const { t } = useTranslation('overview')
  const me = useMe()
  const isIdle = useIsPageIdle()
  const { view } = useSearch({ from: '/shell/' })
  const leads = isAtLeast(me.identity, 'manager')
  // Without one of them, and for who leads nobody, one's own reports.
  const by = leads ? groupings.find(group => view === `${group}s`) : undefined
  usePageTitle(t('title'))
  return (
    <>
      <PageHeader
        title={t('greeting', { name: nameOf(me) })}
        actions={
          <>
            <LinkButton to="/gs-template" search={{ p: 0, search: '', page: 1 }} variant="default">
              {t('all_reports')}
            </LinkButton>
            <LinkButton to="/gs-template/new">{t('new_report')}</LinkButton>
          </>
        }
      />
      {leads && (
        <div className={styles.views}>
          <Optional>{(isIdle || by !== undefined) && <ViewSwitch by={by} />}</Optional>
          <Optional>{by !== undefined && <GroupsCard by={by} />}</Optional>
        </div>
      )}
      {by === undefined && <Today />}
      <Optional>{isIdle && <RunEvents />}</Optional>
    </>
  )
}

function Today() {
  const overview = useOverview()
  const internal = useIsInternal()
  if (!overview.data)
    return overview.error ? (
      <LazyProblem code={overview.error.code} onRetry={() => void overview.refetch()} />
    ) : (
      <OverviewLoading internal={internal} />
    )
  const { recent, has_accounts } = overview.data
  return (
    <Suspense fallback={<OverviewLoading internal={internal} />}>
      {recent.count === 0 ? (
        <FirstSteps has_accounts={has_accounts} />
      ) : internal ? (
        <Agency overview={overview.data} />
      ) : (
        <ClientReports overview={overview.data} />
      )}
    </Suspense>
  )
}
