import { useParams } from '@tanstack/react-router'
import { useState } from 'react'
import type { BillingMonth } from '#shared/api/ec-spend.ts'
import { usePageTitle } from '#web/client/page-title.ts'
import { useTranslation } from '#web/i18n/use-translation.ts'
import { NotFound } from '#web/pages/not-found.tsx'
import { Card } from '#web/ui/card.tsx'
import { monthText } from '#web/ui/month.ts'
import { PageHeader } from '#web/ui/page-header.tsx'
import { Problem } from '#web/ui/problem.tsx'
import { TableLoading } from '#web/ui/table-loading.tsx'
import { instantText } from '#web/ui/times.ts'
import { isMonth } from '#web/pages/ec-spend/search.ts'
import { useRunningMonth } from '#web/pages/ec-spend/view.ts'
import { useStatements } from './data.ts'
import { MonthActions } from './month-actions.tsx'
import { MonthTabs } from './month-tabs.tsx'
import styles from './month.module.css'
import type { Waivers } from './waivers.ts'

/** One month from its checks to its payments. */
export function EcMonthPage() {
  const { month } = useParams({ from: '/shell/ec-spend/$month' })
  return isMonth(month) ? <MonthPage key={month} month={month} /> : <NotFound />
}

function MonthPage({ month }: { month: string }) {
  const { t, language } = useTranslation('closing')
  const statements = useStatements(month)
  // What is to be waived is sent with the lock.
  const [waivers, setWaivers] = useState<Waivers>(new Map())
  const title = t('title', { month: monthText(month, language) })
  usePageTitle(title)
  const { data, error } = statements
  return (
    <>
      <PageHeader
        title={title}
        detail={data && <State month={data.month} />}
        actions={
          data && (
            <MonthActions
              month={data.month}
              statements={data.results}
              waivers={waivers}
              onWaivers={setWaivers}
            />
          )
        }
      />
      {data ? (
        <div className={styles.page}>
          <Waived month={data.month} />
          <MonthTabs month={data.month} statements={data.results} waivers={waivers} onWaivers={setWaivers} />
        </div>
      ) : error ? (
        <Problem code={error.code} request_id={error.request_id} onRetry={() => void statements.refetch()} />
      ) : (
        <Card padding="flush">
          <TableLoading rows={8} />
        </Card>
      )}
    </>
  )
}

function State({ month: { month, state, locked_by, locked_at } }: { month: BillingMonth }) {
  const { t, language } = useTranslation('closing')
  const running = useRunningMonth()
  if (state === 'open') return t(month >= running ? 'state.running' : 'state.open')
  const at = locked_at === null ? '' : instantText(locked_at, language)
  return locked_by === null ? t('state.locked', { at }) : t('state.locked_by', { name: locked_by, at })
}

/** What was let through when the month was locked, and why. */
function Waived({ month: { waivers } }: { month: BillingMonth }) {
  const { t } = useTranslation('closing')
  if (waivers.length === 0) return null
  return (
    <Card title={t('waived.title')}>
      <ul className={styles.plain}>
        {waivers.map(({ ad_account, account_name, reason }) => (
          <li key={ad_account}>
            {account_name}: {reason}
          </li>
        ))}
      </ul>
    </Card>
  )
}
