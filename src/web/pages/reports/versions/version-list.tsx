import { Button } from '@mantine/core'
import { IconGitCompare } from '@tabler/icons-react'
import type { Report } from '#shared/api/reports.ts'
import type { ReportVersion } from '#shared/api/report-versions.ts'
import { useTranslation } from '#web/i18n/use-translation.ts'
import { DataTable, type Column } from '#web/ui/data-table.tsx'
import { RelativeTime } from '#web/ui/relative-time.tsx'
import { RestoreVersion } from './restore-version.tsx'
import { useVersionTexts } from './version-texts.ts'
import styles from './versions.module.css'

interface VersionListProps {
  report: Report
  versions: readonly ReportVersion[]
  onCompare: (version: number) => void
}

/** Each save: when, by whom, and what has changed. */
export function VersionList({ report, versions, onCompare }: VersionListProps) {
  const { t } = useTranslation('versions')
  const { changeText } = useVersionTexts()
  const current = versions.find(({ is_current }) => is_current)?.version
  const columns: Column<ReportVersion>[] = [
    {
      key: 'version',
      header: t('version'),
      width: '110px',
      cell: ({ version, is_current }) => (
        <span data-tabular>
          {version} {is_current && <span className={styles.current}>{t('current')}</span>}
        </span>
      ),
    },
    {
      key: 'saved_at',
      header: t('saved_at'),
      width: '150px',
      room: 'some',
      narrow: true,
      cell: ({ saved_at }) => <RelativeTime at={saved_at} />,
    },
    {
      key: 'author',
      header: t('author'),
      width: '170px',
      room: 'some',
      narrow: true,
      cell: ({ author_name }) => author_name ?? '–',
    },
    { key: 'changed', header: t('changed'), room: 'some', narrow: true, cell: changeText },
    {
      key: 'actions',
      header: <span className={styles.hidden}>{t('actions')}</span>,
      align: 'end',
      cell: version => (
        <span className={styles.actions}>
          {versions.length > 1 && (
            <Button
              variant="subtle"
              size="compact-md"
              leftSection={<IconGitCompare size={15} stroke={1.7} />}
              aria-label={t('compare.of', { version: version.version })}
              onClick={() => onCompare(version.version)}
            >
              {t('compare.button')}
            </Button>
          )}
          <RestoreVersion report={report} version={version} current={current} />
        </span>
      ),
    },
  ]
  return (
    <DataTable
      label={t('title')}
      columns={columns}
      rows={versions}
      rowKey={({ version }) => version}
      rowName={({ version }) => t('name', { version })}
    />
  )
}
