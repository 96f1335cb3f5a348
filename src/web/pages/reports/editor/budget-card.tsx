import type { Preview } from '#shared/api/preview.ts'
import type { CellBudget, Saving } from '#shared/cell-budget.ts'
import { useLanguage, useTranslation } from '#web/i18n/use-translation.ts'
import { Card } from '#web/ui/card.tsx'
import { InlineAlert } from '#web/ui/inline-alert.tsx'
import type { ExpectedSize } from '#web/pages/reports/target/use-target-check.ts'
import styles from './budget-card.module.css'

interface BudgetCardProps {
  size: ExpectedSize
  from: NonNullable<Preview['estimate']>['from'] | null
  /** null: nothing is known of the spreadsheet. */
  budget: CellBudget | null
  /** The size of the table as it was written last; null: the report has changed since, or wrote none. */
  written: { rows: number; columns: number } | null
}

/** How large the table will be, and what it leaves of the cells that a spreadsheet may have. */
export function BudgetCard({ size, from, budget, written }: BudgetCardProps) {
  const { t } = useTranslation('budget')
  const { rows, kind, columns } = size
  if (columns === 0) return null
  return (
    <Card title={t('title')}>
      <p className={styles.size} data-tabular>
        {written !== null
          ? t('rows', { ...written, cells: (written.rows + 1) * written.columns })
          : rows === null
            ? t('columns', { count: columns })
            : t(kind === 'exact' ? 'rows' : 'rows_about', { rows, columns, cells: (rows + 1) * columns })}
      </p>
      {written !== null ? (
        <p className={styles.quiet} data-tabular>
          {t('written')}
          {rows !== null && kind === 'exact' && rows !== written.rows && ` ${t('next', { rows })}`}
        </p>
      ) : rows === null ? (
        <p className={styles.quiet}>{t('unknown')}</p>
      ) : (
        (from === 'part' || from === 'last_run') && <p className={styles.quiet}>{t(`from.${from}`)}</p>
      )}
      {budget && <Budget budget={budget} />}
    </Card>
  )
}

/** From this share of the limit on the card suggests how to save cells. */
const TIGHT = 0.5

function Budget({ budget: { total, limit, growth, tabs, savings } }: { budget: CellBudget }) {
  const { t } = useTranslation('budget')
  const language = useLanguage()
  const share = total / limit
  const percent = new Intl.NumberFormat(language, {
    style: 'percent',
    maximumFractionDigits: share < 0.1 ? 1 : 0,
  })
  const isOver = total > limit
  const [largest] = tabs
  return (
    <div className={styles.budget}>
      <div
        className={styles.meter}
        role="meter"
        aria-label={t('meter')}
        aria-valuemin={0}
        aria-valuemax={limit}
        aria-valuenow={Math.min(total, limit)}
        aria-valuetext={t('used', { total, share: percent.format(share) })}
      >
        <div
          data-state={isOver ? 'over' : share > 0.8 ? 'tight' : undefined}
          style={{ width: `${Math.min(100, share * 100)}%` }}
        />
      </div>
      <p className={styles.quiet} data-tabular>
        {t('used', { total, share: percent.format(share) })}
        {growth > 0 && ` ${t('growth', { cells: growth })}`}
      </p>
      {isOver && <InlineAlert severity="error">{t('over', { cells: total - limit })}</InlineAlert>}
      {share > TIGHT && (
        <>
          {largest && tabs.length > 1 && (
            <p className={styles.quiet} data-tabular>
              {t('largest', { title: largest.title, cells: largest.cells })}
            </p>
          )}
          {savings.length > 0 && (
            <>
              <p className={styles.heading}>{t('savings')}</p>
              <ul className={styles.savings}>
                {savings.map((saving, index) => (
                  <li key={index} data-tabular>
                    <SavingText saving={saving} />
                  </li>
                ))}
              </ul>
            </>
          )}
        </>
      )}
    </div>
  )
}

function SavingText({ saving }: { saving: Saving }) {
  const { t } = useTranslation('budget')
  const { cells } = saving
  switch (saving.kind) {
    case 'no_zeros':
    case 'half_range':
      return t(`saving.${saving.kind}`, { cells })
    case 'trim_columns':
      return t('saving.trim_columns', { cells, count: saving.columns, title: saving.title })
    case 'trim_rows':
      return t('saving.trim_rows', { cells, count: saving.rows, title: saving.title })
  }
}
