import type { Gap, Report } from './api/reports.ts'
import { listText, type Language, type Text } from './language.ts'

/** What is not set, within a sentence; of a spreadsheet that is shared, the proof of control alone. */
export const gapNames = {
  start_cell_not_set: text('starting cell', '起始儲存格'),
  page_not_set: text('tab', '工作表'),
  permission_not_set: text('access to the spreadsheet', '試算表權限'),
  proof_required: text('control of the spreadsheet', '控制權驗證'),
  channels_not_set: text('channels', '管道'),
} as const satisfies Record<Gap | 'proof_required', Text>

export const gapNameOf = (gap: Gap, { target_state }: Pick<Report, 'target_state'>) =>
  gap === 'permission_not_set' && target_state === 'proof_required' ? 'proof_required' : gap

type Incomplete = Pick<Report, 'gaps' | 'target_state'>

/** The names in a line. */
export const gapList = (report: Incomplete, language: Language): string =>
  listText(
    report.gaps.map(gap => gapNames[gapNameOf(gap, report)][language]),
    language,
  )

/** Why a report cannot run. */
export function gapText(report: Incomplete, language: Language): string {
  const names = gapList(report, language)
  return language === 'en' ? `Cannot run. Not set: ${names}.` : `無法執行。未設定：${names}。`
}

function text(en: string, zh: string): Text {
  return { en, 'zh-TW': zh }
}
