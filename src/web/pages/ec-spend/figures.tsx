import type { EcSpend } from '#shared/api/ec-spend.ts'
import { useTranslation } from '#web/i18n/use-translation.ts'
import { monthsLater, monthText } from '#web/ui/month.ts'
import { Amount, Change } from './amount.tsx'
import styles from './ec-spend.module.css'
import { changeOf, currenciesOf, totalLine, type Measure } from './lines.ts'
import { useRunningMonth, type View } from './view.ts'

/**
 * What was billed in the last month that is over, by currency, against the month before. The running month
 * would always look like a fall.
 */
export function Figures({ spend, view }: { spend: EcSpend; view: View }) {
  const { t, language } = useTranslation('spending')
  const running = useRunningMonth()
  const last = view.to === running && view.from < running ? monthsLater(running, -1) : view.to
  return (
    <section className={styles.figures} aria-label={t('figures', { month: monthText(last, language) })}>
      {currenciesOf(spend).map(currency => (
        <CurrencyFigures key={currency} spend={spend} currency={currency} month={last} running={running} />
      ))}
    </section>
  )
}

interface CurrencyFiguresProps {
  spend: EcSpend
  currency: string
  month: string
  running: string
}

function CurrencyFigures({ spend, currency, month, running }: CurrencyFiguresProps) {
  const { t, language } = useTranslation('spending')
  const cells = (measure: Measure) => totalLine(spend.rows, currency, measure).cells
  const media = cells('billed')
  const before = monthsLater(month, -1)
  const share = changeOf(media.get(month), media.get(before))
  const soFar = month === running ? undefined : media.get(running)
  return (
    <dl className={styles.tile}>
      <dt>{t('tile.media', { currency, month: monthText(month, language) })}</dt>
      <dd className={styles.large}>
        {media.has(month) ? (
          <Amount cell={media.get(month)} currency={currency} withCurrency />
        ) : (
          t('tile.none')
        )}
      </dd>
      <dd className={styles.change}>
        <Change share={share} />{' '}
        <span className={styles.quiet}>
          {t(share === null ? 'tile.with' : 'tile.against', { month: monthText(before, language) })}
        </span>
      </dd>
      <div className={styles.parts}>
        <dt>{t('measure.fee')}</dt>
        <dd>
          <Amount cell={cells('fee').get(month)} currency={currency} />
        </dd>
        <dt>{t('measure.total')}</dt>
        <dd>
          <Amount cell={cells('total').get(month)} currency={currency} />
        </dd>
        {soFar && (
          <>
            <dt>{t('tile.so_far', { month: monthText(running, language) })}</dt>
            <dd>
              <Amount cell={soFar} currency={currency} />
            </dd>
          </>
        )}
      </div>
    </dl>
  )
}
