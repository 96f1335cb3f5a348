import { ActionIcon, Button, Group } from '@mantine/core'
import { IconX } from '@tabler/icons-react'
import { useState } from 'react'
import type { BusinessMembers } from '#shared/api/businesses.ts'
import { nameOf } from '#shared/person-name.ts'
import { useTranslation } from '#web/i18n/use-translation.ts'
import { useOpenUsers } from '#web/pages/users/data.ts'
import { Dialog } from '#web/ui/dialog.tsx'
import { Problem } from '#web/ui/problem.tsx'
import { SelectField } from '#web/ui/select-field.tsx'
import { TableLoading } from '#web/ui/table-loading.tsx'
import styles from './businesses.module.css'
import { useGrant, useMembers, useRevoke } from './data.ts'

interface MembersDialogProps {
  business: number
  name: string
  onClose: () => void
}

/** To whom a business manager is granted beside directors and those who serve its accounts. */
export function MembersDialog({ business, name, onClose }: MembersDialogProps) {
  const { t } = useTranslation('businesses')
  const members = useMembers(business)
  return (
    <Dialog opened title={t('members.title', { name })} onClose={onClose}>
      <p className={styles.hint}>{t('members.detail')}</p>
      {members.error ? (
        <Problem {...members.error} audience="internal" onRetry={() => void members.refetch()} />
      ) : members.data ? (
        <>
          <Members business={business} members={members.data.results} />
          <Grant business={business} members={members.data.results} />
        </>
      ) : (
        <TableLoading rows={3} />
      )}
    </Dialog>
  )
}

interface MembersProps {
  business: number
  members: BusinessMembers['results']
}

function Members({ business, members }: MembersProps) {
  const { t } = useTranslation('businesses')
  const revoke = useRevoke(business)
  if (members.length === 0) return <p className={styles.quiet}>{t('members.none')}</p>
  return (
    <ul className={styles.list}>
      {members.map(({ user, name, is_client, granted_by_name }) => (
        <li key={user} className={styles.member}>
          <span>
            {name}
            <small className={styles.below}>
              {t(is_client ? 'members.own' : 'members.whole')}
              {granted_by_name !== null && ` · ${t('members.by', { name: granted_by_name })}`}
            </small>
          </span>
          <ActionIcon
            aria-label={t('members.revoke', { name })}
            loading={revoke.isPending && revoke.variables === user}
            onClick={() => revoke.mutate(user)}
          >
            <IconX size={16} stroke={1.8} />
          </ActionIcon>
        </li>
      ))}
    </ul>
  )
}

function Grant({ business, members }: MembersProps) {
  const { t } = useTranslation('businesses')
  const grant = useGrant(business)
  const [user, setUser] = useState<string | null>(null)
  const people = useOpenUsers().data ?? []
  const others = people.filter(({ user_id }) => members.every(member => member.user !== user_id))
  const submit = () => {
    if (user !== null) grant.mutate(Number(user), { onSuccess: () => setUser(null) })
  }
  return (
    <>
      <SelectField
        label={t('members.person')}
        options={others.map(person => ({ value: String(person.user_id), label: nameOf(person) }))}
        value={user}
        onChange={setUser}
        searchable
      />
      {grant.error && <Problem {...grant.error} audience="internal" />}
      <Group justify="flex-end" mt="md">
        <Button disabled={user === null} loading={grant.isPending} onClick={submit}>
          {t('members.grant')}
        </Button>
      </Group>
    </>
  )
}
