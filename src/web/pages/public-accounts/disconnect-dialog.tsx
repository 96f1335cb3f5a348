import type { Disconnection } from '#shared/api/connections.ts'
import type { PublicAccount } from '#shared/api/public-accounts.ts'
import { showToast } from '#web/client/toasts.ts'
import { useTranslation } from '#web/i18n/use-translation.ts'
import { ConfirmDialog } from '#web/ui/confirm-dialog.tsx'
import { ProblemText } from '#web/ui/problem-text.tsx'
import { TableLoading } from '#web/ui/table-loading.tsx'
import { useDisconnect, useWhatStops } from './connection-data.ts'
import styles from './public-accounts.module.css'

interface DisconnectDialogProps {
  account: PublicAccount
  onDone: () => void
  onClose: () => void
}

/** Says what stops before anything does. */
export function DisconnectDialog({ account: { id, name }, onDone, onClose }: DisconnectDialogProps) {
  const { t } = useTranslation('connections')
  const stops = useWhatStops(id)
  const disconnect = useDisconnect(id, ({ revoked }) => {
    showToast({
      severity: revoked ? 'success' : 'warning',
      message: t(revoked ? 'disconnect.done' : 'disconnect.not_revoked', { name }),
    })
    onDone()
  })
  const problem = stops.error ?? disconnect.error
  return (
    <ConfirmDialog
      opened
      title={t('disconnect.title', { name })}
      confirm={t('disconnect.confirm')}
      tone="danger"
      disabled={!stops.data}
      loading={disconnect.isPending}
      problem={problem && <ProblemText code={problem.code} audience="internal" />}
      onConfirm={() => disconnect.mutate()}
      onClose={onClose}
    >
      {stops.data ? <WhatStops stops={stops.data} /> : !stops.error && <TableLoading rows={3} />}
    </ConfirmDialog>
  )
}

function WhatStops({ stops: { accounts, reports, audiences, revokes } }: { stops: Disconnection }) {
  const { t } = useTranslation('connections')
  return (
    <>
      {accounts > 0 && <p>{t('disconnect.accounts', { count: accounts })}</p>}
      {reports.count > 0 && <Names lead={t('disconnect.reports', { count: reports.count })} {...reports} />}
      {audiences.count > 0 && (
        <Names lead={t('disconnect.audiences', { count: audiences.count })} {...audiences} />
      )}
      {reports.count + audiences.count === 0 && <p>{t('disconnect.nothing')}</p>}
      <p className={styles.none}>{t(revokes ? 'disconnect.revokes' : 'disconnect.by_hand')}</p>
    </>
  )
}

function Names({ lead, names, count }: { lead: string; names: readonly string[]; count: number }) {
  const { t } = useTranslation('connections')
  const more = count - names.length
  return (
    <>
      <p>{lead}</p>
      <ul className={styles.names}>
        {names.map((name, index) => (
          <li key={`${index} ${name}`}>{name}</li>
        ))}
        {more > 0 && <li>{t('disconnect.more', { count: more })}</li>}
      </ul>
    </>
  )
}
