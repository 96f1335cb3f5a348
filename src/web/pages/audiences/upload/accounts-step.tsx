import { Button, Group } from '@mantine/core'
import type { Audience } from '#shared/api/audiences.ts'
import { useTranslation } from '#web/i18n/use-translation.ts'
import { AccountChecks } from '#web/pages/audiences/account-checks.tsx'
import styles from '#web/pages/audiences/audiences.module.css'
import type { Upload } from './use-upload.ts'

/** Who gets the list afterwards, each account checked before anything is sent. */
export function AccountsStep({ upload, audience }: { upload: Upload; audience: Audience }) {
  const { t, language } = useTranslation('audiences')
  const { draft, change } = upload
  const count = draft.counted?.counts.valid ?? 0
  return (
    <div className={styles.fields}>
      <p className={styles.text}>{t('upload.summary', { count: count.toLocaleString(language) })}</p>
      <AccountChecks
        audience={audience}
        chosen={draft.accounts}
        onChange={accounts => change({ accounts })}
        byHand={<SavedByHand upload={upload} />}
      />
    </div>
  )
}

function SavedByHand({ upload: { draft, save } }: { upload: Upload }) {
  const { t } = useTranslation('audiences')
  return (
    <>
      <p className={styles.hint}>{t('accounts.by_hand')}</p>
      <Group gap="xs">
        {(['email', 'phone'] as const)
          .filter(form => draft.columns.includes(form))
          .map(form => (
            <Button key={form} size="xs" variant="default" onClick={() => void save(form)}>
              {t(`accounts.save_${form}`)}
            </Button>
          ))}
      </Group>
    </>
  )
}
