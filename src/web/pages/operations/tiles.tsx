import type { Operations } from '#shared/api/operations.ts'
import { useTranslation } from '#web/i18n/use-translation.ts'
import styles from './operations.module.css'
import { waitText } from './wait-text.ts'

/** A run that is ready should not wait longer than this for a worker. */
const LONG_WAIT_MS = 30 * 60_000

/** What is under way, and how the last hour went. */
export function Tiles({ facts: { at, runs, last_hour } }: { facts: Operations }) {
  const { t } = useTranslation('operations')
  const oldest = runs.oldest_wanted_at && Math.max(0, Date.parse(at) - Date.parse(runs.oldest_wanted_at))
  const ended = last_hour.completed + last_hour.error + last_hour.cancelled
  return (
    <dl className={styles.tiles}>
      <Tile
        label={t('tile.waiting')}
        value={runs.waiting}
        detail={typeof oldest === 'number' && t('tile.oldest', { time: waitText(t, oldest) })}
        tone={typeof oldest === 'number' && oldest > LONG_WAIT_MS ? 'bad' : 'neutral'}
      />
      <Tile
        label={t('tile.working')}
        value={runs.fetching + runs.writing}
        detail={t('tile.phases', { fetching: runs.fetching, writing: runs.writing })}
      />
      <Tile label={t('tile.resting')} value={runs.resting} detail={t('tile.resting_detail')} />
      <Tile
        label={t('tile.ended')}
        value={ended}
        tone={last_hour.error > 0 ? 'bad' : 'neutral'}
        detail={t('tile.outcomes', { completed: last_hour.completed, failed: last_hour.error })}
      />
      <Tile
        label={t('tile.waited')}
        value={last_hour.waited ? waitText(t, last_hour.waited.p50_ms) : t('none')}
        detail={last_hour.waited && t('tile.p95', { time: waitText(t, last_hour.waited.p95_ms) })}
      />
      <Tile
        label={t('tile.took')}
        value={last_hour.took ? waitText(t, last_hour.took.p50_ms) : t('none')}
        detail={last_hour.took && t('tile.p95', { time: waitText(t, last_hour.took.p95_ms) })}
      />
    </dl>
  )
}

interface TileProps {
  label: string
  value: number | string
  detail: string | false | null
  tone?: 'neutral' | 'bad'
}

function Tile({ label, value, detail, tone = 'neutral' }: TileProps) {
  const { language } = useTranslation('operations')
  return (
    <div className={styles.tile} data-tone={tone}>
      <dt>{label}</dt>
      <dd>
        <strong>{typeof value === 'number' ? value.toLocaleString(language) : value}</strong>
        {detail && <small>{detail}</small>}
      </dd>
    </div>
  )
}
