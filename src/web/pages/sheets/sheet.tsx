import { useNavigate, useParams, useSearch } from '@tanstack/react-router'
import { useState } from 'react'
import { IconTable } from '@tabler/icons-react'
import type { Sheet as Spreadsheet } from '#shared/api/sheets.ts'
import type { Cell } from '#shared/cell.ts'
import { usePageTitle } from '#web/client/page-title.ts'
import { useTranslation } from '#web/i18n/use-translation.ts'
import { NotFound } from '#web/pages/not-found.tsx'
import { EmptyState } from '#web/ui/empty-state.tsx'
import { PageLoading } from '#web/ui/page-loading.tsx'
import { Problem } from '#web/ui/problem.tsx'
import { useSheet } from './data.ts'
import { Grid } from './grid.tsx'
import { SheetToolbar } from './sheet-toolbar.tsx'
import styles from './sheet.module.css'
import { TabBar } from './tab-bar.tsx'
import { useSheetEvents } from './use-sheet-events.ts'

/** One spreadsheet: its tabs and their contents. */
export function Sheet() {
  const { id } = useParams({ from: '/shell/sheets/$id' })
  const sheet = useSheet(id)
  if (sheet.error?.code === 'not_found') return <NotFound />
  if (sheet.error) return <Problem code={sheet.error.code} onRetry={() => void sheet.refetch()} />
  if (!sheet.data) return <PageLoading />
  return <OpenSheet sheet={sheet.data} />
}

function OpenSheet({ sheet }: { sheet: Spreadsheet }) {
  const { t } = useTranslation('sheets')
  const { gid } = useSearch({ from: '/shell/sheets/$id' })
  const navigate = useNavigate({ from: '/sheets/$id' })
  const writtenAt = useSheetEvents(sheet.id)
  const [active, setActive] = useState<Cell>({ row: 0, column: 0 })
  usePageTitle(sheet.title, true)

  const visible = sheet.tabs.filter(tab => !tab.hidden)
  const tab = sheet.tabs.find(candidate => candidate.gid === gid) ?? visible[0]

  function open(next: number, cell: Cell = { row: 0, column: 0 }) {
    setActive(cell)
    void navigate({ search: { gid: next }, replace: true })
  }

  if (!tab) return <EmptyState icon={IconTable} title={t('no_tabs')} />
  return (
    <div className={styles.sheet}>
      <SheetToolbar sheet={sheet} tab={tab} active={active} writtenAt={writtenAt} onGo={open} />
      <Grid key={tab.gid} id={sheet.id} tab={tab} active={active} onActive={setActive} />
      <TabBar tabs={visible} current={tab} onOpen={open} />
    </div>
  )
}
