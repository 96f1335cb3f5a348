import type { RunQuery, RunTrigger } from '#shared/api/executions.ts'
import type { Gap } from '#shared/api/reports.ts'
import type { Channel } from '#shared/channels/catalogue.ts'
import { channelIds } from '#shared/channels/ids.ts'
import { isId, isNatural, textOf, type Raw } from '#web/client/search.ts'

// The URL parameters of the report pages. An invalid value counts as left out.

export const listOrderings = ['name', 'last_modified_at', 'next_run_at', 'last_run_at', 'owner_name'] as const
export const listScopes = ['mine', 'shared', 'all'] as const
export const gapNames = [
  'start_cell_not_set',
  'page_not_set',
  'permission_not_set',
  'channels_not_set',
] as const satisfies readonly Gap[]
export const exampleNames = ['daily', 'campaigns', 'keywords', 'traffic', 'funnel', 'monthly'] as const

// As shared/api/executions.ts has them; zod would weigh more than the page.
export const outcomeNames = [
  'completed',
  'partial',
  'error',
  'cancelled',
  'pending',
] as const satisfies readonly RunQuery['outcome'][]
export const triggerNames = [
  'click',
  'schedule',
  'retry',
  'cli',
  'undo',
] as const satisfies readonly RunTrigger[]

/** The list: the folder (0 is the root), the state of the table, and the open execution. */
export interface ReportListSearch {
  p: number
  search: string
  page: number
  /** A field, `-` first for descending. */
  ordering?: string
  /** 0 inactive, 1 active, 2 pending, 3 ended */
  status?: number
  scope?: (typeof listScopes)[number]
  gap?: Gap
  channel?: Channel
  execution?: string
  /** Only those that the person has marked. */
  favourite?: true
  /** The saved view that was opened; alone in an address it stands for its filters. */
  view?: number
  /** What was deleted in the last 30 days, instead of what exists. */
  deleted?: true
}

export const reportListSearch = (raw: Raw): ReportListSearch => {
  const scope = listScopes.find(name => name === raw.scope)
  const gap = gapNames.find(name => name === raw.gap)
  const channel = channelIds.find(name => name === raw.channel)
  const ordering = orderingOf(raw.ordering)
  return {
    p: isNatural(raw.p) ? raw.p : 0,
    search: textOf(raw.search),
    page: isId(raw.page) ? raw.page : 1,
    ...(ordering !== null && { ordering }),
    ...(isNatural(raw.status) && raw.status <= 3 && { status: raw.status }),
    ...(scope && { scope }),
    ...(gap && { gap }),
    ...(channel && { channel }),
    ...executionOf(raw),
    ...(raw.favourite === true && { favourite: true }),
    ...(isId(raw.view) && { view: raw.view }),
    ...(raw.deleted === true && { deleted: true }),
  }
}

/**
 * The editor: without an id a new report, in the folder `folder`, filled from an example, or with all
 * channels of an advertiser.
 */
export interface ReportEditorSearch {
  id?: number
  folder?: number
  example?: (typeof exampleNames)[number]
  advertiser?: number
  execution?: string
}

export const reportEditorSearch = (raw: Raw): ReportEditorSearch => {
  const example = exampleNames.find(name => name === raw.example)
  return {
    ...(isId(raw.id) && { id: raw.id }),
    ...(isId(raw.folder) && { folder: raw.folder }),
    ...(example && { example }),
    ...(isId(raw.advertiser) && { advertiser: raw.advertiser }),
    ...executionOf(raw),
  }
}

/** What a new report can begin with: the client, and an example as soon as there is one. */
export interface NewReportSearch {
  folder?: number
  advertiser?: number
  example?: (typeof exampleNames)[number]
}

export const newReportSearch = (raw: Raw): NewReportSearch => {
  const example = exampleNames.find(name => name === raw.example)
  return {
    ...(isId(raw.folder) && { folder: raw.folder }),
    ...(isId(raw.advertiser) && { advertiser: raw.advertiser }),
    ...(example && { example }),
  }
}

/** A page about one report. */
export const reportSearch = ({ id }: Raw): { id?: number } => (isId(id) ? { id } : {})

/** The history: a report, which of its runs are listed, and the run whose page is open. */
export interface RunHistorySearch {
  id?: number
  page?: number
  outcome?: (typeof outcomeNames)[number]
  trigger?: (typeof triggerNames)[number]
  run?: string
}

export const runHistorySearch = ({ id, page, run, ...raw }: Raw): RunHistorySearch => {
  const outcome = outcomeNames.find(name => name === raw.outcome)
  const trigger = triggerNames.find(name => name === raw.trigger)
  return {
    ...(isId(id) && { id }),
    ...(isId(page) && page > 1 && { page }),
    ...(outcome && { outcome }),
    ...(trigger && { trigger }),
    ...(isUuid(run) && { run }),
  }
}

/** The versions of a report, and two that are compared. */
export interface ReportVersionsSearch {
  id?: number
  older?: number
  newer?: number
}

export const reportVersionsSearch = ({ id, older, newer }: Raw): ReportVersionsSearch => ({
  ...(isId(id) && { id }),
  ...(isId(older) && { older }),
  ...(isId(newer) && { newer }),
})

export const bulkChangeKinds = ['ending', 'replace', 'clone'] as const

/** Bulk changes: the kind, and the reports; left out: all that it applies to. */
export interface BulkChangesSearch {
  do?: (typeof bulkChangeKinds)[number]
  reports?: number[]
}

export const bulkChangesSearch = ({ do: requested, reports }: Raw): BulkChangesSearch => {
  const kind = bulkChangeKinds.find(name => name === requested)
  const ids = Array.isArray(reports) ? reports.filter(isId).slice(0, MOST_CHOSEN) : []
  return { ...(kind && { do: kind }), ...(ids.length > 0 && { reports: ids }) }
}

const MOST_CHOSEN = 500

const isUuid = (value: unknown): value is string => typeof value === 'string' && /^[\da-f-]{36}$/.test(value)

const executionOf = ({ execution }: Raw): { execution?: string } => (isUuid(execution) ? { execution } : {})

function orderingOf(value: unknown): string | null {
  const text = textOf(value)
  return listOrderings.some(field => field === text.replace(/^-/, '')) ? text : null
}
