import { useQueries, type UseQueryResult } from '@tanstack/react-query'
import { useSearch } from '@tanstack/react-router'
import type { AdAccount } from '#shared/api/ad-accounts.ts'
import { accountChannelOf } from '#shared/channels/all.ts'
import { channelNames } from '#shared/channels/catalogue.ts'
import { useMe } from '#web/client/me.ts'
import { useTranslation } from '#web/i18n/use-translation.ts'
import { InlineAlert } from '#web/ui/inline-alert.tsx'
import { PageLoading } from '#web/ui/page-loading.tsx'
import { accountsOf } from './editor/data.ts'
import { draftOf, newDraft, type Draft } from './editor/draft.ts'
import { EditorPage } from './editor/editor-page.tsx'
import { examples, filledWith, type ExampleName, type Filled } from './editor/examples.ts'
import { OfReport } from './of-report.tsx'
import { useRunEvents } from './runs/use-run-events.ts'

/** The report editor: an existing report, or without an id a new one. */
export function ReportEditor() {
  const { id } = useSearch({ from: '/shell/gs-template/template' })
  useRunEvents()
  return (
    <OfReport id={id} missing={<NewReport />}>
      {report => <EditorPage key={id} report={report} initial={draftOf(report)} folder={null} />}
    </OfReport>
  )
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

/** A draft filled from an example; null while it is not known which accounts one may use. */
function useExample(name: ExampleName, blank: Draft): Filled | null {
  const channels = [...new Set(examples[name].channels.map(accountChannelOf))]
  const accounts = useQueries({ queries: channels.map(accountsOf), combine: allOrNothing })
  return accounts && filledWith(blank, name, accounts)
}

/** What could not be read counts as not usable; the field itself says why. */
const allOrNothing = (results: UseQueryResult<AdAccount[]>[]) =>
  results.some(({ isPending }) => isPending) ? null : results.flatMap(({ data }) => data ?? [])
