import { Button } from '@mantine/core'
import { IconFiles, IconUpload } from '@tabler/icons-react'
import { usePageTitle } from '#web/client/page-title.ts'
import { useTranslation } from '#web/i18n/use-translation.ts'
import { ListCard, NothingFound } from '#web/pages/list-card.tsx'
import {
  filteredOwner,
  isFiltered,
  MaterialFilters,
  NO_FILTERS,
} from '#web/pages/materials/material-filters.tsx'
import styles from '#web/pages/materials/materials.module.css'
import { materialPaths } from '#web/pages/materials/paths.ts'
import { StorageMeter } from '#web/pages/materials/storage-meter.tsx'
import { useUploadArea } from '#web/pages/materials/uploads/use-upload-area.tsx'
import { EmptyState } from '#web/ui/empty-state.tsx'
import { PageHeader } from '#web/ui/page-header.tsx'
import { DEFAULT_ORDERING, filtersOf, PAGE_SIZE, useFiles, useFilesView } from './data.ts'
import { FileDrawer } from './file-drawer.tsx'
import { FileTable } from './file-table.tsx'

/** Everything of campaigns that is no picture: briefs, videos, decks. */
export function Files() {
  const { t } = useTranslation('files')
  const { view, change } = useFilesView()
  const files = useFiles(view)
  const owner = filteredOwner(view)
  const { choose, area } = useUploadArea({ kind: 'file', owner, tag: view.tag })
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
        toolbar={<MaterialFilters kind="file" search={t('search')} view={view} onChange={change} />}
        toolbarClass={styles.toolbar}
        list={files}
        page={view.page}
        pageSize={PAGE_SIZE}
        onPage={page => change({ page })}
        empty={<NoFiles onUpload={choose} />}
        csv={{ path: materialPaths.file, filters: filtersOf(view) }}
      >
        {(found, stale) => (
          <FileTable
            files={found}
            stale={stale}
            ordering={view.ordering ?? DEFAULT_ORDERING}
            onOrdering={ordering => change({ ordering })}
            onOpen={file => change({ file })}
          />
        )}
      </ListCard>
      {area}
      {view.file !== undefined && (
        <FileDrawer
          id={view.file}
          known={files.data?.results.find(({ id }) => id === view.file)}
          onClose={() => change({ file: undefined })}
        />
      )}
    </>
  )
}

function NoFiles({ onUpload }: { onUpload: () => void }) {
  const { t } = useTranslation('files')
  const { view, change } = useFilesView()
  if (isFiltered(view))
    return <NothingFound title={t('nothing_found')} clear={t('clear')} onClear={() => change(NO_FILTERS)} />
  return (
    <EmptyState
      icon={IconFiles}
      title={t('empty')}
      detail={t('empty_detail')}
      actions={<Button onClick={onUpload}>{t('upload')}</Button>}
    />
  )
}
