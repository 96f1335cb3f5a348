import { useSearch } from '@tanstack/react-router'
import { LinkButton } from '#web/client/links.tsx'
import { useIsInternal } from '#web/client/me.ts'
import { usePageTitle } from '#web/client/page-title.ts'
import { useTranslation } from '#web/i18n/use-translation.ts'
import { bulkChangeKinds } from '#web/pages/reports/search.ts'
import { Card } from '#web/ui/card.tsx'
import { PageHeader } from '#web/ui/page-header.tsx'
import styles from './bulk-changes.module.css'
import { CloneSteps } from './clone-steps.tsx'
import { EndingReports } from './ending-reports.tsx'
import { ReplaceSteps } from './replace-steps.tsx'

/** What is done to many reports at once. */
export function BulkChangesPage() {
  const { t } = useTranslation('bulk_changes')
  const { do: kind = 'ending', reports = [] } = useSearch({ from: '/shell/gs-template/care' })
  const isInternal = useIsInternal()
  usePageTitle(t('title'))
  // A client has no second client to clone for.
  const offered = bulkChangeKinds.filter(name => name !== 'clone' || isInternal)
  return (
    <div className={styles.page}>
      <PageHeader title={t('title')} detail={t('detail')} />
      <nav aria-label={t('what')} className={styles.kinds}>
        {offered.map(name => (
          <LinkButton
            key={name}
            to="/gs-template/care"
            search={{ do: name, ...(reports.length > 0 && { reports }) }}
            variant={name === kind ? 'light' : 'subtle'}
            aria-current={name === kind ? 'page' : undefined}
          >
            {t(`kind.${name}`)}
          </LinkButton>
        ))}
      </nav>
      {kind === 'ending' && <EndingReports />}
      {kind === 'replace' && (
        <Card>
          <ReplaceSteps reports={reports} />
        </Card>
      )}
      {kind === 'clone' && isInternal && (
        <Card>
          <CloneSteps reports={reports} />
        </Card>
      )}
    </div>
  )
}
