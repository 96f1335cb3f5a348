import { useSearch } from '@tanstack/react-router'
import { useMe } from '#web/app/me.ts'
import { PageLoading } from '#web/app/page-loading.tsx'
import { useTranslation } from '#web/i18n/use-translation.ts'
import { Problem } from '#web/ui/problem.tsx'
import { useReport } from './editor/data.ts'
import { draftOf, newDraft } from './editor/draft.ts'
import { EditorPage } from './editor/editor-page.tsx'
import { useRunEvents } from './runs/use-run-events.ts'

/** The report editor: an existing report, or without an id a new one. */
export function ReportEditor() {
  const search = useSearch({ from: '/shell/gs-template/template' })
  const report = useReport(search.id)
  useRunEvents()
  if (search.id === undefined) return <NewReport />
  if (report.error && !report.data)
    return (
      <Problem
        code={report.error.code}
        request_id={report.error.request_id}
        onRetry={() => void report.refetch()}
      />
    )
  if (!report.data) return <PageLoading />
  return <EditorPage key={search.id} report={report.data} initial={draftOf(report.data)} folder={null} />
}

function NewReport() {
  const { t, language } = useTranslation('editor')
  const { folder, example } = useSearch({ from: '/shell/gs-template/template' })
  const examples = useTranslation('reports')
  const me = useMe()
  const name = example ? examples.t(`empty.example_${example}`) : t('unnamed')
  const initial = newDraft({ name, language, timezone: me.time_zone, example })
  return <EditorPage key={example ?? ''} report={null} initial={initial} folder={folder ?? null} />
}
