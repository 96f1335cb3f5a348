import { ActionIcon, Button } from '@mantine/core'
import {
  IconCopy,
  IconFolderSymlink,
  IconPlayerPlay,
  IconRestore,
  IconTrash,
  IconX,
} from '@tabler/icons-react'
import { useState } from 'react'
import { mayDo } from '#shared/access.ts'
import type { Report } from '#shared/api/reports.ts'
import { useFailureText } from '#web/client/failure-text.ts'
import { showToast } from '#web/client/toasts.ts'
import { useTranslation } from '#web/i18n/use-translation.ts'
import { MOST_SELECTED, readMatching } from './data.ts'
import type { ReportAction } from './report-action.tsx'
import { SelectionMenu } from './selection-menu.tsx'
import styles from './selection-bar.module.css'
import type { useSelection } from './use-selection.ts'
import { useListView } from './view.ts'

interface SelectionBarProps {
  selection: ReturnType<typeof useSelection>
  /** The reports of the page that is shown. */
  page: readonly Report[]
  /** How many there are on all pages. */
  count: number
  running: boolean
  onRun: (ids: readonly number[]) => void
  onAction: (action: ReportAction) => void
}

const common = { size: 'xs', variant: 'default' } as const

/** The actions on all selected reports at once. */
export function SelectionBar({ selection, page, count, ...props }: SelectionBarProps) {
  const { t } = useTranslation('reports')
  const { t: tActions } = useTranslation('actions')
  const { view } = useListView()
  const reports = [...selection.selected.values()]
  if (reports.length === 0) return null
  const isElsewhere = reports.some(({ id }) => page.every(report => report.id !== id))
  const isPageFull = page.every(({ id }) => selection.selected.has(id))
  return (
    <div className={styles.bar} role="toolbar" aria-label={t('selection.label')}>
      <ActionIcon onClick={selection.clear} aria-label={t('selection.clear')}>
        <IconX size={16} stroke={1.8} />
      </ActionIcon>
      <output className={styles.count}>
        {t('selection.count', { count: reports.length })}
        {isElsewhere && <small> · {tActions('across_pages')}</small>}
      </output>
      {isPageFull && reports.length < Math.min(count, MOST_SELECTED) && (
        <SelectAllMatching count={count} onSelect={selection.set} />
      )}
      {view.deleted ? (
        <Button
          {...common}
          leftSection={<IconRestore size={14} stroke={1.8} />}
          onClick={() => props.onAction({ kind: 'restore', reports })}
        >
          {t('deleted.restore')}
        </Button>
      ) : (
        <Actions reports={reports} {...props} />
      )}
    </div>
  )
}

/** Extends the selection from this page to all pages of the list. */
function SelectAllMatching({ count, onSelect }: { count: number; onSelect: (reports: Report[]) => void }) {
  const { t } = useTranslation('actions')
  const { t: tReports } = useTranslation('reports')
  const { view } = useListView()
  const failureText = useFailureText()
  const [loading, setLoading] = useState(false)
  async function select() {
    setLoading(true)
    try {
      onSelect(await readMatching(view))
    } catch (error) {
      showToast({ severity: 'error', message: failureText(error) ?? tReports('failed') })
    } finally {
      setLoading(false)
    }
  }
  return (
    <Button size="xs" variant="subtle" loading={loading} onClick={() => void select()}>
      {count > MOST_SELECTED ? t('select_first', { count: MOST_SELECTED }) : t('select_all', { count })}
    </Button>
  )
}

function Actions({
  reports,
  running,
  onRun,
  onAction,
}: Pick<SelectionBarProps, 'running' | 'onRun' | 'onAction'> & { reports: readonly Report[] }) {
  const { t } = useTranslation('reports')
  return (
    <>
      <Button
        {...common}
        leftSection={<IconPlayerPlay size={14} stroke={1.8} />}
        loading={running}
        onClick={() => onRun(reports.map(report => report.id))}
      >
        {t('selection.run')}
      </Button>
      <Button
        {...common}
        leftSection={<IconFolderSymlink size={14} stroke={1.8} />}
        onClick={() => onAction({ kind: 'move', reports })}
      >
        {t('selection.move')}
      </Button>
      <Button
        {...common}
        leftSection={<IconCopy size={14} stroke={1.8} />}
        onClick={() => onAction({ kind: 'copy', reports })}
      >
        {t('selection.copy')}
      </Button>
      <Button
        {...common}
        c="var(--bad)"
        leftSection={<IconTrash size={14} stroke={1.8} />}
        disabled={!reports.every(report => mayDo(report.access, 'delete'))}
        onClick={() => onAction({ kind: 'delete', reports })}
      >
        {t('selection.delete')}
      </Button>
      <SelectionMenu reports={reports} onAction={onAction} />
    </>
  )
}
