import type { Operations as Facts } from '#shared/api/operations.ts'
import { usePageTitle } from '#web/client/page-title.ts'
import { useTranslation } from '#web/i18n/use-translation.ts'
import { Card } from '#web/ui/card.tsx'
import { InlineAlert } from '#web/ui/inline-alert.tsx'
import { PageHeader } from '#web/ui/page-header.tsx'
import { Problem } from '#web/ui/problem.tsx'
import { TableLoading } from '#web/ui/table-loading.tsx'
import { UpcomingTable } from './upcoming-table.tsx'
import { useOperations } from './data.ts'
import { FailureTable } from './failure-table.tsx'
import styles from './operations.module.css'
import { QuotaTable } from './quota-table.tsx'
import { SystemUserTable } from './system-user-table.tsx'
import { Tiles } from './tiles.tsx'
import { WorkerTable } from './worker-table.tsx'

/** The health of the product: the page for the person on call at 3 a.m. */
export function Operations() {
  const { t } = useTranslation('operations')
  const { data, error, refetch } = useOperations()
  usePageTitle(t('title'))
  return (
    <>
      <PageHeader title={t('title')} detail={t('detail')} />
      {error && !data ? (
        <Problem code={error.code} request_id={error.request_id} onRetry={() => void refetch()} />
      ) : data ? (
        <Content facts={data} />
      ) : (
        <Card padding="flush">
          <TableLoading rows={6} />
        </Card>
      )}
    </>
  )
}

function Content({ facts }: { facts: Facts }) {
  const { t } = useTranslation('operations')
  return (
    // oxlint-disable-next-line jsx-a11y/no-noninteractive-tabindex -- nothing in it can be pressed: else the keyboard could not scroll it
    <section className={styles.page} tabIndex={0} aria-label={t('title')}>
      {facts.warnings.map(warning => (
        <div key={warning} className={styles.warning}>
          <InlineAlert severity="warning" title={t(`warning.${warning}.title`)}>
            <p>{t(`warning.${warning}.detail`)}</p>
          </InlineAlert>
        </div>
      ))}
      <Tiles facts={facts} />
      <Card title={t('failures.title')} padding="flush">
        <FailureTable failures={facts.failures} />
      </Card>
      <Card title={t('quotas.title')} padding="flush">
        <QuotaTable quotas={facts.quotas} />
      </Card>
      <Card title={t('system_users.title')} padding="flush">
        <SystemUserTable system_users={facts.system_users} />
      </Card>
      <Card title={t('coming.title')} padding="flush">
        <UpcomingTable coming={facts.coming} />
      </Card>
      <Card title={t('workers.title')} padding="flush">
        <WorkerTable workers={facts.workers} />
      </Card>
      <p className={styles.database}>
        {t('answers', {
          ...facts.answers,
          megabytes: Math.round(facts.answers.kept_bytes / 1_000_000),
        })}
      </p>
      <p className={styles.database}>
        {t('database', {
          megabytes: Math.round(facts.database.bytes / 1_000_000),
          sessions: facts.database.sessions,
        })}
      </p>
    </section>
  )
}
