import type { Forecast, RunStatus } from '#shared/api/executions.ts'
import { useLanguage, useTranslation } from '#web/i18n/use-translation.ts'
import { instantText } from '#web/ui/times.ts'
import styles from './run-details.module.css'

/** The position of a run in the queue and when it is likely to end; says so where that is unknown. */
export function RunForecast({ status, forecast }: { status: RunStatus; forecast: Forecast }) {
  const { t } = useTranslation('history')
  const language = useLanguage()
  const { ahead, finishes_at, starts_at } = forecast
  const position =
    status !== 'queued' || ahead === null
      ? null
      : ahead === 0
        ? t('forecast.next')
        : t('forecast.ahead', { count: ahead })
  const isLate = status !== 'queued' && starts_at === null && finishes_at === null
  return (
    <p className={styles.untouched}>
      {position}{' '}
      {finishes_at !== null
        ? t('forecast.finishes', { when: instantText(finishes_at, language) })
        : t(isLate ? 'forecast.longer' : 'forecast.unknown')}
    </p>
  )
}
