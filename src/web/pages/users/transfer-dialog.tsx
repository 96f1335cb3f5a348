import { Button, Checkbox, Group, Stack } from '@mantine/core'
import '@mantine/core/styles/InlineInput.layer.css'
import '@mantine/core/styles/Checkbox.layer.css'
import { useState } from 'react'
import type { TransferPlan, User } from '#shared/api/people.ts'
import { nameOf } from '#shared/person-name.ts'
import { showToast } from '#web/client/toasts.ts'
import { useTranslation } from '#web/i18n/use-translation.ts'
import { CheckboxField } from '#web/ui/checkbox-field.tsx'
import { Dialog } from '#web/ui/dialog.tsx'
import { InlineAlert } from '#web/ui/inline-alert.tsx'
import { Problem } from '#web/ui/problem.tsx'
import { SelectField } from '#web/ui/select-field.tsx'
import { TableLoading } from '#web/ui/table-loading.tsx'
import { useOpenUsers, useTransfer, useTransferPlan } from './data.ts'
import styles from './users.module.css'

/** Transfers all or some reports of one person to another; what that person could not use is shown before. */
export function TransferDialog({ user, onClose }: { user: User; onClose: () => void }) {
  const { t } = useTranslation('users')
  const { t: tUi } = useTranslation('ui')
  const [to, setTo] = useState<number | null>(null)
  const [left, setLeft] = useState<ReadonlySet<number>>(new Set())
  const [keep_folders, setKeepFolders] = useState(true)
  const people = useOpenUsers()
  const plan = useTransferPlan(user.user_id, to)
  const transfer = useTransfer(user.user_id)
  const reports = plan.data?.reports ?? []
  const chosen = reports.filter(({ id }) => !left.has(id))
  const newOwner = people.data?.find(({ user_id }) => user_id === to)

  const act = () =>
    to !== null &&
    transfer.mutate(
      { to, keep_folders, reports: chosen.map(({ id }) => id) },
      {
        onSuccess: done => {
          const names = { name: nameOf(user), heir: newOwner ? nameOf(newOwner) : '' }
          showToast({ severity: 'success', message: t('transfer.done', { count: done.reports, ...names }) })
          onClose()
        },
      },
    )

  return (
    <Dialog
      opened
      loading={transfer.isPending}
      onClose={onClose}
      title={t('transfer.title', { name: nameOf(user) })}
      size={640}
    >
      <Stack gap="md">
        <SelectField
          label={t('transfer.to')}
          placeholder={t('transfer.choose')}
          options={(people.data ?? [])
            .filter(({ user_id }) => user_id !== user.user_id)
            .map(candidate => ({
              value: String(candidate.user_id),
              label: `${nameOf(candidate)} · ${candidate.username}`,
            }))}
          value={to === null ? null : String(to)}
          onChange={id => setTo(Number(id))}
          searchable
          required
        />
        {plan.error && <Problem code={plan.error.code} />}
        {!plan.data && !plan.error && <TableLoading rows={3} />}
        {plan.data && reports.length === 0 && <p className={styles.hint}>{t('transfer.none')}</p>}
        {reports.length > 0 && (
          <>
            {to !== null && <Losses reports={chosen} />}
            <Choice reports={reports} left={left} onChange={setLeft} />
            <CheckboxField
              label={t('transfer.keep_folders')}
              checked={keep_folders}
              onChange={setKeepFolders}
            />
          </>
        )}
        {plan.data && plan.data.left_out > 0 && (
          <p className={styles.hint}>{t('transfer.left_out', { count: plan.data.left_out })}</p>
        )}
        {transfer.error && <Problem code={transfer.error.code} />}
        <Group justify="flex-end" gap="xs">
          <Button variant="default" disabled={transfer.isPending} onClick={onClose}>
            {tUi('cancel')}
          </Button>
          <Button
            loading={transfer.isPending}
            disabled={to === null || chosen.length === 0 || plan.isPlaceholderData}
            onClick={act}
          >
            {t('transfer.act', { count: chosen.length })}
          </Button>
        </Group>
      </Stack>
    </Dialog>
  )
}

type Planned = TransferPlan['reports'][number]

/** As many lines as leave the reports in sight; the rest is folded. */
const MOST_LINES = 4

/** "3 reports would lose account X", what most reports lose first. */
function Losses({ reports }: { reports: readonly Planned[] }) {
  const { t } = useTranslation('users')
  const accounts = new Map<string, number>()
  for (const { lost_accounts } of reports)
    for (const { name } of lost_accounts) accounts.set(name, (accounts.get(name) ?? 0) + 1)
  const spreadsheets = reports.filter(({ loses_spreadsheet }) => loses_spreadsheet).length
  const lines = [
    ...(spreadsheets > 0 ? [t('transfer.loses_spreadsheet', { count: spreadsheets })] : []),
    ...[...accounts]
      .toSorted(([, a], [, b]) => b - a)
      .map(([name, count]) => t('transfer.loses_account', { count, name })),
  ]
  const folded = lines.slice(MOST_LINES)
  return (
    <div aria-live="polite">
      {lines.length === 0 ? (
        <InlineAlert severity="success">{t('transfer.fine')}</InlineAlert>
      ) : (
        <InlineAlert severity="warning" title={t('transfer.losses')}>
          <Lines lines={lines.slice(0, MOST_LINES)} />
          {folded.length > 0 && (
            <details>
              <summary>{t('transfer.more_losses', { count: folded.length })}</summary>
              <Lines lines={folded} />
            </details>
          )}
        </InlineAlert>
      )}
    </div>
  )
}

const Lines = ({ lines }: { lines: readonly string[] }) => (
  <ul className={styles.losses}>
    {lines.map(line => (
      <li key={line}>{line}</li>
    ))}
  </ul>
)

interface ChoiceProps {
  reports: readonly Planned[]
  /** Those that stay. */
  left: ReadonlySet<number>
  onChange: (left: ReadonlySet<number>) => void
}

function Choice({ reports, left, onChange }: ChoiceProps) {
  const { t } = useTranslation('users')
  const toggle = (id: number) => {
    const next = new Set(left)
    if (!next.delete(id)) next.add(id)
    onChange(next)
  }
  return (
    <div className={styles.choice} role="group" aria-label={t('transfer.reports')}>
      {reports.map(({ id, name, folder }) => (
        <Checkbox
          key={id}
          checked={!left.has(id)}
          onChange={() => toggle(id)}
          label={name}
          {...(folder.length > 0 && { description: folder.join(' / ') })}
        />
      ))}
    </div>
  )
}
