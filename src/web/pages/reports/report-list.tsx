import { Button } from '@mantine/core'
import { IconFolders, IconPlus } from '@tabler/icons-react'
import { useState } from 'react'
import { LinkButton } from '#web/app/links.tsx'
import { notify } from '#web/app/notices.ts'
import { usePageTitle } from '#web/app/page-title.ts'
import { useTranslation } from '#web/i18n/use-translation.ts'
import { PageHeader } from '#web/ui/page-header.tsx'
import { useFolders } from './list/data.ts'
import { FolderTree } from './list/folder-tree.tsx'
import { ReportsCard } from './list/reports-card.tsx'
import { useListView } from './list/view.ts'
import styles from './report-list.module.css'
import { useStart } from './runs/data.ts'
import { ExecutionPanel } from './runs/execution-panel.tsx'
import { useRunEvents } from './runs/use-run-events.ts'
import { problemText } from '#web/ui/problem-text.tsx'

/** The auto-update reports: folders at the left, the reports of one of them at the right. */
export function ReportList() {
  const { t } = useTranslation('reports')
  const { view, change } = useListView()
  const [treeShown, setTreeShown] = useState(false)
  const folder = useFolders().data?.find(({ id }) => id === view.p)
  const title = view.deleted ? t('deleted.title') : (folder?.name ?? t('title'))
  const run = useRun()
  usePageTitle(title)
  useRunEvents()
  return (
    <>
      <PageHeader
        title={title}
        actions={
          <>
            <Button
              variant="default"
              className={styles.treeButton}
              leftSection={<IconFolders size={16} stroke={1.6} />}
              aria-expanded={treeShown}
              onClick={() => setTreeShown(!treeShown)}
            >
              {t('folders.show')}
            </Button>
            <LinkButton
              to="/gs-template/template"
              search={view.p === 0 ? {} : { folder: view.p }}
              leftSection={<IconPlus size={16} stroke={1.8} />}
            >
              {t('new_report')}
            </LinkButton>
          </>
        }
      />
      <div className={styles.columns}>
        <div className={styles.tree} data-shown={treeShown || undefined}>
          <FolderTree />
        </div>
        <div className={styles.main}>
          {view.execution !== undefined && (
            <ExecutionPanel id={view.execution} onClose={() => change({ execution: undefined })} />
          )}
          {/* Another folder begins with nothing selected. */}
          <ReportsCard key={view.deleted ? 'deleted' : view.p} running={run.running} onRun={run.start} />
        </div>
      </div>
    </>
  )
}

/** Runs reports and shows what becomes of them. */
function useRun() {
  const { t, language } = useTranslation('reports')
  const words = useTranslation('runs')
  const { change } = useListView()
  const start = useStart()
  return {
    running: start.isPending,
    start: (ids: readonly number[]) =>
      start.mutate(
        { reports: [...ids] },
        {
          onSuccess: execution => {
            notify({ severity: 'success', message: words.t('start', { count: execution.total }) })
            change({ execution: execution.id })
          },
          onError: ({ code }) =>
            notify({
              severity: 'error',
              message:
                code === 'unreachable' || code === 'unreadable'
                  ? t('failed')
                  : problemText(code, 'internal', language),
            }),
        },
      ),
  }
}
