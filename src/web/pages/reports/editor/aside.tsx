import { IconAlertTriangle, IconCircleCheck, IconLoader2, IconTool } from '@tabler/icons-react'
import { flushSync } from 'react-dom'
import { listText } from '#shared/language.ts'
import { useTranslation } from '#web/i18n/use-translation.ts'
import { Card } from '#web/ui/card.tsx'
import { accountPath } from './account-text.ts'
import styles from './editor.module.css'
import { toneOf, type SetupLine } from './setup.ts'
import type { Editor } from './use-editor.ts'
import type { EditorView } from './view-tabs.tsx'
import { useSetupText } from './use-setup.ts'

interface SetupCardProps {
  setup: readonly SetupLine[]
  onView: (view: EditorView) => void
}

/** What is still to be set up before the report can run; each line leads to its section. */
export function SetupCard({ setup, onView }: SetupCardProps) {
  const { t } = useTranslation('editor')
  const textOf = useSetupText()
  return (
    <Card title={t('setup.title')}>
      {setup.length === 0 ? (
        <p className={styles.fine}>
          <IconCircleCheck size={18} stroke={1.7} aria-hidden />
          {t('setup.complete')}
        </p>
      ) : (
        <ul className={styles.gaps} aria-live="polite">
          {setup.map(line => {
            const Glyph = glyphs[toneOf(line)]
            return (
              <li key={`${line.name} ${line.section}`} data-tone={toneOf(line)}>
                <Glyph size={15} stroke={1.7} aria-hidden />
                <a href={`#${line.section}`} onClick={() => flushSync(() => onView('settings'))}>
                  {textOf(line)}
                </a>
              </li>
            )
          })}
        </ul>
      )}
    </Card>
  )
}

const glyphs = { bad: IconAlertTriangle, gap: IconTool, pending: IconLoader2 }

/** Which accounts are in use, whose they are, and in which currency and zone they count. */
export function AccountsCard({ editor: { draft, known } }: { editor: Editor }) {
  const { t, language } = useTranslation('editor')
  const used = new Set(draft.channels.flatMap(block => block.accounts))
  const usedAccounts = known.accounts.filter(account => used.has(account.id))
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
          {t('accounts_info.several_currencies', { currencies: listText(currencies, language) })}
        </p>
      )}
    </Card>
  )
}
