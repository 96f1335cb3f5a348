import { IconFilePlus } from '@tabler/icons-react'
import { Link, Navigate, useSearch } from '@tanstack/react-router'
import { useIsInternal } from '#web/client/me.ts'
import { usePageTitle } from '#web/client/page-title.ts'
import { useTranslation } from '#web/i18n/use-translation.ts'
import { exampleNames } from '#web/pages/reports/search.ts'
import { InlineAlert } from '#web/ui/inline-alert.tsx'
import { PageHeader } from '#web/ui/page-header.tsx'
import { PageLoading } from '#web/ui/page-loading.tsx'
import { Problem } from '#web/ui/problem.tsx'
import { ClientField } from './client-field.tsx'
import { CopyCard } from './copy-card.tsx'
import { ExampleCard } from './example-card.tsx'
import styles from './new-report.module.css'
import { useChosenClient } from './use-chosen-client.ts'

/** What a new report can begin with: an example for a client, nothing, or a copy. */
export function NewReport() {
  const { t } = useTranslation('start')
  const { folder, example } = useSearch({ from: '/shell/gs-template/new' })
  const chosen = useChosenClient()
  const { client, count } = chosen
  usePageTitle(t('title'))
  // The example was chosen before; only the client was missing.
  if (example !== undefined && client)
    return (
      <Navigate
        to="/gs-template/template"
        search={{ ...(folder !== undefined && { folder }), advertiser: client.id, example }}
        replace
      />
    )
  return (
    <>
      <PageHeader title={t('title')} detail={t('detail')} />
      {chosen.error && count === null ? (
        <Problem code={chosen.error.code} onRetry={chosen.refetch} />
      ) : chosen.isLoading || count === null ? (
        <PageLoading />
      ) : (
        <div className={styles.page}>
          {count === 0 && <NoClients />}
          {count > 0 && <ClientField chosen={client} count={count} onChoose={chosen.choose} />}
          {count > 0 && client === null && <p className={styles.quiet}>{t('choose_client')}</p>}
          <ul className={styles.cards} aria-label={t('examples')}>
            {client && (
              <li>
                <ExampleCard name="everything" client={client} folder={folder} isWaiting={false} />
              </li>
            )}
            {exampleNames.map(name => (
              <li key={name}>
                <ExampleCard
                  name={name}
                  client={client}
                  folder={folder}
                  isWaiting={count > 0 && client === null}
                />
              </li>
            ))}
            <li>
              <BlankCard folder={folder} />
            </li>
          </ul>
          <CopyCard />
        </div>
      )}
    </>
  )
}

function BlankCard({ folder }: { folder: number | undefined }) {
  const { t } = useTranslation('reports')
  return (
    <Link to="/gs-template/template" search={folder === undefined ? {} : { folder }} className={styles.card}>
      <IconFilePlus size={20} stroke={1.5} aria-hidden />
      <strong>{t('empty.blank')}</strong>
      <small>{t('empty.blank_detail')}</small>
    </Link>
  )
}

/** Nobody's accounts can be used: whom to ask depends on who asks. */
function NoClients() {
  const { t } = useTranslation('start')
  const internal = useIsInternal()
  return (
    <InlineAlert severity="info">{t(internal ? 'no_clients_internal' : 'no_clients_external')}</InlineAlert>
  )
}
