import { UnstyledButton } from '@mantine/core'
import type { File as StoredFile } from '#shared/api/materials.ts'
import { useTranslation } from '#web/i18n/use-translation.ts'
import materialStyles from '#web/pages/materials/materials.module.css'
import { TagList } from '#web/pages/materials/tag-list.tsx'
import { UploadedCell } from '#web/pages/materials/uploaded-cell.tsx'
import { sizeText } from '#web/ui/chosen-files.tsx'
import { DataTable, type Column } from '#web/ui/data-table.tsx'
import { FileType, FileTypeIcon } from './file-type.tsx'
import styles from './files.module.css'

interface FileTableProps {
  files: readonly StoredFile[]
  stale: boolean
  ordering: string
  onOrdering: (ordering: string) => void
  onOpen: (id: number) => void
}

export function FileTable({ files, onOpen, ...props }: FileTableProps) {
  const { t } = useTranslation('files')
  return (
    <DataTable
      label={t('title')}
      columns={useColumns(onOpen)}
      rows={files}
      rowKey={({ id }) => id}
      rowName={({ name }) => name}
      {...props}
    />
  )
}

function useColumns(onOpen: (id: number) => void): Column<StoredFile>[] {
  const { t, language } = useTranslation('materials')
  return [
    {
      key: 'name',
      header: t('field.name'),
      sort: 'name',
      cell: ({ id, name, mime }) => (
        <span className={styles.name}>
          <FileTypeIcon mime={mime} />
          <UnstyledButton className={materialStyles.open} onClick={() => onOpen(id)}>
            {name}
          </UnstyledButton>
        </span>
      ),
    },
    {
      key: 'owner',
      header: t('field.owner'),
      sort: 'advertiser',
      room: 'some',
      narrow: true,
      cell: ({ advertiser_name }) => advertiser_name ?? t('agency'),
    },
    {
      key: 'type',
      header: t('field.type'),
      sort: 'mime',
      room: 'some',
      narrow: true,
      cell: file => <FileType file={file} />,
    },
    {
      key: 'size',
      header: t('field.size'),
      sort: 'size',
      align: 'end',
      room: 'some',
      cell: ({ size }) => <span className={materialStyles.figure}>{sizeText(size, language)}</span>,
    },
    {
      key: 'tags',
      header: t('field.tags'),
      room: 'plenty',
      cell: ({ tags }) => <TagList tags={tags} />,
    },
    {
      key: 'uploaded',
      header: t('field.uploaded'),
      sort: 'id',
      room: 'much',
      cell: file => <UploadedCell row={file} />,
    },
  ]
}
