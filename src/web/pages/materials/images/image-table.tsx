import { UnstyledButton } from '@mantine/core'
import type { Image } from '#shared/api/materials.ts'
import { useTranslation } from '#web/i18n/use-translation.ts'
import { TagList } from '#web/pages/materials/tag-list.tsx'
import materialStyles from '#web/pages/materials/materials.module.css'
import { UploadedCell } from '#web/pages/materials/uploaded-cell.tsx'
import { sizeText } from '#web/ui/chosen-files.tsx'
import { DataTable, type Column } from '#web/ui/data-table.tsx'
import { usePlatformsText } from './format-names.ts'
import styles from './images.module.css'
import { Picture } from './picture.tsx'
import { imageTypeNames } from './type-names.ts'

interface ImageTableProps {
  images: readonly Image[]
  stale: boolean
  ordering: string
  onOrdering: (ordering: string) => void
  onOpen: (id: number) => void
  onBroken: () => void
}

export function ImageTable({ images, onOpen, onBroken, ...props }: ImageTableProps) {
  const { t } = useTranslation('images')
  return (
    <DataTable
      label={t('title')}
      columns={useColumns({ onOpen, onBroken })}
      rows={images}
      rowKey={({ id }) => id}
      rowName={({ name }) => name}
      {...props}
    />
  )
}

function useColumns({ onOpen, onBroken }: Pick<ImageTableProps, 'onOpen' | 'onBroken'>): Column<Image>[] {
  const { t } = useTranslation('images')
  const { t: tMaterials, language } = useTranslation('materials')
  const platformsText = usePlatformsText()
  return [
    {
      key: 'name',
      header: tMaterials('field.name'),
      sort: 'name',
      cell: ({ id, name, width, height, previews }) => (
        <UnstyledButton className={styles.tableName} onClick={() => onOpen(id)}>
          <Picture src={previews[320]} width={width} height={height} onBroken={onBroken} />
          <span className={materialStyles.open}>{name}</span>
        </UnstyledButton>
      ),
    },
    {
      key: 'owner',
      header: tMaterials('field.owner'),
      sort: 'advertiser',
      room: 'some',
      narrow: true,
      cell: ({ advertiser_name }) => advertiser_name ?? tMaterials('agency'),
    },
    {
      key: 'dimensions',
      header: t('field.dimensions'),
      sort: 'width',
      room: 'some',
      narrow: true,
      cell: ({ width, height, mime }) => (
        <span data-tabular>
          {width}×{height} <small className={materialStyles.quiet}>{imageTypeNames[mime]}</small>
        </span>
      ),
    },
    {
      key: 'size',
      header: tMaterials('field.size'),
      sort: 'size',
      align: 'end',
      room: 'much',
      cell: ({ size }) => <span className={materialStyles.figure}>{sizeText(size, language)}</span>,
    },
    {
      key: 'formats',
      header: t('field.formats'),
      room: 'much',
      cell: ({ formats }) => platformsText(formats) || '–',
    },
    {
      key: 'tags',
      header: tMaterials('field.tags'),
      room: 'plenty',
      cell: ({ tags }) => <TagList tags={tags} />,
    },
    {
      key: 'uploaded',
      header: tMaterials('field.uploaded'),
      sort: 'id',
      room: 'much',
      cell: image => <UploadedCell row={image} />,
    },
  ]
}
