import type { RunDetail } from '#shared/api/executions.ts'
import { isErrorCode } from '#shared/errors.ts'
import { listText, type Language } from '#shared/language.ts'
import type { useTranslation } from '#web/i18n/use-translation.ts'
import { problemText } from '#web/ui/problem-text.tsx'

interface Words {
  t: ReturnType<typeof useTranslation<'runs'>>['t']
  language: Language
  audience: 'internal' | 'external'
}

/**
 * The details of a failure, in words: which range, how many cells, which tab. What a program alone can use is
 * left to the copied details.
 */
export function detailLines(detail: RunDetail['detail'], { t, language, audience }: Words): string[] {
  const { used, needed, limit, columns, cells, column, range, name, description } = detail ?? {}
  const { sheet_name, new_name, mime_type, trashed, locked, accounts, owner, reason, last } = detail ?? {}
  const { names, lost_leases, status, platform_request_id } = detail ?? {}
  const count = (value: unknown) => Number(value).toLocaleString(language)
  const where = [range, description].filter(isText).join(' · ')
  const lines = [
    isNumber(needed) &&
      t('detail.cells_needed', { used: count(used), needed: count(needed), limit: count(limit) }),
    isNumber(columns) && t('detail.columns', { columns: count(columns), limit: count(limit) }),
    isNumber(cells) && t('detail.cells', { cells: count(cells) }),
    isText(column) && t('detail.column', { column }),
    isText(name) && t('detail.other_report', { name }),
    Array.isArray(names) &&
      names.length > 0 &&
      t('detail.named_ranges', { names: listText(names, language) }),
    where !== '' && t('detail.range', { range: where }),
    isText(sheet_name) && t('detail.tab', { tab: sheet_name }),
    isText(new_name) && t('detail.renamed', { tab: new_name }),
    isText(mime_type) && t('detail.file_type', { type: mime_type }),
    trashed === true && t('detail.trashed'),
    locked === true && t('detail.locked'),
    Array.isArray(accounts) && accounts.length > 0 && t('detail.accounts', { count: accounts.length }),
    isNumber(owner) && t('detail.owner'),
    reason === 'range_in_future' && t('detail.range_in_future'),
    isText(last) && isErrorCode(last) && t('detail.last', { cause: problemText(last, audience, language) }),
    isNumber(lost_leases) && t('detail.crashed', { count: lost_leases }),
    isNumber(status) && t('detail.http_status', { status }),
    isText(platform_request_id) && t('detail.request_id', { id: platform_request_id }),
  ]
  return lines.filter(isText)
}

const isText = (value: unknown): value is string => typeof value === 'string' && value !== ''
const isNumber = (value: unknown): value is number => typeof value === 'number'
