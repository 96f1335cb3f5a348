import { useTranslation } from '#web/i18n/use-translation.ts'
import { formatMoney } from '#web/ui/money.ts'
import styles from './count-tabs.module.css'

interface CountTabsProps {
  label: string
  tabs: readonly { key: string; name: string; count: number; isChosen: boolean; onChoose: () => void }[]
  /** Of the chosen tab, by currency. */
  totals: readonly Total[]
  totalsName: string
}

interface Total {
  currency: string
  total: bigint
}

/** What a list is divided into, with how many are in each and what the chosen ones amount to. */
export function CountTabs({ label, tabs, totals, totalsName }: CountTabsProps) {
  const { language } = useTranslation('orders')
  return (
    <div className={styles.tabs}>
      <div role="group" aria-label={label} className={styles.buttons}>
        {tabs.map(({ key, name, count, isChosen, onChoose }) => (
          <button key={key} type="button" aria-pressed={isChosen} onClick={onChoose}>
            {name}
            <span data-tabular>{count.toLocaleString(language)}</span>
          </button>
        ))}
      </div>
      {totals.length > 0 && (
        <p className={styles.totals}>
          <span>{totalsName}</span>
          {totals.map(({ currency, total }) => (
            <strong key={currency} data-tabular>
              {formatMoney(total, currency, language)}
            </strong>
          ))}
        </p>
      )}
    </div>
  )
}

/** By currency, in the order of their codes. Sums of sums may exceed what is an exact number. */
export function totalsOf(sums: readonly { currency: string; total: number }[]): Total[] {
  const totals = new Map<string, bigint>()
  for (const { currency, total } of sums) totals.set(currency, (totals.get(currency) ?? 0n) + BigInt(total))
  return [...totals]
    .map(([currency, total]) => ({ currency, total }))
    .toSorted((one, other) => one.currency.localeCompare(other.currency))
}
