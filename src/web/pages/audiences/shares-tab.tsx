import { Button } from '@mantine/core'
import { useState } from 'react'
import type { Audience, AudienceShare } from '#shared/api/audiences.ts'
import { showToast } from '#web/client/toasts.ts'
import { useTranslation } from '#web/i18n/use-translation.ts'
import { ChannelIcon } from '#web/pages/reports/channel-icon.tsx'
import { ConfirmDialog } from '#web/ui/confirm-dialog.tsx'
import { RelativeTime } from '#web/ui/relative-time.tsx'
import { SwitchField } from '#web/ui/switch-field.tsx'
import styles from './audiences.module.css'
import { RefusalText } from './refusal-text.tsx'
import { useChangeShare, useCheck } from './data.ts'
import { FixLink } from './fix-link.tsx'
import { ShareStateBadge, sizeOf } from './share-chip.tsx'

/** Each ad account that has the audience: how it stands there, and what can be done about it. */
export function SharesTab({ audience }: { audience: Audience }) {
  const { t } = useTranslation('audiences')
  if (audience.shares.length === 0) return <p className={styles.quiet}>{t('shares.empty')}</p>
  return (
    <ul className={styles.list}>
      {audience.shares.map(share => (
        <li key={share.id}>
          <Share audience={audience} share={share} />
        </li>
      ))}
    </ul>
  )
}

interface ShareProps {
  audience: Audience
  share: AudienceShare
}

function Share({ audience, share }: ShareProps) {
  const { t } = useTranslation('audiences')
  const { ad_account_name: account, state } = share
  return (
    <article className={styles.share} aria-label={account}>
      <header className={styles.shareHead}>
        <ChannelIcon channel={share.channel} />
        <strong>{account}</strong>
        <ShareStateBadge state={state} />
      </header>
      <Figures share={share} />
      {state === 'too_small' && <p className={styles.hint}>{t('shares.too_small')}</p>}
      <Failure audience={audience} share={share} />
      {state !== 'removed' && state !== 'removing' && <Changes audience={audience} share={share} />}
    </article>
  )
}

function Changes({ audience, share }: ShareProps) {
  const { t } = useTranslation('audiences')
  const change = useChangeShare(audience.id)
  const [isAsking, setIsAsking] = useState(false)
  const { id, ad_account_name: account, state, auto_sync } = share
  const retry = () =>
    change.mutate(
      { share: id, what: 'retry' },
      { onSuccess: () => showToast({ severity: 'success', message: t('shares.retried', { account }) }) },
    )
  return (
    <>
      {audience.may_change && audience.kind === 'customer_file' && share.mode !== 'shared' && (
        <SwitchField
          label={t('shares.auto_sync')}
          checked={auto_sync}
          disabled={change.isPending}
          onChange={follows => change.mutate({ share: id, what: 'follow', follows })}
        />
      )}
      <div className={styles.actions}>
        {audience.may_change && (state === 'failed' || state === 'stopped') && (
          <Button size="xs" loading={change.isPending} onClick={retry}>
            {t('shares.retry')}
          </Button>
        )}
        {share.may_unshare && (
          <Button size="xs" variant="default" onClick={() => setIsAsking(true)}>
            {t('shares.unshare')}
          </Button>
        )}
      </div>
      {change.error && (
        <p className={styles.bad} role="alert">
          <RefusalText code={change.error.code} />
        </p>
      )}
      {isAsking && <UnshareDialog audience={audience} share={share} onClose={() => setIsAsking(false)} />}
    </>
  )
}

function UnshareDialog({ audience, share, onClose }: ShareProps & { onClose: () => void }) {
  const { t } = useTranslation('audiences')
  const change = useChangeShare(audience.id)
  const { id, ad_account_name: account } = share
  const unshare = () =>
    change.mutate(
      { share: id, what: 'unshare' },
      {
        onSuccess: () => {
          onClose()
          showToast({ severity: 'success', message: t('shares.unshare_done', { account }) })
        },
      },
    )
  return (
    <ConfirmDialog
      opened
      title={t('shares.unshare_title', { account })}
      detail={t('shares.unshare_detail')}
      confirm={t('shares.unshare')}
      tone="danger"
      loading={change.isPending}
      problem={change.error && <RefusalText code={change.error.code} />}
      onConfirm={unshare}
      onClose={onClose}
    />
  )
}

function Figures({ share }: { share: AudienceShare }) {
  const { t, language } = useTranslation('audiences')
  const { match, sent_rows: sent, total_rows: total, synced_at, state } = share
  const size = sizeOf(share)
  const number = (count: number) => count.toLocaleString(language)
  return (
    <p className={styles.figures}>
      <span>{t(`shares.mode.${share.mode}`)}</span>
      {size !== null && (
        <span>
          {t('shares.size')} <b data-tabular>{size}</b>
        </span>
      )}
      {match !== null && (
        <span>
          {t('shares.match')} <b data-tabular>{matchText(match)}</b>
        </span>
      )}
      {state === 'uploading' && total > 0 && (
        <span>{t('shares.sent', { sent: number(sent), total: number(total) })}</span>
      )}
      {synced_at !== null && (
        <span>
          {t('shares.synced')} <RelativeTime at={synced_at} />
        </span>
      )}
    </p>
  )
}

/** `51_TO_60`, `LESS_THAN_20` → 51–60%, < 20%; anything else in the platform's words. */
const matchText = (match: string) =>
  match.replace(/^(\d+)_TO_(\d+)$/, '$1–$2%').replace(/^LESS_THAN_(\d+)$/, '< $1%')

function Failure({ audience, share }: { audience: Audience; share: AudienceShare }) {
  const { t } = useTranslation('audiences')
  const { code } = share
  if (code === null) return null
  return (
    <div className={styles.failure}>
      <p className={styles.bad}>
        <RefusalText code={code} channel={share.channel} />
      </p>
      {share.message !== null && (
        <p className={styles.hint}>{t('shares.words', { message: share.message })}</p>
      )}
      {share.request_id !== null && (
        <p className={styles.hint}>{t('shares.request', { id: share.request_id })}</p>
      )}
      {audience.may_change && code === 'terms_not_accepted' && <Terms audience={audience} share={share} />}
    </div>
  )
}

/** Where they are accepted is what the check says. */
function Terms({ audience, share }: { audience: Audience; share: AudienceShare }) {
  const { data } = useCheck({ account: share.ad_account, audience: audience.id })
  return data?.fix_url ? <FixLink href={data.fix_url} result={data.result} /> : null
}
