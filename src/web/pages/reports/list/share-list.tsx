import { ActionIcon } from '@mantine/core'
import { IconX } from '@tabler/icons-react'
import type { Report } from '#shared/api/reports.ts'
import { useFailureText } from '#web/client/failure-text.ts'
import { showToast } from '#web/client/toasts.ts'
import { useTranslation } from '#web/i18n/use-translation.ts'
import { Initials } from '#web/ui/initials.tsx'
import { ProblemText } from '#web/ui/problem-text.tsx'
import { SelectField } from '#web/ui/select-field.tsx'
import styles from './dialogs.module.css'
import { useSharing, type Shared, type useShares } from './people-data.ts'

/** With whom a report is shared already; each can be changed and ended at once. */
export function ShareList({ report, shares }: { report: Report; shares: ReturnType<typeof useShares> }) {
  const { t } = useTranslation('actions')
  if (shares.error)
    return (
      <p className={styles.problem} role="alert">
        <ProblemText code={shares.error.code} />
      </p>
    )
  return (
    <section className={styles.shares} aria-label={t('share.with')}>
      <h3>{t('share.with')}</h3>
      {!shares.data && <p className={styles.note}>{t('share.loading')}</p>}
      {shares.data?.length === 0 && <p className={styles.note}>{t('share.with_nobody')}</p>}
      <ul>
        {shares.data?.map(share => (
          <ShareLine key={share.user} report={report} share={share} />
        ))}
      </ul>
    </section>
  )
}

function ShareLine({ report, share: { user, user_name: name, access } }: { report: Report; share: Shared }) {
  const { t } = useTranslation('actions')
  const share = useSharing(report)
  const { t: tReports } = useTranslation('reports')
  const unshare = useSharing(report)
  const failureText = useFailureText()
  const failed = (error: unknown) =>
    showToast({ severity: 'error', message: failureText(error) ?? tReports('failed') })
  return (
    <li className={styles.share}>
      <Initials name={name} />
      <span className={styles.person}>{name}</span>
      <SelectField
        aria-label={t('share.access_of', { name })}
        value={access}
        options={[
          { value: 'viewer', label: t('share.viewer') },
          { value: 'editor', label: t('share.editor') },
        ]}
        disabled={share.isPending}
        onChange={level =>
          share.mutate(
            { action: { action: 'share', user, access: level }, message: t('share.changed', { name }) },
            { onError: failed },
          )
        }
      />
      <ActionIcon
        aria-label={t('share.remove', { name })}
        title={t('share.remove', { name })}
        loading={unshare.isPending}
        onClick={() =>
          unshare.mutate(
            { action: { action: 'unshare', user }, message: t('share.removed', { name }) },
            { onError: failed },
          )
        }
      >
        <IconX size={16} stroke={1.8} />
      </ActionIcon>
    </li>
  )
}
