import { useSearch } from '@tanstack/react-router'
import type { BillingMonth, Statement } from '#shared/api/ec-spend.ts'
import { LinkText } from '#web/client/links.tsx'
import { useTranslation } from '#web/i18n/use-translation.ts'
import { tabs, type Tab } from '#web/pages/ec-spend/search.ts'
import { Adjustments } from './adjustments.tsx'
import { checkGroups } from './check-groups.ts'
import { Checks } from './checks.tsx'
import { useChecks } from './data.ts'
import { DriftTab } from './drift-tab.tsx'
import styles from './month.module.css'
import { Reconciliation } from './reconciliation.tsx'
import { Statements } from './statements.tsx'
import { hasDrift } from './sums.ts'
import { isWaived, type WaiversProps } from './waivers.ts'

interface MonthTabsProps extends WaiversProps {
  month: BillingMonth
  statements: readonly Statement[]
}

/** What there is to do with a month; an open one begins with its checks. */
export function MonthTabs({ month, statements, ...waiving }: MonthTabsProps) {
  const { tab = month.state === 'open' ? 'checks' : 'statements' } = useSearch({
    from: '/shell/ec-spend/$month',
  })
  return (
    <>
      <TabLinks tab={tab} month={month} statements={statements} {...waiving} />
      {tab === 'checks' && <Checks month={month} {...waiving} />}
      {tab === 'statements' && <Statements statements={statements} />}
      {tab === 'reconciliation' && <Reconciliation month={month} />}
      {tab === 'adjustments' && <Adjustments month={month} statements={statements} />}
      {tab === 'drift' && <DriftTab month={month} statements={statements} />}
    </>
  )
}

function TabLinks({ tab, month, statements, waivers }: MonthTabsProps & { tab: Tab }) {
  const { t, language } = useTranslation('closing')
  const checks = useChecks(month.month).data?.results ?? []
  const counts: Partial<Record<Tab, number>> = {
    checks: checkGroups(checks).filter(({ check }) => check.is_blocker && !isWaived(check, waivers)).length,
    statements: statements.length,
    drift: statements.filter(hasDrift).length,
  }
  return (
    <nav className={styles.tabs} aria-label={t('tab.label')}>
      {tabs.map(name => (
        <LinkText
          key={name}
          to="/ec-spend/$month"
          params={{ month: month.month }}
          search={{ tab: name }}
          replace
          resetScroll={false}
          aria-current={name === tab ? 'page' : undefined}
        >
          {t(`tab.${name}`)}
          {Boolean(counts[name]) && (
            <span data-tabular className={styles.count}>
              {counts[name]?.toLocaleString(language)}
            </span>
          )}
        </LinkText>
      ))}
    </nav>
  )
}
