import { Button } from '@mantine/core'
import { useMediaQuery } from '@mantine/hooks'
import { IconCurrencyDollar, IconUpload } from '@tabler/icons-react'
import { useState } from 'react'
import { mayReach } from '#shared/access.ts'
import { useMe } from '#web/client/me.ts'
import { useTranslation } from '#web/i18n/use-translation.ts'
import { CsvButton } from '#web/pages/csv-button.tsx'
import styles from '#web/pages/insight-settings/insight-settings.module.css'
import { useToday } from '#web/pages/today.ts'
import { Card } from '#web/ui/card.tsx'
import { CurrencyField } from '#web/ui/currency-field.tsx'
import { EmptyState } from '#web/ui/empty-state.tsx'
import { InlineAlert } from '#web/ui/inline-alert.tsx'
import { monthsBetween, monthsLater } from '#web/ui/month.ts'
import { Problem } from '#web/ui/problem.tsx'
import { TableLoading } from '#web/ui/table-loading.tsx'
import { RATES, useRates, type Rates } from './data.ts'
import { RateCards } from './rate-cards.tsx'
import { RateChart } from './rate-chart.tsx'
import { gapsIn, rateGrid } from './rate-grid.ts'
import { RateImport } from './rate-import.tsx'
import { RateTable } from './rate-table.tsx'

const MONTHS = 24

/** What foreign money is worth, month by month; managers and finance enter it, others read it. */
export function RatesTab() {
  const today = useToday()
  const to = today.slice(0, 7)
  const from = monthsLater(to, 1 - MONTHS)
  const { data, error, refetch } = useRates(from, to)
  if (error && !data) return <Problem code={error.code} audience="internal" onRetry={() => void refetch()} />
  if (!data)
    return (
      <Card padding="flush">
        <TableLoading rows={10} />
      </Card>
    )
  return <Content rates={data} today={today} months={monthsBetween(from, to).toReversed()} />
}

interface ContentProps {
  rates: Rates
  today: string
  months: readonly string[]
}

function Content({ rates, today, months }: ContentProps) {
  const { t } = useTranslation('rates')
  const mayChange = mayReach(useMe(), 'manager_or_finance')
  const isPhone = useMediaQuery('(max-width: 700px)') ?? false
  const [more, setMore] = useState<readonly string[]>([])
  const [isImporting, setIsImporting] = useState(false)
  const grid = rateGrid(rates, { today, months, more })
  const gaps = gapsIn(grid, rates.in_use, rates.base)
  const importButton = mayChange && (
    <Button variant="default" leftSection={<IconUpload size={16} />} onClick={() => setIsImporting(true)}>
      {t('import.open')}
    </Button>
  )
  const Grid = isPhone ? RateCards : RateTable
  return (
    <div className={styles.columns}>
      <InlineAlert severity={gaps > 0 ? 'warning' : null}>{t('gaps', { count: gaps })}</InlineAlert>
      <Card title={t('table.title', { base: rates.base })} actions={importButton} padding="flush">
        {grid.currencies.length === 0 ? (
          <EmptyState
            icon={IconCurrencyDollar}
            title={t('empty.title')}
            detail={t(mayChange ? 'empty.detail' : 'empty.detail_reader', { base: rates.base })}
          />
        ) : (
          <Grid grid={grid} base={rates.base} mayChange={mayChange} />
        )}
        <div className={styles.foot}>
          {mayChange && (
            <CurrencyField
              aria-label={t('add_currency')}
              value={null}
              none={t('add_currency')}
              onChange={currency => currency !== null && setMore([...more, currency])}
            />
          )}
          <CsvButton path={RATES} filters={{ ordering: '-month' }} />
        </div>
      </Card>
      <RateChart rates={rates} grid={grid} />
      {isImporting && <RateImport today={today} onClose={() => setIsImporting(false)} />}
    </div>
  )
}
