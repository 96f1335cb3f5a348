import type { QuotationSums } from '#shared/billing/quotation.ts'
import { useTranslation } from '#web/i18n/use-translation.ts'
import { SumsList } from '#web/pages/orders/sums-list.tsx'
import { Card } from '#web/ui/card.tsx'
import { MoneyInput } from '#web/ui/money-input.tsx'
import { ProblemText } from '#web/ui/problem-text.tsx'
import type { Draft } from './draft.ts'
import styles from './editor.module.css'
import type { Faults } from './faults.ts'
import type { Change } from './use-draft.ts'

interface SumsCardProps {
  draft: Draft
  sums: QuotationSums
  faults: Faults['head']
  /** Lines without a rate, for which the agreement has no single one. */
  isTiered: boolean
  onChange: Change
}

/** What all lines amount to, with what is taken off and the least fee. */
export function SumsCard({ draft, sums, faults, isTiered, onChange }: SumsCardProps) {
  const { t } = useTranslation('quotation')
  const { currency } = draft
  return (
    <Card title={t('sums.title')}>
      <div className={styles.fields}>
        <div className={styles.pair}>
          <MoneyInput
            label={t('sums.discount')}
            value={draft.discount}
            currency={currency}
            error={faults.discount && <ProblemText code={faults.discount} />}
            onChange={discount => onChange({ discount })}
          />
          <MoneyInput
            label={t('sums.fee_minimum')}
            value={draft.fee_minimum}
            currency={currency}
            error={faults.fee_minimum && <ProblemText code={faults.fee_minimum} />}
            onChange={minimum => onChange({ fee_minimum: minimum })}
          />
        </div>
        <SumsList
          sums={{ ...sums, discount: typeof draft.discount === 'number' ? draft.discount : 0 }}
          currency={currency}
        />
        {sums.refusal !== null && (
          <p className={styles.refusal} role="alert">
            {t(`sums.${sums.refusal}`)}
          </p>
        )}
        {isTiered && <p className={styles.quiet}>{t('sums.tiered')}</p>}
      </div>
    </Card>
  )
}
