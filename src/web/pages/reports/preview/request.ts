import type { Draft, DraftBlock } from '#web/pages/reports/editor/draft.ts'

/** The parts of a draft that determine the table: nothing else reloads the preview. */
export type PreviewBody = ReturnType<typeof bodyOf>

export function bodyOf(draft: Draft, report: number | null) {
  const { dimensions, arrangement, fill_zero, sort, limit, header_language, date_range, timezone } = draft
  const { currency, comparison } = draft
  // A filter that is still without a value lets everything through until it has one, and a column over
  // several channels is there once it has a name and a formula.
  const channels = draft.channels.map(block => ({
    ...block,
    filters: block.filters.filter(({ values }) => values.length > 0),
  }))
  const blends = draft.blends.filter(({ name, formula }) => name.trim() !== '' && formula.trim() !== '')
  const table = { channels, dimensions, arrangement, fill_zero, sort, limit, header_language }
  return { report, ...table, currency, comparison, blends, date_range, timezone }
}

/** What still has to be chosen before a preview is possible. */
export type Missing = 'channels' | 'accounts' | 'metrics' | 'dates'

export function missingIn({ channels, date_range }: Draft): Missing[] {
  const { start, end, dynamic_range } = date_range
  const lacks = (what: 'accounts' | 'metrics') =>
    channels.length > 0 && channels.every(block => block[what].length === 0)
  const noneIsWhole = channels.length > 0 && !channels.some(isWhole)
  return [
    ...(channels.length === 0 ? ['channels' as const] : []),
    ...(lacks('accounts') || (noneIsWhole && !lacks('metrics')) ? ['accounts' as const] : []),
    ...(lacks('metrics') ? ['metrics' as const] : []),
    ...(dynamic_range === 0 && (start === null || end === null) ? ['dates' as const] : []),
  ]
}

const isWhole = ({ accounts, metrics }: DraftBlock) => accounts.length > 0 && metrics.length > 0

/** The part that platforms are queried with; two bodies with the same are answered by the same queries. */
export const requestKey = ({ channels, dimensions, date_range, timezone, ...body }: PreviewBody): string =>
  JSON.stringify([
    channels.map(({ channel, accounts, metrics, filters, conversion = null }) => [
      channel,
      accounts.toSorted((a, b) => a - b),
      metrics.toSorted(),
      filters,
      conversion,
    ]),
    dimensions.toSorted(),
    date_range,
    timezone,
    // Money is converted month by month, and the period before is fetched, too.
    body.currency,
    body.comparison && [body.comparison.to, body.comparison.align],
    body.blends.map(({ formula }) => formula),
  ])
