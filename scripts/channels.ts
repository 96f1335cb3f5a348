import { readFile, writeFile } from 'node:fs/promises'
import { fileURLToPath } from 'node:url'
import { catalogueOf } from '#shared/channels/all.ts'
import {
  dimensions,
  filterFields,
  filterRules,
  type Channel,
  type ChannelCatalogue,
  type Metric,
} from '#shared/channels/catalogue.ts'
import { channelIds } from '#shared/channels/ids.ts'

/**
 * Writes docs/channels.md, the catalogue for people to read. `--check` writes nothing and fails when it is
 * out of date.
 */
const FILE = fileURLToPath(new URL('../docs/channels.md', import.meta.url))

const page = document()
if (process.argv.includes('--check')) {
  if ((await readFile(FILE, 'utf8').catch(() => '')) !== page) {
    console.error('docs/channels.md is out of date; run "node scripts/channels.ts".')
    process.exitCode = 1
  }
} else {
  await writeFile(FILE, page)
}

function document(): string {
  return [
    '# Channels',
    'Dimensions, metrics and filters of each channel. Generated from the catalogue in `src/shared/channels` by `node scripts/channels.ts`. ● is available, ○ with the limits below the table.',
    '## Dimensions',
    dimensionTable(),
    ...channelIds.flatMap(limitsOf),
    '## Filters',
    `Rules: ${filterRules.join(', ')}. Filters are combined with AND, the values of one filter with OR (NOT_CONTAINS matches none of them). Case is ignored.`,
    filterTable(),
    ...channelIds.flatMap(channelSection),
    '',
  ].join('\n\n')
}

function has(isThere: boolean, isLimited = false): string {
  if (!isThere) return ''
  return isLimited ? '○' : '●'
}

function dimensionTable(): string {
  const rows = Object.entries(dimensions).map(([id, { names }]) => [
    `${names.en} · ${names['zh-TW']}`,
    ...channelIds.map(channel => {
      const { dimensions: offered, limited } = catalogueOf(channel)
      return has((offered as readonly string[]).includes(id), Object.hasOwn(limited ?? {}, id))
    }),
  ])
  return table(['', ...channelIds], rows)
}

function limitsOf(channel: Channel): string[] {
  const { limited = {}, names } = catalogueOf(channel)
  return Object.entries(limited).map(
    ([id, text]) => `○ ${names.en}, ${dimensions[id as keyof typeof dimensions].names.en}: ${text.en}`,
  )
}

function filterTable(): string {
  const rows = Object.entries(filterFields).map(([id, { names }]) => [
    `${names.en} (\`${id}\`)`,
    ...channelIds.map(channel => has((catalogueOf(channel).filters as readonly string[]).includes(id))),
  ])
  return table(['', ...channelIds], rows)
}

function channelSection(channel: Channel): string[] {
  const catalogue: ChannelCatalogue = catalogueOf(channel)
  const { names, explanation, metrics, history_months, accounts_of } = catalogue
  const years = `Days of the last ${history_months} months.`
  const accounts = accounts_of ? ` Its accounts are those of \`${accounts_of}\`.` : ''
  const rows = Object.entries(metrics).map(([id, metric]) => [
    `\`${id}\``,
    metric.names.en,
    metric.names['zh-TW'],
    metric.unit,
    kindOf(metric),
    `\`${metric.platform_field}\``,
    limitsOfMetric(metric),
    metric.explanation.en,
  ])
  return [
    `## ${names.en} · ${names['zh-TW']} (\`${channel}\`)`,
    `${explanation.en}. ${years}${accounts}${countingOf(catalogue)}`,
    table(['id', 'en', 'zh-TW', 'unit', 'kind', 'platform field', 'limits', 'explanation'], rows),
  ]
}

function countingOf({ actions }: ChannelCatalogue): string {
  if (actions === undefined) return ''
  const apart = actions === 'apart' ? ', in a request of their own' : ''
  return ` Conversions can be counted by the platform's actions${apart}.`
}

function kindOf(metric: Metric): string {
  if (metric.kind === 'additive') return 'additive'
  if (metric.kind === 'non_additive') return 'not additive'
  if (metric.kind === 'calculated') return metric.kind
  const { numerator, denominator, times } = metric.formula
  return `${numerator} / ${denominator}${times === undefined ? '' : ` × ${times}`}`
}

function limitsOfMetric({ not_with, only_with, not_beside, providers }: Metric): string {
  return [
    not_with && `not by ${not_with.join(', ')}`,
    only_with && `only by ${only_with.join(', ')}`,
    not_beside && `not with ${not_beside.join(', ')}`,
    providers && `${providers.join(', ')} only`,
  ]
    .filter(Boolean)
    .join('; ')
}

function table(head: string[], rows: string[][]): string {
  return [row(head), row(head.map(() => '---')), ...rows.map(row)].join('\n')
}

function row(cells: string[]): string {
  return `| ${cells.map(text => text.replaceAll('|', '\\|').replaceAll('\n', ' ')).join(' | ')} |`
}
