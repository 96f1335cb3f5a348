import type { Audience } from '#shared/api/audiences.ts'
import { useTranslation } from '#web/i18n/use-translation.ts'
import { Count } from '#web/ui/count.tsx'
import { DataTable, type Column } from '#web/ui/data-table.tsx'
import { RelativeTime } from '#web/ui/relative-time.tsx'
import styles from './audiences.module.css'
import { ShareChips } from './share-chip.tsx'

interface AudienceTableProps {
  audiences: readonly Audience[]
  stale: boolean
  ordering: string
  onOrdering: (ordering: string) => void
  onOpen: (id: number) => void
}

export function AudienceTable({ audiences, onOpen, ...props }: AudienceTableProps) {
  const { t } = useTranslation('audiences')
  return (
    <DataTable
      label={t('title')}
      columns={useColumns(onOpen)}
      rows={audiences}
      rowKey={({ id }) => id}
      rowName={({ name }) => name}
      {...props}
    />
  )
}

function useColumns(onOpen: (id: number) => void): Column<Audience>[] {
  const { t } = useTranslation('audiences')
  return [
    {
      key: 'name',
      header: t('column.name'),
      sort: 'name',
      cell: ({ id, name, status }) => (
        <>
          <button type="button" className={styles.open} onClick={() => onOpen(id)}>
            {name}
          </button>
          {status !== 'ready' && <small className={styles.below}>{t(`status.${status}`)}</small>}
        </>
      ),
    },
    {
      key: 'advertiser',
      header: t('column.advertiser'),
      sort: 'advertiser',
      room: 'some',
      narrow: true,
      cell: ({ advertiser_name }) => advertiser_name,
    },
    {
      key: 'kind',
      header: t('column.kind'),
      sort: 'kind',
      room: 'much',
      cell: ({ kind }) => t(`kind.${kind}`),
    },
    {
      key: 'rows',
      header: t('column.rows'),
      sort: 'rows',
      align: 'end',
      room: 'some',
      cell: audience => <People audience={audience} />,
    },
    {
      key: 'shares',
      header: t('column.shares'),
      room: 'some',
      narrow: true,
      cell: ({ shares }) => <ShareChips shares={shares} />,
    },
    {
      key: 'last_upload',
      header: t('column.last_upload'),
      sort: 'last_upload',
      room: 'much',
      cell: ({ last_upload }) => (last_upload === null ? '–' : <RelativeTime at={last_upload.created_at} />),
    },
  ]
}

/** Only the platforms know how many people visit a site, or are like others. */
function People({ audience: { kind, rows } }: { audience: Audience }) {
  return kind === 'customer_file' || kind === 'ga4' ? <Count value={rows} /> : '–'
}
