import { useTranslation } from '#web/i18n/use-translation.ts'
import { RelativeTime } from '#web/ui/relative-time.tsx'
import { clockText } from '#web/ui/times.ts'
import type { ReportState } from './report-state.ts'

/** The state of a report in a few words: what the agency's own people read. */
export function StateText({ state }: { state: ReportState }) {
  const { t, language } = useTranslation('overview')
  switch (state.kind) {
    case 'never':
      return t('state.never')
    case 'cancelled':
      return t('state.cancelled')
    case 'running':
      return state.finishes_at === null
        ? t('state.running')
        : t('state.running_until', { time: clockText(state.finishes_at, language) })
    case 'failed':
      return (
        <>
          {t('state.failed')} <RelativeTime at={state.at} /> ·{' '}
          {state.updated_at === null ? (
            t('state.no_data')
          ) : (
            <>
              {t('state.data_of')} <RelativeTime at={state.updated_at} />
            </>
          )}
        </>
      )
    default:
      return (
        <>
          {state.kind === 'restored' ? t('state.restored') : t('rows', { count: state.rows })}
          {state.kind === 'partial' && ` · ${t('state.partial')}`} · <RelativeTime at={state.at} />
        </>
      )
  }
}
