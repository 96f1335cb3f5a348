import { Button } from '@mantine/core'
import { IconLifebuoy, IconPlus, IconSearch } from '@tabler/icons-react'
import { useState } from 'react'
import { usePageTitle } from '#web/client/page-title.ts'
import { useTranslation } from '#web/i18n/use-translation.ts'
import { Card } from '#web/ui/card.tsx'
import { EmptyState } from '#web/ui/empty-state.tsx'
import { PageHeader } from '#web/ui/page-header.tsx'
import { PagedList } from '#web/ui/paged-list.tsx'
import { SearchField } from '#web/ui/search-field.tsx'
import { SelectField } from '#web/ui/select-field.tsx'
import { PAGE_SIZE, useIsEditor, useIssues } from './data.ts'
import { IssueDialog } from './issue-dialog.tsx'
import { IssueTable } from './issue-table.tsx'
import { NewIssueDialog } from './new-issue-dialog.tsx'
import { stateNames } from './search.ts'
import styles from './support.module.css'
import { useView } from './view.ts'

/** What one has reported and what support says to it; editors read and answer everybody's. */
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
      <Card padding="flush">
        <Toolbar />
        <PagedList
          list={issues}
          page={view.page}
          page_size={PAGE_SIZE}
          onPage={page => change({ page })}
          empty={<NoIssues />}
        >
          {(rows, stale) => <IssueTable issues={rows} stale={stale} editor={editor} />}
        </PagedList>
      </Card>
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

const ANY = 'any'

function Toolbar() {
  const { t } = useTranslation('support')
  const { view, change } = useView()
  return (
    <div className={styles.toolbar} role="search">
      <SearchField label={t('search')} value={view.search} onSearch={search => change({ search })} />
      <SelectField
        aria-label={t('column.state')}
        value={view.status ?? ANY}
        options={[
          { value: ANY, label: t('state_any') },
          ...stateNames.map(name => ({ value: name, label: t(`state.${name}`) })),
        ]}
        onChange={value => change({ status: value === ANY ? undefined : value })}
      />
    </div>
  )
}

function NoIssues() {
  const { t } = useTranslation('support')
  const { view, change } = useView()
  const is_filtered = view.search !== '' || view.status !== undefined
  if (!is_filtered) return <EmptyState icon={IconLifebuoy} title={t('empty')} detail={t('empty_detail')} />
  return (
    <EmptyState
      icon={IconSearch}
      title={t('nothing_found')}
      actions={
        <Button variant="default" onClick={() => change({ search: '', status: undefined })}>
          {t('clear')}
        </Button>
      }
    />
  )
}
