import { ActionIcon, Button, Stack } from '@mantine/core'
import { IconRobot, IconX } from '@tabler/icons-react'
import { useState, type FormEvent } from 'react'
import type { Sheet, SheetPermission } from '#shared/api/sheets.ts'
import { useTranslation } from '#web/i18n/use-translation.ts'
import { InlineAlert } from '#web/ui/inline-alert.tsx'
import { Problem } from '#web/ui/problem.tsx'
import { SelectField } from '#web/ui/select-field.tsx'
import { TextField } from '#web/ui/text-field.tsx'
import { useShare, useUnshare } from './data.ts'
import styles from './sheet.module.css'
import { Dialog } from '#web/ui/dialog.tsx'

interface ShareDialogProps {
  sheet: Sheet
  people: readonly SheetPermission[]
  opened: boolean
  onClose: () => void
}

/** Who has access, and giving it to more people; the product's own address is one click. */
export function ShareDialog({ sheet, people, opened, onClose }: ShareDialogProps) {
  const { t } = useTranslation('sheets')
  const share = useShare(sheet.id)
  const canWrite = people.some(
    ({ is_system_user, role }) => is_system_user && (role === 'writer' || role === 'owner'),
  )
  return (
    <Dialog opened={opened} onClose={onClose} title={t('share_title', { title: sheet.title })} size={520}>
      <Stack gap="md">
        {!canWrite && (
          <InlineAlert
            severity="info"
            title={t('system_user_missing')}
            action={
              <Button
                size="xs"
                loading={share.isPending}
                onClick={() => share.mutate({ email: sheet.system_user, role: 'writer' })}
              >
                {t('share_with_system_user')}
              </Button>
            }
          >
            {sheet.system_user}
          </InlineAlert>
        )}
        <ShareForm
          sharing={share.isPending}
          onShare={(person, done) => share.mutate(person, { onSuccess: done })}
        />
        {share.error && <Problem code={share.error.code} />}
        <People sheet={sheet} people={people} />
      </Stack>
    </Dialog>
  )
}

const roles = ['writer', 'commenter', 'reader'] as const
type Role = (typeof roles)[number]

interface ShareFormProps {
  sharing: boolean
  onShare: (person: { email: string; role: Role }, done: () => void) => void
}

function ShareForm({ sharing, onShare }: ShareFormProps) {
  const { t } = useTranslation('sheets')
  const [email, setEmail] = useState('')
  const [role, setRole] = useState<Role>('writer')

  function submit(event: FormEvent) {
    event.preventDefault()
    if (email.trim()) onShare({ email: email.trim(), role }, () => setEmail(''))
  }

  return (
    <form className={styles.shareForm} onSubmit={submit}>
      <TextField label={t('share_with')} placeholder="name@example.com" value={email} onChange={setEmail} />
      <SelectField
        aria-label={t('column_role')}
        value={role}
        options={roles.map(value => ({ value, label: t(`role.${value}`) }))}
        onChange={setRole}
      />
      <Button type="submit" variant="default" loading={sharing}>
        {t('share')}
      </Button>
    </form>
  )
}

function People({ sheet, people }: { sheet: Sheet; people: readonly SheetPermission[] }) {
  const { t } = useTranslation('sheets')
  const { t: tUi } = useTranslation('ui')
  const unshare = useUnshare(sheet.id)
  return (
    <ul className={styles.people} aria-label={t('people')}>
      {people.map(({ id, email, role, is_system_user }) => (
        <li key={id}>
          <span>
            {email ?? t('anyone')}
            {is_system_user && (
              <>
                {' '}
                <IconRobot size={14} aria-hidden /> <small>{t('system_user')}</small>
              </>
            )}
          </span>
          <small>{t(`role.${role}`)}</small>
          {role !== 'owner' && (
            <ActionIcon
              size="sm"
              aria-label={tUi('remove', { name: email ?? t('anyone') })}
              disabled={unshare.isPending}
              onClick={() => unshare.mutate(id)}
            >
              <IconX size={14} />
            </ActionIcon>
          )}
        </li>
      ))}
    </ul>
  )
}
