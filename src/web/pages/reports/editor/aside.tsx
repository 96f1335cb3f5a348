import { IconCircleCheck, IconTool } from '@tabler/icons-react'
import { MAX_CELLS, parseStartCell } from '#shared/cell.ts'
import type { Gap } from '#shared/api/reports.ts'
import { rangeOfRun } from '#shared/date-range.ts'
import { useTranslation } from '#web/i18n/use-translation.ts'
import { Card } from '#web/ui/card.tsx'
import { InlineAlert } from '#web/ui/inline-alert.tsx'
import { useRun } from '../runs/data.ts'
import { accountPath } from './account-text.ts'
import type { Draft } from './draft.ts'
import styles from './editor.module.css'
import { estimate } from './estimate.ts'
import type { Editor } from './use-editor.ts'

/** What is still to be set up before the report can run; each leads to its section. */
export function SetupCard({ editor: { draft, current, is_dirty } }: { editor: Editor }) {
  const { t } = useTranslation('editor')
  const words = useTranslation('reports')
  const gaps = gapsOf(draft, is_dirty ? null : (current?.gaps ?? null))
  return (
    <Card title={t('setup.title')}>
      {gaps.length === 0 ? (
        <p className={styles.fine}>
          <IconCircleCheck size={18} stroke={1.7} aria-hidden />
          {t('setup.complete')}
        </p>
      ) : (
        <ul className={styles.gaps}>
          {gaps.map(gap => (
            <li key={gap}>
              <IconTool size={15} stroke={1.7} aria-hidden />
              <a href={gap === 'channels_not_set' ? '#channels' : '#spreadsheet'}>{words.t(`gap.${gap}`)}</a>
            </li>
          ))}
        </ul>
      )}
    </Card>
  )
}

/** As the server will see it; what it says itself counts while nothing has been changed. */
function gapsOf(draft: Draft, said: readonly Gap[] | null): readonly Gap[] {
  if (said) return said
  const { start_cell, sheet_name, spreadsheet_url, channels } = draft
  const unset =
    channels.length === 0 || channels.some(block => !block.accounts.length || !block.metrics.length)
  return [
    ...(parseStartCell(start_cell) === 'start_cell_not_set' ? ['start_cell_not_set' as const] : []),
    ...(sheet_name === '' ? ['page_not_set' as const] : []),
    ...(spreadsheet_url.trim() === '' ? ['permission_not_set' as const] : []),
    ...(unset ? ['channels_not_set' as const] : []),
  ]
}

/** Which accounts are in use, whose they are, and in which currency and zone they count. */
export function AccountsCard({ editor: { draft, accounts } }: { editor: Editor }) {
  const { t } = useTranslation('editor')
  const used = new Set(draft.channels.flatMap(block => block.accounts))
  const shown = accounts.filter(account => used.has(account.id))
  const currencies = [...new Set(shown.map(account => account.currency))]
  return (
    <Card title={t('accounts_info.title')}>
      {shown.length === 0 && <p className={styles.quiet}>{t('accounts_info.none')}</p>}
      {/* oxlint-disable-next-line jsx-a11y/no-noninteractive-tabindex -- it scrolls, by keys too */}
      <ul className={styles.accounts} tabIndex={0} aria-label={t('accounts_info.title')}>
        {shown.map(account => (
          <li key={account.id}>
            <strong>{accountPath(account)}</strong>
            <span>
              {[
                account.status === 'disabled' && t('block.account_closed'),
                account.advertiser_name,
                account.currency,
                account.timezone.replaceAll('_', ' '),
              ]
                .filter(Boolean)
                .join(' · ')}
            </span>
          </li>
        ))}
      </ul>
      {currencies.length > 1 && (
        <p className={styles.quiet}>
          {t('accounts_info.several_currencies', { currencies: currencies.join(', ') })}
        </p>
      )}
    </Card>
  )
}

/** How large the table will be, as far as that can be told before asking anybody. */
export function EstimateCard({ editor: { draft, today, current } }: { editor: Editor }) {
  const { t } = useTranslation('editor')
  const last_run = current?.last_run?.status === 'completed' ? current.last_run.id : null
  const last = useRun(current?.id ?? 0, last_run).data
  if (draft.channels.every(block => block.metrics.length === 0)) return null
  const { rows, columns } = estimate(draft, rangeOfRun(draft.date_range, today))
  return (
    <Card title={t('estimate.title')}>
      <p className={styles.estimate} data-tabular>
        {rows === null
          ? t('estimate.columns', { count: columns })
          : t('estimate.rows', { rows, columns, cells: (rows + 1) * columns })}
      </p>
      {rows === null && <p className={styles.quiet}>{t('estimate.unknown')}</p>}
      {last && last.rows !== null && last.columns !== null && (
        <p className={styles.quiet} data-tabular>
          {t('estimate.last', { rows: last.rows, columns: last.columns })}
        </p>
      )}
      {rows !== null && (rows + 1) * columns > MAX_CELLS && (
        <InlineAlert severity="warning">{t('estimate.limit')}</InlineAlert>
      )}
    </Card>
  )
}
