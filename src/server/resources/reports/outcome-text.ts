import type { Run } from '#shared/api/executions.ts'
import { errorsEn } from '#shared/errors-en.ts'
import { errorsZhTW } from '#shared/errors-zh-TW.ts'
import { errorText } from '#shared/error-texts.ts'
import { isErrorCode } from '#shared/errors.ts'
import type { Language } from '#shared/language.ts'

/** How a run ended, in words; of one that failed, why. */
export function outcomeText(
  { status, code, partial }: Pick<Run, 'status' | 'code' | 'partial'>,
  { internal, language }: { internal: boolean; language: Language },
): string {
  if (code !== null && isErrorCode(code))
    return errorText(errorTexts[language], code, internal ? 'internal' : 'external')
  return outcomes[status === 'completed' && partial ? 'partial' : status][language]
}

const errorTexts = { en: errorsEn, 'zh-TW': errorsZhTW } satisfies Record<Language, unknown>

const outcomes = {
  queued: { en: 'Waiting', 'zh-TW': '等待執行' },
  fetching: { en: 'Fetching', 'zh-TW': '擷取資料中' },
  writing: { en: 'Writing', 'zh-TW': '寫入中' },
  completed: { en: 'Completed', 'zh-TW': '已完成' },
  partial: { en: 'Partially completed', 'zh-TW': '部分完成' },
  error: { en: 'Failed', 'zh-TW': '失敗' },
  cancelled: { en: 'Cancelled', 'zh-TW': '已取消' },
} as const
