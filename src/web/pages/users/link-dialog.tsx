import { Button, Group, Stack, TextInput } from '@mantine/core'
import type { User } from '#shared/api/people.ts'
import { nameOf } from '#shared/person-name.ts'
import { useTranslation } from '#web/i18n/use-translation.ts'
import { CopyButton } from '#web/ui/copy-button.tsx'
import { Dialog } from '#web/ui/dialog.tsx'
import { Problem } from '#web/ui/problem.tsx'
import { instantText } from '#web/ui/times.ts'
import { useLink } from './data.ts'
import styles from './users.module.css'

/** A link with which the person sets a password, created on request: each new one invalidates the last. */
export function LinkDialog({ user, onClose }: { user: User; onClose: () => void }) {
  const { t, language } = useTranslation('users')
  const { t: tUi } = useTranslation('ui')
  const link = useLink(user.user_id)
  return (
    <Dialog opened onClose={onClose} title={t('link.title', { name: nameOf(user) })} size={520}>
      <Stack gap="md">
        <p className={styles.hint}>{t('link.detail')}</p>
        {link.data && (
          <div aria-live="polite">
            <TextInput
              label={t('link.label')}
              value={link.data.url}
              readOnly
              onFocus={event => event.currentTarget.select()}
            />
            <p className={styles.hint}>
              {t('link.until', { time: instantText(link.data.expires_at, language) })}
            </p>
          </div>
        )}
        {link.error && <Problem code={link.error.code} />}
        <Group justify="flex-end" gap="xs">
          {link.data ? (
            <CopyButton text={link.data.url} label={t('link.copy')} />
          ) : (
            <Button loading={link.isPending} onClick={() => link.mutate()}>
              {t('link.make')}
            </Button>
          )}
          <Button variant="default" onClick={onClose}>
            {tUi('close')}
          </Button>
        </Group>
      </Stack>
    </Dialog>
  )
}
