import { Button } from '@mantine/core'
import {
  IconCalendarStats,
  IconFilePlus,
  IconFolderOpen,
  IconReportAnalytics,
  IconSearch,
  IconSpeakerphone,
  IconTableColumn,
  IconTrash,
} from '@tabler/icons-react'
import { Link } from '@tanstack/react-router'
import { LinkButton } from '#web/app/links.tsx'
import { useTranslation } from '#web/i18n/use-translation.ts'
import { EmptyState } from '#web/ui/empty-state.tsx'
import { exampleNames } from '../search.ts'
import { useFolders } from './data.ts'
import styles from './empty-list.module.css'
import { isFiltered, useListView } from './view.ts'

/** In the place of a list without reports: why, and the way on. */
export function EmptyList() {
  const { t } = useTranslation('reports')
  const { view, change } = useListView()
  const folders = useFolders().data
  if (isFiltered(view))
    return (
      <EmptyState
        icon={IconSearch}
        title={t('empty.search_title')}
        detail={t('empty.search_detail')}
        actions={
          <Button
            variant="default"
            onClick={() => change({ search: '', status: undefined, scope: undefined, gap: undefined })}
          >
            {t('filter.clear')}
          </Button>
        }
      />
    )
  if (view.deleted)
    return <EmptyState icon={IconTrash} title={t('deleted.empty')} detail={t('deleted.empty_detail')} />
  if (view.p !== 0)
    return (
      <EmptyState
        icon={IconFolderOpen}
        title={t('empty.folder_title')}
        detail={t('empty.folder_detail')}
        actions={
          <LinkButton to="/gs-template/template" search={{ folder: view.p }}>
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
      <StartingPoints />
    </>
  )
}

const icons = { daily: IconCalendarStats, campaigns: IconSpeakerphone, monthly: IconTableColumn }

/** Blank, or one of the examples, which fill the editor. */
function StartingPoints() {
  const { t } = useTranslation('reports')
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
            <Link to="/gs-template/template" search={{ example }} className={styles.point}>
              <Glyph size={20} stroke={1.5} aria-hidden />
              <strong>{t(`empty.example_${example}`)}</strong>
              <small>{t(`empty.example_${example}_detail`)}</small>
            </Link>
          </li>
        )
      })}
    </ul>
  )
}
