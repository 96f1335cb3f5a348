import { IconLock } from '@tabler/icons-react'
import type { BillingMonth, EcSpend } from '#shared/api/ec-spend.ts'
import { LinkText } from '#web/client/links.tsx'
import { useTranslation } from '#web/i18n/use-translation.ts'
import { monthText } from '#web/ui/month.ts'
import { Amount } from './amount.tsx'
import styles from './ec-spend.module.css'
import { linesOf, linesOfNobody, totalLine, type Cell } from './lines.ts'
import { MatrixLine } from './matrix-line.tsx'
import { ScrollRegion } from './scroll-region.tsx'
import { listsAccounts, useRunningMonth, type View } from './view.ts'

interface MatrixProps {
  spend: EcSpend
  view: View
  currency: string
}

/** Advertisers (or channels, or accounts) by month, each opening into its parts. */
export function Matrix({ spend, view, currency }: MatrixProps) {
  const { t } = useTranslation('spending')
  const { measure, months } = view
  const group = view.group === 'account' && !listsAccounts(view) ? 'advertiser' : view.group
  const lines = linesOf(spend.rows, { currency, measure, group })
  const label = t('matrix.label', { measure: t(`measure.${measure}`), currency })
  return (
    <ScrollRegion label={label} fromEnd>
      <table className={`${styles.matrix} ${styles.sticky}`} aria-label={label}>
        <thead>
          <tr>
            <th scope="col">{t(`group.${group}`)}</th>
            {months.map(month => (
              <MonthHead key={month} month={month} spend={spend} />
            ))}
            <th scope="col" data-align="end">
              {t('matrix.sum')}
            </th>
          </tr>
        </thead>
        <tbody>
          {lines.map(line => (
            <MatrixLine key={line.key} line={line} depth={0} view={view} currency={currency} />
          ))}
        </tbody>
        <tbody className={styles.foot}>
          <Foot spend={spend} view={view} currency={currency} />
        </tbody>
        {measure === 'billed' && (
          <tbody>
            {linesOfNobody(spend.rows).map(line => (
              <MatrixLine key={line.key} line={line} depth={0} view={view} currency={line.currency} />
            ))}
          </tbody>
        )}
      </table>
    </ScrollRegion>
  )
}

function Foot({ spend, view: { measure, months }, currency }: MatrixProps) {
  const { t } = useTranslation('spending')
  const total = totalLine(spend.rows, currency, measure)
  return (
    <tr>
      <th scope="row">{t('matrix.all')}</th>
      {[...months.map(month => [month, total.cells.get(month)] as const), ['sum', total.sum] as const].map(
        ([key, cell]: readonly [string, Cell | undefined]) => (
          <td key={key} data-align="end">
            <Amount cell={cell} currency={currency} />
          </td>
        ),
      )}
    </tr>
  )
}

function MonthHead({ month, spend }: { month: string; spend: EcSpend }) {
  const { language } = useTranslation('spending')
  return (
    <th scope="col" data-align="end">
      <LinkText to="/ec-spend/$month" params={{ month }}>
        {monthText(month, language)}
      </LinkText>
      <MonthState month={spend.months.find(of => of.month === month)} />
    </th>
  )
}

/** Whether a month is locked, or not over yet; nothing for one that is open. */
export function MonthState({ month }: { month: BillingMonth | undefined }) {
  const { t } = useTranslation('spending')
  const running = useRunningMonth()
  if (!month) return null
  if (month.state === 'locked')
    return (
      <small className={styles.state}>
        <IconLock size={12} stroke={1.8} aria-hidden /> {t('state.locked')}
      </small>
    )
  return <small className={styles.state}>{t(month.month >= running ? 'state.running' : 'state.open')}</small>
}
