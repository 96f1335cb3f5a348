import { IconCircleCheck, IconTool } from '@tabler/icons-react'
import { parseStartCell } from '#shared/cell.ts'
import type { Gap } from '#shared/api/reports.ts'
import { useTranslation } from '#web/i18n/use-translation.ts'
import { Card } from '#web/ui/card.tsx'
import { accountPath } from './account-text.ts'
import type { Draft } from './draft.ts'
import styles from './editor.module.css'
import type { Editor } from './use-editor.ts'

/** What is still to be set up before the report can run; each leads to its section. */
export function SetupCard({
  editor: { draft, current, is_dirty },
  overlaps,
}: {
  editor: Editor
  /** The table would overlap another report's. */
  overlaps: boolean
}) {
  const { t } = useTranslation('editor')
  const { t: tReports } = useTranslation('reports')
  const gaps = gapsOf(draft, is_dirty ? null : (current?.gaps ?? null))
  return (
    <Card title={t('setup.title')}>
      {gaps.length === 0 && !overlaps ? (
        <p className={styles.fine}>
          <IconCircleCheck size={18} stroke={1.7} aria-hidden />
          {t('setup.complete')}
        </p>
      ) : (
        <ul className={styles.gaps}>
          {gaps.map(gap => (
            <li key={gap}>
              <IconTool size={15} stroke={1.7} aria-hidden />
              <a href={gap === 'channels_not_set' ? '#channels' : '#spreadsheet'}>{tReports(`gap.${gap}`)}</a>
            </li>
          ))}
          {overlaps && (
            <li>
              <IconTool size={15} stroke={1.7} aria-hidden />
              <a href="#spreadsheet">{t('setup.overlaps')}</a>
            </li>
          )}
        </ul>
      )}
    </Card>
  )
}

/** Computed from the draft; the server's own list counts while nothing has been changed. */
function gapsOf(draft: Draft, ofServer: readonly Gap[] | null): readonly Gap[] {
  if (ofServer) return ofServer
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
  const usedAccounts = accounts.filter(account => used.has(account.id))
  const currencies = [...new Set(usedAccounts.map(account => account.currency))]
  return (
    <Card title={t('accounts_info.title')}>
      {usedAccounts.length === 0 && <p className={styles.quiet}>{t('accounts_info.none')}</p>}
      {/* oxlint-disable-next-line jsx-a11y/no-noninteractive-tabindex -- it scrolls, by keys too */}
      <ul className={styles.accounts} tabIndex={0} aria-label={t('accounts_info.title')}>
        {usedAccounts.map(account => (
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
