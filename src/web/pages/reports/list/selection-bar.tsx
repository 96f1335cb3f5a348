import { ActionIcon, Button } from '@mantine/core'
import {
  IconCopy,
  IconFolderSymlink,
  IconPlayerPlay,
  IconRestore,
  IconTrash,
  IconX,
} from '@tabler/icons-react'
import { mayDo } from '#shared/access.ts'
import type { Report } from '#shared/api/reports.ts'
import { useTranslation } from '#web/i18n/use-translation.ts'
import type { ReportDeed } from './report-deed.tsx'
import styles from './selection-bar.module.css'
import { useListView } from './view.ts'

interface SelectionBarProps {
  reports: readonly Report[]
  running: boolean
  onRun: (ids: readonly number[]) => void
  onDeed: (deed: ReportDeed) => void
  onClear: () => void
}

const common = { size: 'xs', variant: 'default' } as const

/** What can be done with all selected reports at once. */
export function SelectionBar({ reports, running, onRun, onDeed, onClear }: SelectionBarProps) {
  const { t } = useTranslation('reports')
  const { view } = useListView()
  if (reports.length === 0) return null
  return (
    <div className={styles.bar} role="toolbar" aria-label={t('selection.label')}>
      <ActionIcon onClick={onClear} aria-label={t('selection.clear')}>
        <IconX size={16} stroke={1.8} />
      </ActionIcon>
      <output className={styles.count}>{t('selection.count', { count: reports.length })}</output>
      {view.deleted ? (
        <Button
          {...common}
          leftSection={<IconRestore size={14} stroke={1.8} />}
          onClick={() => onDeed({ kind: 'restore', reports })}
        >
          {t('deleted.restore')}
        </Button>
      ) : (
        <Deeds reports={reports} running={running} onRun={onRun} onDeed={onDeed} />
      )}
    </div>
  )
}

function Deeds({ reports, running, onRun, onDeed }: Omit<SelectionBarProps, 'onClear'>) {
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
        onClick={() => onDeed({ kind: 'move', reports })}
      >
        {t('selection.move')}
      </Button>
      <Button
        {...common}
        leftSection={<IconCopy size={14} stroke={1.8} />}
        onClick={() => onDeed({ kind: 'copy', reports })}
      >
        {t('selection.copy')}
      </Button>
      <Button
        {...common}
        c="var(--bad)"
        leftSection={<IconTrash size={14} stroke={1.8} />}
        disabled={!reports.every(report => mayDo(report.access, 'delete'))}
        onClick={() => onDeed({ kind: 'delete', reports })}
      >
        {t('selection.delete')}
      </Button>
    </>
  )
}
