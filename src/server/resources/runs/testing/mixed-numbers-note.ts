import type { RunRow } from './agency.ts'
import { comparedOf } from './mixed-numbers-rows.ts'
import { leavesOf } from '#server/table/testing/formula-trees.ts'
import { operandsIn, PROVISIONAL } from './mixed-numbers-meaning.ts'
import type { MixedReport } from './mixed-numbers-oracle.ts'

const MOST_CHARACTERS = 2000

/** What the notes of a written file lack, or have too much. */
export function noteProblems(
  notes: readonly string[],
  report: MixedReport,
  { blocks, report: id }: Pick<RunRow, 'blocks' | 'report'>,
): string[] {
  if (!report.note) return notes.length > 0 ? [`a note that nobody wants: ${notes.join()}`] : []
  const [note = '', ...others] = notes
  const lines = note.split('\n')
  const compared = comparedOf(report)
  const words = report.header_language === 'en' ? ['Updated', 'No output from'] : ['更新時間', '沒有資料']
  const mayConvert = report.blocks.some((_, at) => converts(report, at))
  // Filters may leave out the accounts with dollars.
  const isSureToConvert = report.blocks.some(
    ({ filters }, at) =>
      converts(report, at) &&
      !filters.some(({ field }) => field === 'account_name' || field === 'account_id'),
  )
  const expected = [
    words[0] ?? '',
    report.range.end,
    `/gs-template/template?id=${id}`,
    ...(compared ? [`${compared.start} – ${compared.end}`] : []),
    ...(isSureToConvert ? [PROVISIONAL] : []),
  ]
  const silent = blocks.filter(({ status }) => status !== 'ok')
  const named = lines.filter(line => line.includes(words[1] ?? ''))
  return [
    ...(others.length > 0 ? [`${notes.length} notes`] : []),
    ...expected.filter(text => !note.includes(text)).map(text => `the note lacks ${text}: ${note}`),
    ...silent
      .filter(({ label }) => !named.some(line => line.includes(label)))
      .map(({ label }) => `the note does not name ${label}: ${note}`),
    ...(named.length > silent.length ? [`the note names ${named.join()} for ${silent.length}`] : []),
    ...(note.includes(PROVISIONAL) && !mayConvert ? [`a final rate: ${note}`] : []),
    ...(note.length > MOST_CHARACTERS ? [`a note of ${note.length} characters`] : []),
  ]
}

/** Whether a block's money is converted from or to dollars in the running month. */
function converts(report: MixedReport, at: number): boolean {
  const { currency, range, formulas, blends, blocks } = report
  const [month = '', code = ''] = PROVISIONAL.split(' ')
  const block = blocks[at]
  if (!block || currency === null || range.end < `${month}-01`) return false
  const blended = blends.flatMap(({ tree }) =>
    leavesOf(tree).flatMap(leaf => (leaf.block === at || leaf.block === 'all' ? leaf.metric : [])),
  )
  const own = block.metrics.flatMap(metric => (formulas[metric] ? operandsIn(formulas[metric].tree) : metric))
  const isMoney = [...own, ...blended].some(metric => /cost|cp[acm]|roas|value/.test(metric))
  const isForeign = block.accounts.some(
    account => account.currency !== currency && [account.currency, currency].includes(code),
  )
  return isMoney && isForeign
}
