import type { Erasure } from '#shared/api/audiences.ts'
import type { ErasureOutcome as Outcome } from '#shared/audiences.ts'
import type { Problem as Refused } from '#web/client/problem.ts'
import { useTranslation } from '#web/i18n/use-translation.ts'
import { ChannelIcon } from '#web/pages/reports/channel-icon.tsx'
import { PageLoading } from '#web/ui/page-loading.tsx'
import { Problem } from '#web/ui/problem.tsx'
import { StatusBadge, type Tone } from '#web/ui/status-badge.tsx'
import styles from './audiences.module.css'
import { RefusalText } from './refusal-text.tsx'

const tones: Record<Outcome, Tone> = {
  pending: 'neutral',
  done: 'good',
  nothing_there: 'neutral',
  upload_again: 'warn',
  failed: 'bad',
}

/** What came of an erasure in our copies and at each ad account, as far as it is. */
export function ErasureOutcome({
  erasure,
  problem,
}: {
  erasure: Erasure | undefined
  problem: Refused | null
}) {
  const { t } = useTranslation('audiences')
  if (!erasure) return problem ? <Problem code={problem.code} /> : <PageLoading />
  const { accounts, removed, finished_at } = erasure
  return (
    <div className={styles.fields} role="status">
      <p className={styles.text}>{t('erasing.removed', { count: removed })}</p>
      {finished_at === null && <p className={styles.hint}>{t('erasing.running')}</p>}
      {accounts.length === 0 && finished_at !== null && (
        <p className={styles.hint}>{t('erasing.no_accounts')}</p>
      )}
      <ul className={styles.list}>
        {accounts.map(({ ad_account: id, ad_account_name: name, channel, outcome, code }) => (
          <li key={id} className={styles.share}>
            <div className={styles.shareHead}>
              <ChannelIcon channel={channel} size={16} />
              <span>{name}</span>
              <StatusBadge tone={tones[outcome]} label={t(`erasing.outcome.${outcome}`)} />
            </div>
            {code !== null && (
              <p className={styles.bad}>
                <RefusalText code={code} channel={channel} />
              </p>
            )}
          </li>
        ))}
      </ul>
    </div>
  )
}
