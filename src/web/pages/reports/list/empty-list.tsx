import {
  IconCalendarStats,
  IconFilter,
  IconKey,
  IconRoute,
  type Icon,
  IconFilePlus,
  IconFileImport,
  IconFolderOff,
  IconFolderOpen,
  IconReportAnalytics,
  IconSpeakerphone,
  IconTableColumn,
  IconTrash,
} from '@tabler/icons-react'
import { Link } from '@tanstack/react-router'
import { LinkButton } from '#web/client/links.tsx'
import { useTranslation } from '#web/i18n/use-translation.ts'
import { NothingFound } from '#web/pages/list-card.tsx'
import { exampleNames } from '#web/pages/reports/search.ts'
import { EmptyState } from '#web/ui/empty-state.tsx'
import { useFolders } from './data.ts'
import styles from './empty-list.module.css'
import { isFiltered, noFilters, useListView } from './view.ts'

/** Shown instead of an empty list: why it is empty, and what to do. */
export function EmptyList({ onImport }: { onImport: () => void }) {
  const { t } = useTranslation('reports')
  const { view, change } = useListView()
  const { t: tActions } = useTranslation('actions')
  const folders = useFolders().data
  if (isFiltered(view))
    return (
      <NothingFound
        title={t('empty.search_title')}
        detail={t('empty.search_detail')}
        clear={t('filter.clear')}
        onClear={() => change(noFilters)}
      />
    )
  if (view.deleted)
    return <EmptyState icon={IconTrash} title={t('deleted.empty')} detail={t('deleted.empty_detail')} />
  if (view.p !== 0 && folders && folders.every(({ id }) => id !== view.p))
    return (
      <EmptyState
        icon={IconFolderOff}
        title={tActions('folder_gone')}
        detail={tActions('folder_gone_detail')}
        actions={
          <LinkButton to="/gs-template" search={{ p: 0, search: '', page: 1 }}>
            {tActions('folder_gone_action')}
          </LinkButton>
        }
      />
    )
  if (view.p !== 0)
    return (
      <EmptyState
        icon={IconFolderOpen}
        title={t('empty.folder_title')}
        detail={t('empty.folder_detail')}
        actions={
          <LinkButton to="/gs-template/new" search={{ folder: view.p }}>
            {t('new_report')}
          </LinkButton>
        }
      />
    )
  const filed = folders?.some(folder => folder.reports > 0) ?? false
  return (
    <>
      <EmptyState
        icon={IconReportAnalytics}
        title={t(filed ? 'empty.top_title' : 'empty.title')}
        detail={t(filed ? 'empty.top_detail' : 'empty.detail')}
      />
      <StartingPoints onImport={onImport} />
    </>
  )
}

const icons: Record<(typeof exampleNames)[number], Icon> = {
  daily: IconCalendarStats,
  campaigns: IconSpeakerphone,
  keywords: IconKey,
  traffic: IconRoute,
  funnel: IconFilter,
  monthly: IconTableColumn,
}

/** Blank, one of the examples, which fill the editor, or a file. */
function StartingPoints({ onImport }: { onImport: () => void }) {
  const { t } = useTranslation('reports')
  const { t: tActions } = useTranslation('actions')
  return (
    <ul className={styles.points}>
      <li>
        <Link to="/gs-template/template" search={{}} className={styles.point}>
          <IconFilePlus size={20} stroke={1.5} aria-hidden />
          <strong>{t('empty.blank')}</strong>
          <small>{t('empty.blank_detail')}</small>
        </Link>
      </li>
      {exampleNames.map(example => {
        const Glyph = icons[example]
        return (
          <li key={example}>
            <Link to="/gs-template/new" search={{ example }} className={styles.point}>
              <Glyph size={20} stroke={1.5} aria-hidden />
              <strong>{t(`empty.example_${example}`)}</strong>
              <small>{t(`empty.example_${example}_detail`)}</small>
            </Link>
          </li>
        )
      })}
      <li>
        <button type="button" className={styles.point} onClick={onImport}>
          <IconFileImport size={20} stroke={1.5} aria-hidden />
          <strong>{tActions('import.start')}</strong>
          <small>{tActions('import.start_detail')}</small>
        </button>
      </li>
    </ul>
  )
}
