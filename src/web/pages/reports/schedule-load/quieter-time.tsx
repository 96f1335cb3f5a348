import { Button } from '@mantine/core'
import { keepPreviousData, useQuery } from '@tanstack/react-query'
import { frequency, type Schedule } from '#shared/schedule.ts'
import { client } from '#web/client/client.ts'
import type { Problem } from '#web/client/problem.ts'
import { useTranslation } from '#web/i18n/use-translation.ts'
import { timeText } from '#web/ui/times.ts'
import { quarterOf, quieterThan, timeOf } from './quieter.ts'
import styles from './quieter-time.module.css'
import type { ScheduleLoad } from '#shared/api/schedule-load.ts'

interface QuieterTimeProps {
  schedule: Schedule
  onTake: (update_time: string) => void
}

/** How busy the chosen quarter hour is, and a quieter one nearby to switch to. A quiet one shows nothing. */
export function QuieterTime({ schedule, onTake }: QuieterTimeProps) {
  const { t, language } = useTranslation('bulk_changes')
  const { data } = useLoad(schedule)
  const quarter = quarterOf(schedule.update_time)
  const here = data?.quarters[quarter]
  const quieter = data ? quieterThan(data.quarters, quarter) : null
  if (!here || here.level < 2) return <p className={styles.load} aria-live="polite" hidden={!here} />
  const time = timeText(schedule.update_time, language)
  const level = here.level === 3 ? 'busy' : 'some'
  return (
    <p className={styles.load} data-level={level} aria-live="polite">
      {here.reports === null
        ? t(`load.${level}`, { time })
        : t(`load.${level}_counted`, { time, count: here.reports })}{' '}
      {quieter !== null && (
        <>
          {t('load.quieter', { time: timeText(timeOf(quieter), language) })}{' '}
          <Button size="compact-xs" variant="default" onClick={() => onTake(timeOf(quieter))}>
            {t('load.take', { time: timeText(timeOf(quieter), language) })}
          </Button>
        </>
      )}
    </p>
  )
}

function useLoad({ timezone, update_frequency, update_day_of_week, update_day_of_month }: Schedule) {
  const query = {
    timezone,
    update_frequency,
    update_day_of_week: update_frequency === frequency.weekly ? update_day_of_week : null,
    update_day_of_month: update_frequency === frequency.monthly ? update_day_of_month : null,
  }
  return useQuery<ScheduleLoad, Problem>({
    queryKey: ['schedule-load', query],
    queryFn: ({ signal }) => client.get('/api/schedule/load/', { query, signal }),
    enabled: update_frequency >= frequency.daily && update_frequency <= frequency.monthly,
    placeholderData: keepPreviousData,
    staleTime: 5 * 60_000,
    retry: false,
  })
}
