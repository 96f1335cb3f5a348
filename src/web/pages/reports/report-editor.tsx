import { useQueries, useQuery, type UseQueryResult } from '@tanstack/react-query'
import { useSearch } from '@tanstack/react-router'
import { mayDo } from '#shared/access.ts'
import type { AdAccount } from '#shared/api/ad-accounts.ts'
import { noMeanings } from '#shared/block-catalogue.ts'
import { accountChannelOf } from '#shared/channels/all.ts'
import { channelNames, dimensions, type Channel } from '#shared/channels/catalogue.ts'
import { listText } from '#shared/language.ts'
import { limits } from '#shared/limits.ts'
import { useMe } from '#web/client/me.ts'
import { useTranslation } from '#web/i18n/use-translation.ts'
import { InlineAlert } from '#web/ui/inline-alert.tsx'
import { PageLoading } from '#web/ui/page-loading.tsx'
import { accountsOf, accountsOfAdvertiser, meaningsQuery } from './editor/data.ts'
import { draftOf, newDraft, type Draft } from './editor/draft.ts'
import { EditorPage } from './editor/editor-page.tsx'
import { examples, filledWith, type ExampleName, type Filled } from './editor/examples.ts'
import { OfReport } from './of-report.tsx'
import { ReportView } from './view/report-view.tsx'
import { useRunEvents } from './runs/use-run-events.ts'

/** The report editor: an existing report, or without an id a new one. Who may only view it sees its table. */
export function ReportEditor() {
  const { id } = useSearch({ from: '/shell/gs-template/template' })
  useRunEvents()
  return (
    <OfReport id={id} missing={<NewReport />}>
      {report =>
        mayDo(report.access, 'change') ? (
          <EditorPage key={id} report={report} initial={draftOf(report)} folder={null} />
        ) : (
          <ReportView key={id} report={report} />
        )
      }
    </OfReport>
  )
}

function NewReport() {
  const { t, language } = useTranslation('editor')
  const { folder = null, example, advertiser } = useSearch({ from: '/shell/gs-template/template' })
  const me = useMe()
  const blank = newDraft({ name: t('unnamed'), language, timezone: me.time_zone })
  const name = example ?? (advertiser === undefined ? null : 'everything')
  if (name === null) return <EditorPage key="" report={null} initial={blank} folder={folder} />
  return <FromExample key={`${name} ${advertiser ?? ''}`} {...{ name, advertiser, blank, folder }} />
}

interface FromExampleProps {
  name: ExampleName
  /** Whose accounts are filled in; undefined: those of the advertiser that fits best. */
  advertiser: number | undefined
  blank: Draft
  folder: number | null
}

/** Filled in with the usable channels and accounts; what is not available is named. */
function FromExample({ name, advertiser, blank, folder }: FromExampleProps) {
  const { t } = useTranslation('editing')
  const { t: tReports } = useTranslation('reports')
  const title = tReports(`empty.example_${name}`)
  const filled = useExample(name, { ...blank, name: title }, advertiser)
  if (filled === null) return <PageLoading />
  const named =
    advertiser === undefined || filled.advertiser === null
      ? filled.draft
      : {
          ...filled.draft,
          name: t('example.name', { client: filled.advertiser, title }).slice(0, limits.name),
        }
  return (
    <EditorPage
      report={null}
      initial={named}
      folder={folder}
      notice={<ExampleNotice filled={filled} isChosen={advertiser !== undefined} />}
    />
  )
}

/** What an example has filled in, and what it could not. */
function ExampleNotice({ filled, isChosen }: { filled: Filled; isChosen: boolean }) {
  const { advertiser, missing, cut, added } = filled
  const { t, language } = useTranslation('editing')
  const namesOf = (channels: readonly Channel[]) =>
    listText(
      channels.map(channel => channelNames[channel][language]),
      language,
    )
  const sentences = [
    advertiser !== null && t('example.filled', { advertiser }),
    missing.length > 0 &&
      (isChosen && advertiser !== null
        ? t('example.missing_of', { advertiser, channels: namesOf(missing) })
        : t('example.missing', { channels: namesOf(missing) })),
    cut.length > 0 && t('example.cut', { channels: namesOf(cut), count: limits.accounts }),
    added !== null && t('example.added', { dimension: dimensions[added].names[language] }),
  ]
  return <InlineAlert severity="info">{sentences.filter(Boolean).join(' ')}</InlineAlert>
}

/** A draft filled from an example; null while one's accounts, or what they mean, are not known. */
function useExample(name: ExampleName, blank: Draft, advertiser: number | undefined): Filled | null {
  const channels = [...new Set(examples[name].channels.map(accountChannelOf))]
  const queries = channels.map(channel =>
    advertiser === undefined ? accountsOf(channel) : accountsOfAdvertiser(channel, advertiser),
  )
  const usable = useQueries({ queries, combine: allOrNothing })
  const { data, isPending } = useQuery(meaningsQuery)
  if (usable === null || isPending) return null
  const meanings = data?.meanings ?? noMeanings
  return filledWith(blank, { name, usable, meanings, isChosen: advertiser !== undefined })
}

/** What could not be read counts as not usable; the field itself says why. */
const allOrNothing = (results: UseQueryResult<AdAccount[]>[]) =>
  results.some(({ isPending }) => isPending) ? null : results.flatMap(({ data }) => data ?? [])
