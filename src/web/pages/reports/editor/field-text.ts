import { catalogueOf } from '#shared/channels/all.ts'
import { dimensions as allDimensions, filterFields } from '#shared/channels/catalogue.ts'
import { comparedParts } from '#shared/comparison.ts'
import { blockLabels } from '#shared/headers.ts'
import { listText, languageNames } from '#shared/language.ts'
import { useTranslation } from '#web/i18n/use-translation.ts'
import { currencyText } from '#web/ui/currency-text.ts'
import { scheduleText } from '#web/pages/reports/schedule-text.ts'
import { accountShort } from './account-text.ts'
import type { ConflictPart } from './conflict.ts'
import type { Draft, DraftBlock } from './draft.ts'
import { catalogueIn, conversionName, metricNames, type KnownHere } from './known.ts'
import { useSortName } from './sort-fields.tsx'

/** A part of a draft as a person reads it, for comparing two. */
export function useFieldText(known: KnownHere): (draft: Draft, part: ConflictPart) => string {
  const { t, language } = useTranslation('editor')
  const { t: tEditing } = useTranslation('editing')
  const { t: tFields } = useTranslation('fields')
  const { t: tReports } = useTranslation('reports')
  const sortName = useSortName(known)

  const accountName = (id: number) => {
    const account = known.accounts.find(candidate => candidate.id === id)
    return account ? accountShort(account) : t('block.account_not_usable')
  }

  const conversionText = ({ conversion = null }: DraftBlock) => {
    if (conversion === null) return []
    const name = conversionName(conversion, known.meanings)?.[language]
    return [`${t('block.conversion')}: ${name ?? t('block.conversion_unknown', { id: String(conversion) })}`]
  }

  const blockText = (block: DraftBlock, label: string) => {
    const catalogue = catalogueIn(block, known)
    const metrics = block.metrics.map(id => metricNames(id, catalogue, known.meanings)[language])
    const filters = block.filters.map(
      ({ field, rule, values }) =>
        `${filterFields[field].names[language]} ${t(`rule.${rule}`)} ${listText(values, language)}`,
    )
    return [
      label,
      `${t('block.accounts')}: ${listText([...new Set(block.accounts.map(accountName))], language)}`,
      listText(metrics, language),
      ...conversionText(block),
      ...filters,
      t(`block.on_error_${block.on_error}`),
    ].join('\n')
  }

  const dateText = ({ date_range: { start, end, dynamic_range } }: Draft) => {
    const dynamic = ([1, 2, 3, 4, 5] as const).find(index => index === dynamic_range)
    return dynamic ? tFields(`date_range.dynamic_${dynamic}`) : `${start ?? ''} – ${end ?? ''}`
  }

  const target = ({ spreadsheet_url, sheet_name }: Draft) =>
    [spreadsheet_url, sheet_name].filter(Boolean).join('\n')

  const sortText = ({ sort, limit, ...draft }: Draft) => {
    const order = sort && t(sort.descending ? 'table.descending' : 'table.ascending')
    return [
      sort ? `${sortName({ sort, limit, ...draft }, sort)} · ${order ?? ''}` : t('table.sort_default'),
      limit === null ? t('table.limit_all') : t('first_rows', { count: limit }),
    ].join('\n')
  }

  const comparisonText = ({ comparison }: Draft) => {
    if (comparison === null) return tEditing('compare.off')
    const { to, align, show } = comparison
    const columns = comparedParts
      .filter(part => show.includes(part))
      .map(part => tEditing(`compare.show_${part}`))
    return [
      tEditing(`compare.${to}`),
      `${tEditing('compare.align')}: ${tEditing(`compare.align_${align}`)}`,
      `${tEditing('compare.show')}: ${listText(columns, language)}`,
    ].join('\n')
  }

  const blendsText = ({ blends }: Draft) =>
    blends
      .map(({ name, formula, unit, decimals }) =>
        [
          `${name} = ${formula}`,
          tEditing(`blend.unit_${unit}`),
          tEditing('blend.digits', { count: decimals }),
        ].join(' · '),
      )
      .join('\n')

  const texts: Record<ConflictPart, (draft: Draft) => string> = {
    name: ({ name }) => name,
    channels: ({ channels, header_language }) => {
      const labels = blockLabels(channels, header_language, catalogueOf)
      return channels.map((block, index) => blockText(block, labels[index] ?? '')).join('\n\n')
    },
    dimensions: ({ dimensions }) =>
      listText(
        dimensions.map(name => allDimensions[name].names[language]),
        language,
      ),
    arrangement: ({ arrangement }) => t(`table.${arrangement}`),
    fill_zero: ({ fill_zero }) => t(fill_zero ? 'yes' : 'no'),
    format_table: ({ format_table }) => t(format_table ? 'yes' : 'no'),
    sort: sortText,
    currency: ({ currency }) =>
      currency === null
        ? tEditing('money.own')
        : tEditing('money.converted', { currency: currencyText(currency, language) }),
    comparison: comparisonText,
    note: ({ note }) => t(note ? 'yes' : 'no'),
    blends: blendsText,
    header_language: ({ header_language }) => languageNames[header_language],
    date_range: dateText,
    schedule: draft => scheduleText(tReports, draft, language),
    timezone: ({ timezone }) => timezone.replaceAll('_', ' '),
    spreadsheet: target,
    start_cell: ({ start_cell }) => start_cell,
  }
  return (draft, part) => texts[part](draft) || '–'
}
