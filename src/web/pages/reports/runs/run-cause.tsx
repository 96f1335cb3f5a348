import { useNavigate } from '@tanstack/react-router'
import type { RunDetail } from '#shared/api/executions.ts'
import type { Report } from '#shared/api/reports.ts'
import { isErrorCode, type Offer } from '#shared/errors.ts'
import { useIsInternal } from '#web/client/me.ts'
import { useTranslation } from '#web/i18n/use-translation.ts'
import { CopyButton } from '#web/ui/copy-button.tsx'
import { InlineAlert } from '#web/ui/inline-alert.tsx'
import { Problem } from '#web/ui/problem.tsx'
import { useRetry } from './data.ts'
import styles from './run-details.module.css'
import { runOffers } from './run-offers.ts'

interface RunCauseProps {
  report: Report
  run: RunDetail
  onRetried: (run: string) => void
}

/** Why it failed, waits or lacks output, what that means for the spreadsheet, and what to do. */
export function RunCause({ report, run, onRetried }: RunCauseProps) {
  const { t } = useTranslation('runs')
  const { t: tHistory } = useTranslation('history')
  const internal = useIsInternal()
  const offers = useOffers(report, run, onRetried)
  if (run.code !== null && isErrorCode(run.code))
    return (
      <Problem code={run.code} audience={internal ? 'internal' : 'external'} offers={offers}>
        {internal && <DetailList detail={run.detail} />}
        {run.status === 'error' && <p className={styles.untouched}>{t('details.untouched')}</p>}
        {run.status === 'error' && (
          <CopyButton text={detailsOf(report, run)} label={tHistory('copy_details')} />
        )}
      </Problem>
    )
  if (run.partial) return <InlineAlert severity="warning">{t('details.partial')}</InlineAlert>
  return null
}

/** The actions behind what errors.ts offers. */
function useOffers(report: Report, run: RunDetail, onRetried: (run: string) => void) {
  const navigate = useNavigate()
  const retry = useRetry(report.id)
  const search = { id: report.id }
  const actions = {
    edit: () => void navigate({ to: '/gs-template/template', search }),
    settings: () => void navigate({ to: '/gs-template/setting', search }),
    support: () => void navigate({ to: '/support', search: { search: '', page: 1, report: report.id } }),
    retry: () =>
      retry.mutate(run.id, {
        onSuccess: ({ reports: [started] }) => {
          if (started) onRetried(started.run)
        },
      }),
  }
  const offers: Partial<Record<Offer, () => void>> = {}
  for (const [offer, action] of Object.entries(runOffers))
    if (action !== null && action !== 'copy' && isOffer(offer)) offers[offer] = actions[action]
  return offers
}

const isOffer = (name: string): name is Offer => Object.hasOwn(runOffers, name)

/** The details that support needs. */
const detailsOf = (report: Report, run: RunDetail) =>
  JSON.stringify(
    { report: report.id, run: run.id, code: run.code, at: run.finished_at, detail: run.detail },
    null,
    2,
  )

/**
 * The details of the code, for example which range or how many cells, and the platform's own request number.
 */
function DetailList({ detail }: { detail: RunDetail['detail'] }) {
  const entries = Object.entries(detail ?? {}).filter(([, value]) => value !== null && value !== '')
  if (entries.length === 0) return null
  return (
    <ul className={styles.about}>
      {entries.map(([name, value]) => (
        <li key={name}>
          <code>{name}</code> {typeof value === 'object' ? JSON.stringify(value) : String(value)}
        </li>
      ))}
    </ul>
  )
}
