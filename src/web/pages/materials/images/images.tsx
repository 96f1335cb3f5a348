import { Button } from '@mantine/core'
import { IconPhoto, IconUpload } from '@tabler/icons-react'
import { usePageTitle } from '#web/client/page-title.ts'
import { useTranslation } from '#web/i18n/use-translation.ts'
import { ListCard, NothingFound } from '#web/pages/list-card.tsx'
import { filteredOwner, isFiltered, NO_FILTERS } from '#web/pages/materials/material-filters.tsx'
import { useNewLinks } from '#web/pages/materials/data.ts'
import { materialPaths } from '#web/pages/materials/paths.ts'
import { StorageMeter } from '#web/pages/materials/storage-meter.tsx'
import { useUploadArea } from '#web/pages/materials/uploads/use-upload-area.tsx'
import { EmptyState } from '#web/ui/empty-state.tsx'
import { PageHeader } from '#web/ui/page-header.tsx'
import { DEFAULT_ORDERING, filtersOf, PAGE_SIZE, useImages } from './data.ts'
import { ImageDrawer } from './image-drawer.tsx'
import { ImageFilters } from './image-filters.tsx'
import { GridLoading, ImageGrid } from './image-grid.tsx'
import { ImageTable } from './image-table.tsx'
import styles from './images.module.css'
import { useImagesView } from './view.ts'

/** The pictures of campaigns, and which platforms take them as they are. */
export function Images() {
  const { t } = useTranslation('images')
  const { view, layout, change } = useImagesView()
  const images = useImages(view)
  const owner = filteredOwner(view)
  const { choose, area } = useUploadArea({ kind: 'image', owner, tag: view.tag })
  const onBroken = useNewLinks(images)
  const onOpen = (image: number) => change({ image })
  const rows = images.data?.results ?? []
  usePageTitle(t('title'))
  return (
    <>
      <PageHeader
        title={t('title')}
        detail={t('detail')}
        actions={
          <>
            <StorageMeter owner={owner ?? 'agency'} />
            <Button leftSection={<IconUpload size={16} />} onClick={choose}>
              {t('upload')}
            </Button>
          </>
        }
      />
      <ListCard
        toolbar={<ImageFilters />}
        toolbarClass={styles.toolbar}
        list={images}
        page={view.page}
        pageSize={PAGE_SIZE}
        onPage={page => change({ page })}
        empty={<NoImages onUpload={choose} />}
        csv={{ path: materialPaths.image, filters: filtersOf(view) }}
        {...(layout === 'grid' && { loading: <GridLoading /> })}
      >
        {(found, stale) =>
          layout === 'grid' ? (
            <ImageGrid images={found} {...{ stale, onOpen, onBroken }} />
          ) : (
            <ImageTable
              images={found}
              ordering={view.ordering ?? DEFAULT_ORDERING}
              onOrdering={ordering => change({ ordering })}
              {...{ stale, onOpen, onBroken }}
            />
          )
        }
      </ListCard>
      {area}
      {view.image !== undefined && (
        <ImageDrawer
          id={view.image}
          rows={rows}
          onOpen={onOpen}
          onClose={() => change({ image: undefined })}
        />
      )}
    </>
  )
}

function NoImages({ onUpload }: { onUpload: () => void }) {
  const { t } = useTranslation('images')
  const { view, change } = useImagesView()
  if (isFiltered(view) || view.format !== undefined)
    return (
      <NothingFound
        title={t('nothing_found')}
        clear={t('clear')}
        onClear={() => change({ ...NO_FILTERS, format: undefined })}
      />
    )
  return (
    <EmptyState
      icon={IconPhoto}
      title={t('empty')}
      detail={t('empty_detail')}
      actions={<Button onClick={onUpload}>{t('upload')}</Button>}
    />
  )
}
