import { listText } from '#shared/language.ts'
import { useTranslation } from '#web/i18n/use-translation.ts'
import styles from './block-card.module.css'
import type { DraftBlock } from './draft.ts'
import { catalogueIn, metricNames, type KnownHere } from './known.ts'

interface BlockSummaryProps {
  block: DraftBlock
  known: KnownHere
  /** Its fields have errors. */
  isWrong: boolean
  /** Of the fields that it stands for. */
  controls: string
  onOpen: () => void
}

const FIRST_METRICS = 3

/** A folded channel in one line: whose accounts, which metrics, and what is wrong; it opens by a click. */
export function BlockSummary({ block, known, isWrong, controls, onOpen }: BlockSummaryProps) {
  const { t, language } = useTranslation('editor')
  const { metrics, filters } = block
  const used = known.accounts.filter(({ id }) => block.accounts.includes(id))
  const owners = [...new Set(used.map(account => account.advertiser_name ?? t('block.no_advertiser')))]
  const [owner] = owners
  const catalogue = catalogueIn(block, known)
  const names = metrics
    .slice(0, FIRST_METRICS)
    .map(id => metricNames(id, catalogue, known.meanings)[language])
  const isCut = metrics.length > FIRST_METRICS
  const count = block.accounts.length
  return (
    <button
      type="button"
      className={styles.summary}
      aria-expanded={false}
      aria-controls={controls}
      onClick={onOpen}
    >
      {isWrong && <span className={styles.wrong}>{t('wrong')}</span>}
      <span data-empty={count === 0 || undefined}>
        {count === 0
          ? t('block.no_accounts')
          : owners.length === 1 && owner !== undefined
            ? t('block.accounts_of', { count, owner })
            : t('block.accounts_count', { count })}
      </span>
      <span data-empty={metrics.length === 0 || undefined}>
        {metrics.length === 0
          ? t('block.no_metrics')
          : t('block.metrics_count', {
              count: metrics.length,
              names: listText(names, language) + (isCut ? '…' : ''),
            })}
      </span>
      {filters.length > 0 && <span>{t('block.filters_count', { count: filters.length })}</span>}
    </button>
  )
}
