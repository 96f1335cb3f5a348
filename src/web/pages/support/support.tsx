import { Button } from '@mantine/core'
import { IconLifebuoy, IconPlus } from '@tabler/icons-react'
import { useState } from 'react'
import { usePageTitle } from '#web/client/page-title.ts'
import { useTranslation } from '#web/i18n/use-translation.ts'
import { ListCard, NothingFound } from '#web/pages/list-card.tsx'
import { EmptyState } from '#web/ui/empty-state.tsx'
import { FilterField } from '#web/ui/filter-field.tsx'
import { PageHeader } from '#web/ui/page-header.tsx'
import { SearchField } from '#web/ui/search-field.tsx'
import { PAGE_SIZE, useIsEditor, useIssues } from './data.ts'
import { IssueDialog } from './issue-dialog.tsx'
import { IssueTable } from './issue-table.tsx'
import { NewIssueDialog } from './new-issue-dialog.tsx'
import { stateNames } from './search.ts'
import styles from './support.module.css'
import { useView } from './view.ts'

/** The issues that one has reported, with the replies of support; editors read and answer everybody's. */
export function Support() {
  const { t } = useTranslation('support')
  const { view, change } = useView()
  const issues = useIssues(view)
  const editor = useIsEditor()
  const [writing, setWriting] = useState(false)
  usePageTitle(t('title'))
  return (
    <>
      <PageHeader
        title={t('title')}
        detail={t(editor ? 'detail_editor' : 'detail')}
        actions={
          <Button leftSection={<IconPlus size={16} />} onClick={() => setWriting(true)}>
            {t('new.title')}
          </Button>
        }
      />
      <ListCard
        toolbar={<Filters />}
        toolbarClass={styles.toolbar}
        list={issues}
        page={view.page}
        pageSize={PAGE_SIZE}
        onPage={page => change({ page })}
        empty={<NoIssues />}
      >
        {(rows, stale) => <IssueTable issues={rows} stale={stale} editor={editor} />}
      </ListCard>
      {(writing || view.report !== undefined) && (
        <NewIssueDialog
          // Another report is another issue.
          key={view.report}
          report={view.report ?? null}
          onClose={() => {
            setWriting(false)
            if (view.report !== undefined) change({ report: undefined })
          }}
        />
      )}
      {view.issue !== undefined && (
        <IssueDialog
          key={view.issue}
          id={view.issue}
          editor={editor}
          onClose={() => change({ issue: undefined })}
        />
      )}
    </>
  )
}

function Filters() {
  const { t } = useTranslation('support')
  const { view, change } = useView()
  return (
    <>
      <SearchField label={t('search')} value={view.search} onSearch={search => change({ search })} />
      <FilterField
        aria-label={t('column.state')}
        any={t('state_any')}
        options={stateNames.map(name => ({ value: name, label: t(`state.${name}`) }))}
        value={view.status}
        onChange={status => change({ status })}
      />
    </>
  )
}

function NoIssues() {
  const { t } = useTranslation('support')
  const { view, change } = useView()
  const isFiltered = view.search !== '' || view.status !== undefined
  if (!isFiltered) return <EmptyState icon={IconLifebuoy} title={t('empty')} detail={t('empty_detail')} />
  return (
    <NothingFound
      title={t('nothing_found')}
      clear={t('clear')}
      onClear={() => change({ search: '', status: undefined })}
    />
  )
}
