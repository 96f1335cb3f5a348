import { Button } from '@mantine/core'
import { IconArrowsLeftRight } from '@tabler/icons-react'
import type { EcSpend } from '#shared/api/ec-spend.ts'
import { useTranslation } from '#web/i18n/use-translation.ts'
import { CsvButton } from '#web/pages/csv-button.tsx'
import { Card } from '#web/ui/card.tsx'
import { monthsLater } from '#web/ui/month.ts'
import { SegmentedField } from '#web/ui/segmented-field.tsx'
import { Compare } from './compare.tsx'
import { filtersOf, PATH } from './data.ts'
import styles from './ec-spend.module.css'
import { Matrix } from './matrix.tsx'
import { MonthCards } from './month-cards.tsx'
import { groups, measures } from './search.ts'
import { listsAccounts, useRunningMonth, useView } from './view.ts'

interface SpendTableProps {
  spend: EcSpend
  currencies: readonly string[]
  currency: string
  isPhone: boolean
}

/** The amounts themselves: by month, as two months beside each other, or on a phone one month. */
export function SpendTable({ spend, currencies, currency, isPhone }: SpendTableProps) {
  const { t } = useTranslation('spending')
  const { view } = useView()
  const { a, b } = view
  return (
    <Card padding="flush" title={t('table')} actions={<TableActions />}>
      <Choices currencies={currencies} currency={currency} />
      {a !== undefined && b !== undefined ? (
        <Compare {...{ spend, view, currency, a, b }} />
      ) : isPhone ? (
        <MonthCards spend={spend} currency={currency} />
      ) : (
        <Matrix spend={spend} view={view} currency={currency} />
      )}
      <p className={styles.note}>{t('note')}</p>
    </Card>
  )
}

function TableActions() {
  const { t } = useTranslation('spending')
  const { view, change } = useView()
  const compares = view.a !== undefined
  // The last two months that are over.
  const running = useRunningMonth()
  const b = view.to < running || view.from === running ? view.to : monthsLater(running, -1)
  const a = view.from < b ? monthsLater(b, -1) : b
  return (
    <span className={styles.actions}>
      <Button
        variant="subtle"
        size="xs"
        aria-pressed={compares}
        leftSection={<IconArrowsLeftRight size={14} stroke={1.8} />}
        onClick={() => change(compares ? { a: undefined, b: undefined } : { a, b })}
      >
        {t(compares ? 'compare.end' : 'compare.start')}
      </Button>
      <CsvButton path={PATH} filters={filtersOf(view)} />
    </span>
  )
}

function Choices({ currencies, currency }: Pick<SpendTableProps, 'currencies' | 'currency'>) {
  const { t } = useTranslation('spending')
  const { view, change } = useView()
  const offered = groups.filter(group => group !== 'account' || listsAccounts(view))
  return (
    <div className={styles.choices}>
      {currencies.length > 1 && (
        <SegmentedField
          label={t('currency')}
          options={currencies.map(value => ({ value, label: value }))}
          value={currency}
          onChange={value => change({ currency: value })}
        />
      )}
      <SegmentedField
        label={t('measure.label')}
        options={measures.map(value => ({ value, label: t(`measure.${value}`) }))}
        value={view.measure}
        onChange={measure => change({ measure })}
      />
      <SegmentedField
        label={t('group.label')}
        options={offered.map(value => ({ value, label: t(`group.${value}`) }))}
        value={offered.includes(view.group) ? view.group : 'advertiser'}
        onChange={group => change({ group })}
      />
    </div>
  )
}
