import { useSearch } from '@tanstack/react-router'
import { channelNames } from '#shared/channels/catalogue.ts'
import { useMe } from '#web/client/me.ts'
import { useTranslation } from '#web/i18n/use-translation.ts'
import { InlineAlert } from '#web/ui/inline-alert.tsx'
import { PageLoading } from '#web/ui/page-loading.tsx'
import { Problem } from '#web/ui/problem.tsx'
import { useReport } from './editor/data.ts'
import { draftOf, newDraft, type Draft } from './editor/draft.ts'
import { EditorPage } from './editor/editor-page.tsx'
import type { ExampleName } from './editor/examples.ts'
import { useExample } from './editor/use-example.ts'
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
  const { folder = null, example } = useSearch({ from: '/shell/gs-template/template' })
  const me = useMe()
  const blank = newDraft({ name: t('unnamed'), language, timezone: me.time_zone })
  if (example === undefined) return <EditorPage key="" report={null} initial={blank} folder={folder} />
  return <FromExample key={example} example={example} blank={blank} folder={folder} />
}

interface FromExampleProps {
  example: ExampleName
  blank: Draft
  folder: number | null
}

/** Filled in with the usable channels and accounts; what is not available is named. */
function FromExample({ example, blank, folder }: FromExampleProps) {
  const { t, language } = useTranslation('editor')
  const { t: tReports } = useTranslation('reports')
  const filled = useExample(example, { ...blank, name: tReports(`empty.example_${example}`) })
  if (filled === null) return <PageLoading />
  const { draft, advertiser, missing } = filled
  const names = missing.map(channel => channelNames[channel][language]).join(', ')
  return (
    <EditorPage
      report={null}
      initial={draft}
      folder={folder}
      notice={
        <InlineAlert severity="info">
          {advertiser !== null && `${t('example.filled', { advertiser })} `}
          {missing.length > 0 && t('example.missing', { channels: names })}
        </InlineAlert>
      }
    />
  )
}
