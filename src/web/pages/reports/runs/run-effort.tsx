import type { RunDetail } from '#shared/api/executions.ts'
import { platforms, providers } from '#shared/platforms.ts'
import { useTranslation } from '#web/i18n/use-translation.ts'
import { instantText } from '#web/ui/times.ts'
import { spanText } from './duration.ts'
import styles from './run-details.module.css'

/** The requests to each service over all attempts, and how long workers waited for quotas. */
export function RunEffort({ run }: { run: RunDetail }) {
  const { t, language } = useTranslation('history')
  const { t: tRuns } = useTranslation('runs')
  const { platform_calls, quota_wait_ms, spreadsheet_requests, answers_shared, shared_from } = run
  const waits = Object.entries(quota_wait_ms).filter(([, ms]) => ms >= NOTABLE_MS)
  return (
    <section>
      <h3>{t('effort.title')}</h3>
      <dl className={styles.facts}>
        {Object.entries(platform_calls).map(([name, count]) => (
          <div key={name}>
            <dt>{nameOf(name, language)}</dt>
            <dd>{t('effort.requests', { count })}</dd>
          </div>
        ))}
        <div>
          <dt>{t('effort.sheets')}</dt>
          <dd>{t('effort.requests', { count: spreadsheet_requests })}</dd>
        </div>
        {shared_from !== null && (
          <div>
            <dt>{t('effort.shared')}</dt>
            <dd>{t('effort.answers', { count: answers_shared, at: instantText(shared_from, language) })}</dd>
          </div>
        )}
        {waits.map(([name, ms]) => (
          <div key={`wait ${name}`}>
            <dt>{name === 'sheets' ? t('effort.sheets') : nameOf(name, language)}</dt>
            <dd>{t('effort.waited', { duration: spanText(tRuns, ms) })}</dd>
          </div>
        ))}
      </dl>
    </section>
  )
}

// Checking the quota takes a moment, too.
const NOTABLE_MS = 200

/** Of a platform or of one of its products; a name that is not known here stays as it is. */
function nameOf(name: string, language: keyof (typeof platforms)['meta']['names']): string {
  const provider = Object.entries(providers).find(([id]) => id === name)?.[1]
  const platform = Object.entries(platforms).find(([id]) => id === (provider?.platform ?? name))?.[1]
  return platform?.names[language] ?? name
}
