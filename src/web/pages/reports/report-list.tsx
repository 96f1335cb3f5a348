import { Button } from '@mantine/core'
import { IconFileImport, IconFolders, IconPlus } from '@tabler/icons-react'
import { Suspense, useState } from 'react'
import { LinkButton } from '#web/client/links.tsx'
import { showToast } from '#web/client/toasts.ts'
import { usePageTitle } from '#web/client/page-title.ts'
import { useIsPageIdle } from '#web/client/page-idle.ts'
import { useTranslation } from '#web/i18n/use-translation.ts'
import { PageHeader } from '#web/ui/page-header.tsx'
import { problemText } from '#web/ui/problem-text.tsx'
import { lazy } from '#web/visit/lazy.ts'
import { BulkChangesMenu } from './bulk-changes/bulk-changes-menu.tsx'
import { EndingChip } from './bulk-changes/ending-chip.tsx'
import { useFolders } from './list/data.ts'
import { FolderTree } from './list/folder-tree.tsx'
import { ReportsCard } from './list/reports-card.tsx'
import { useListView } from './list/view.ts'
import styles from './report-list.module.css'
import { useStart } from './runs/data.ts'
import { ExecutionsMenu } from './runs/executions-menu.tsx'
import { RunEvents } from './runs/run-events.tsx'
import { skippedText } from './runs/skipped-text.ts'
import { useGoToGap } from './use-go-to-gap.ts'

/** The auto-update reports: folders at the left, the reports of one of them at the right. */
export function ReportList() {
  const { t } = useTranslation('reports')
  const { view, change } = useListView()
  const { t: tActions } = useTranslation('actions')
  const [isTreeOpen, setTreeOpen] = useState(false)
  const [importing, setImporting] = useState(false)
  const folder = useFolders().data?.find(({ id }) => id === view.p)
  const title = view.deleted ? t('deleted.title') : (folder?.name ?? t('title'))
  const run = useRun()
  usePageTitle(title)
  // Events from now on: what is there already is drawn first.
  const isQuiet = useIsPageIdle()
  return (
    <>
      {isQuiet && <RunEvents />}
      <PageHeader
        title={title}
        actions={
          <>
            <Button
              variant="default"
              className={styles.treeButton}
              leftSection={<IconFolders size={16} stroke={1.6} />}
              aria-expanded={isTreeOpen}
              onClick={() => setTreeOpen(!isTreeOpen)}
            >
              {t('folders.show')}
            </Button>
            {!view.deleted && <EndingChip />}
            <BulkChangesMenu />
            <ExecutionsMenu openId={view.execution} onShow={execution => change({ execution })} />
            <Button
              variant="default"
              leftSection={<IconFileImport size={16} stroke={1.6} />}
              onClick={() => setImporting(true)}
            >
              {tActions('import.open')}
            </Button>
            <LinkButton
              to="/gs-template/new"
              search={view.p === 0 ? {} : { folder: view.p }}
              leftSection={<IconPlus size={16} stroke={1.8} />}
            >
              {t('new_report')}
            </LinkButton>
          </>
        }
      />
      <div className={styles.columns}>
        <div className={styles.tree} data-shown={isTreeOpen || undefined}>
          <FolderTree onRun={({ id }) => run.start({ folder: id })} />
        </div>
        <div className={styles.main}>
          <div className={styles.views}>
            {isQuiet && (
              <Suspense>
                <SavedViews />
              </Suspense>
            )}
          </div>
          {view.execution !== undefined && (
            <Suspense>
              <ExecutionPanel
                id={view.execution}
                onRetry={reports => run.start({ reports: [...reports] })}
                onClose={() => change({ execution: undefined })}
              />
            </Suspense>
          )}
          <ReportsCard
            running={run.running}
            onRun={ids => run.start({ reports: [...ids] })}
            onImport={() => setImporting(true)}
          />
        </div>
      </div>
      {importing && (
        <Suspense>
          <ImportDialog onClose={() => setImporting(false)} />
        </Suspense>
      )}
    </>
  )
}

const ExecutionPanel = lazy(async () => ({
  default: (await import('./runs/execution-panel.tsx')).ExecutionPanel,
}))
const SavedViews = lazy(async () => ({ default: (await import('./list/saved-views.tsx')).SavedViews }))
const ImportDialog = lazy(async () => ({ default: (await import('./list/import-dialog.tsx')).ImportDialog }))

/** Runs reports and shows their progress. */
function useRun() {
  const { t: tRuns, language } = useTranslation('runs')
  const { t: tActions } = useTranslation('actions')
  const { change } = useListView()
  const goToGap = useGoToGap()
  const start = useStart()
  return {
    running: start.isPending,
    start: (request: Parameters<typeof start.mutate>[0]) =>
      start.mutate(request, {
        onSuccess: execution => {
          const { id, total: count, skipped } = execution
          if (count === 0 && skipped.length === 0)
            return void showToast({ severity: 'info', message: tActions('run_folder_empty') })
          showToast({
            severity: skipped.length > 0 ? 'warning' : 'success',
            message: count === 0 ? tRuns('skipped.nothing_started') : tRuns('start', { count }),
            ...(skipped.length > 0 && { sub_message: [skippedText(tRuns, skipped)] }),
          })
          change({ execution: id })
        },
        onError: problem => {
          const { code } = problem
          if ('reports' in request && goToGap(request.reports[0] ?? 0, problem)) return
          showToast({
            severity: 'error',
            message: problemText(code, 'internal', language),
          })
        },
      }),
  }
}
