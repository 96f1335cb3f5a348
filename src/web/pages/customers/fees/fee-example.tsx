import { useState } from 'react'
import { feeDrops, feeOf, type FeeAgreement } from '#shared/billing/fee.ts'
import { MILLIONTHS } from '#shared/money.ts'
import { useTranslation } from '#web/i18n/use-translation.ts'
import { InlineAlert } from '#web/ui/inline-alert.tsx'
import { MoneyInput } from '#web/ui/money-input.tsx'
import { formatMoney, type TypedAmount } from '#web/ui/money.ts'
import styles from './fees.module.css'

const FIRST_EXAMPLE = 200_000 * MILLIONTHS

/** What a month of so much media would cost; and where more media would cost less. */
export function FeeExample({ agreement }: { agreement: FeeAgreement }) {
  const { t, language } = useTranslation('fees')
  const [media, setMedia] = useState<TypedAmount>(FIRST_EXAMPLE)
  const { currency } = agreement
  const money = (amount: bigint) => formatMoney(amount, currency, language)
  const [drop] = feeDrops(agreement)
  return (
    <div className={styles.example}>
      <MoneyInput label={t('example.media')} value={media} onChange={setMedia} currency={currency} />
      <output className={styles.cost}>
        {typeof media === 'number' &&
          t('example.cost', {
            media: money(BigInt(media)),
            fee: money(feeOf(agreement, BigInt(media))),
          })}
      </output>
      {drop && (
        <InlineAlert severity="warning">
          {t('drop', { up_to: money(drop.up_to), fee: money(drop.fee), next_fee: money(drop.next_fee) })}
        </InlineAlert>
      )}
    </div>
  )
}
