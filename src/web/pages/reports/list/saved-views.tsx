import { Button } from '@mantine/core'
import { IconBookmarkPlus, IconPencil, IconStar, IconTrash } from '@tabler/icons-react'
import { Link } from '@tanstack/react-router'
import { useEffect, useEffectEvent, useState, type ReactNode } from 'react'
import type { ReportView } from '#shared/api/report-views.ts'
import { showToast } from '#web/client/toasts.ts'
import { useTranslation } from '#web/i18n/use-translation.ts'
import type { ReportListSearch } from '#web/pages/reports/search.ts'
import { ActionMenu } from '#web/ui/action-menu.tsx'
import styles from './saved-views.module.css'
import { useUndoToast } from './use-undo-toast.ts'
import { isFiltered, useListView } from './view.ts'
import { ViewDialog } from './view-dialog.tsx'
import { filtersIn, isChanged, searchOf } from './view-filters.ts'
import { useChangeView, useDeleteView, useSaveView, useViews } from './views-data.ts'

/** Above the list: favourites and saved views, each as a link; and saving what is listed as another one. */
export function SavedViews() {
  const { t } = useTranslation('reports')
  const { view } = useListView()
  const [saving, setSaving] = useState(false)
  const views = useViews().data
  useOpenedByLink(views)
  const current = views?.find(({ id }) => id === view.view)
  const isPlain = !isFiltered(view) && view.ordering === undefined
  const { favourite = false } = view
  return (
    <nav className={styles.views} aria-label={t('views.label')}>
      <Chip search={{ p: 0, search: '', page: 1, favourite: true }} isCurrent={favourite && !current}>
        <IconStar size={14} stroke={1.7} aria-hidden />
        {t('views.favourites')}
      </Chip>
      {views?.map(each => (
        <Chip key={each.id} search={searchOf(each)} isCurrent={each.id === current?.id}>
          {each.name}
        </Chip>
      ))}
      {current && <CurrentView key={current.id} saved={current} />}
      {!current && !isPlain && !view.deleted && (
        <Button
          size="compact-sm"
          variant="subtle"
          leftSection={<IconBookmarkPlus size={15} stroke={1.7} />}
          onClick={() => setSaving(true)}
        >
          {t('views.save')}
        </Button>
      )}
      {saving && <SaveDialog onClose={() => setSaving(false)} />}
    </nav>
  )
}

/** The one that is current leads back to the whole list. */
function Chip({
  search,
  isCurrent,
  children,
}: {
  search: ReportListSearch
  isCurrent: boolean
  children: ReactNode
}) {
  return (
    <Link
      to="/gs-template"
      search={isCurrent ? { p: 0, search: '', page: 1 } : search}
      // By its own filters, not as a part of others.
      activeOptions={{ exact: true, includeSearch: true }}
      className={styles.chip}
      aria-current={isCurrent ? 'page' : undefined}
    >
      {children}
    </Link>
  )
}

/** An address with nothing but the view stands for its filters. */
function useOpenedByLink(views: readonly ReportView[] | undefined) {
  const { view, change } = useListView()
  const linked = views?.find(({ id }) => id === view.view)?.id
  const apply = useEffectEvent((id: number) => {
    const saved = views?.find(each => each.id === id)
    const isBare = !isFiltered(view) && view.p === 0 && view.ordering === undefined
    if (saved && isBare && isChanged(view, saved)) change(searchOf(saved))
  })
  // Once for each view that is opened, not whenever its filters are cleared.
  useEffect(() => {
    if (linked !== undefined) apply(linked)
  }, [linked])
}

/** What can be done with the view that is open. */
function CurrentView({ saved }: { saved: ReportView }) {
  const { t } = useTranslation('reports')
  const { view, change } = useListView()
  const [renaming, setRenaming] = useState(false)
  const update = useChangeView(saved.id)
  const remove = useDeleteView()
  const save = useSaveView()
  const tellUndoable = useUndoToast()
  const failed = () => showToast({ severity: 'error', message: t('failed') })
  const deleteView = () =>
    remove.mutate(saved.id, {
      onSuccess() {
        change({ view: undefined })
        tellUndoable(t('views.deleted'), () => save.mutateAsync({ name: saved.name, filters: saved.filters }))
      },
      onError: failed,
    })
  return (
    <>
      {isChanged(view, saved) && (
        <Button
          size="compact-sm"
          variant="subtle"
          loading={update.isPending}
          onClick={() =>
            update.mutate(
              { filters: filtersIn(view) },
              {
                onSuccess: () => showToast({ severity: 'success', message: t('views.updated') }),
                onError: failed,
              },
            )
          }
        >
          {t('views.update')}
        </Button>
      )}
      <ActionMenu
        size="sm"
        label={t('views.actions_of', { name: saved.name })}
        actions={[
          { key: 'rename', label: t('views.rename'), icon: IconPencil, onClick: () => setRenaming(true) },
          { key: 'delete', label: t('views.delete'), icon: IconTrash, tone: 'danger', onClick: deleteView },
        ]}
      />
      {renaming && <RenameDialog saved={saved} onClose={() => setRenaming(false)} />}
    </>
  )
}

function SaveDialog({ onClose }: { onClose: () => void }) {
  const { t } = useTranslation('reports')
  const { view, change } = useListView()
  const save = useSaveView()
  return (
    <ViewDialog
      title={t('views.save_title')}
      detail={t('views.save_detail')}
      initial=""
      request={save}
      onSubmit={name =>
        save.mutate(
          { name, filters: filtersIn(view) },
          {
            onSuccess(saved) {
              change({ view: saved.id })
              showToast({ severity: 'success', message: t('views.saved') })
              onClose()
            },
          },
        )
      }
      onClose={onClose}
    />
  )
}

function RenameDialog({ saved, onClose }: { saved: ReportView; onClose: () => void }) {
  const { t } = useTranslation('reports')
  const rename = useChangeView(saved.id)
  return (
    <ViewDialog
      title={t('views.rename_title')}
      initial={saved.name}
      request={rename}
      onSubmit={name =>
        rename.mutate(
          { name },
          {
            onSuccess() {
              showToast({ severity: 'success', message: t('views.renamed') })
              onClose()
            },
          },
        )
      }
      onClose={onClose}
    />
  )
}
