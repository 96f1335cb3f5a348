import { Button, Group, Stack } from '@mantine/core'
import type { Account } from '#shared/api/people.ts'
import { useMe } from '#web/client/me.ts'
import { useTranslation } from '#web/i18n/use-translation.ts'
import { useClients } from '#web/pages/reports/bulk-changes/data.ts'
import { Dialog } from '#web/ui/dialog.tsx'
import { Problem } from '#web/ui/problem.tsx'
import { TableLoading } from '#web/ui/table-loading.tsx'
import { instantText } from '#web/ui/times.ts'
import { ContactLines } from './contact-lines.tsx'
import { useAccount } from './data.ts'
import { History } from './history.tsx'
import { usePersonName } from './person-name.ts'
import { State } from './state.tsx'
import type { UserAction } from './user-action.tsx'
import { useUserActions } from './user-menu.tsx'
import { Department } from './user-table.tsx'
import styles from './users.module.css'

interface PersonDialogProps {
  id: number
  onAction: (action: UserAction) => void
  onClose: () => void
}

/** One person, as far as the reader may know them; for superusers with what can be done and what was. */
export function PersonDialog({ id, onAction, onClose }: PersonDialogProps) {
  const { t } = useTranslation('users')
  const nameOf = usePersonName()
  const me = useMe()
  const { data: person, error } = useAccount(id)
  return (
    <Dialog opened title={person ? nameOf(person) : t('person')} size={640} onClose={onClose}>
      {error ? (
        <Problem code={error.code} />
      ) : !person ? (
        <TableLoading rows={4} />
      ) : (
        <Stack gap="md">
          <Facts person={person} />
          {me.identity === 'superuser' && (
            <>
              <Actions person={person} onAction={onAction} />
              <History id={id} />
            </>
          )}
        </Stack>
      )}
    </Dialog>
  )
}

function Facts({ person }: { person: Account }) {
  const { t, language } = useTranslation('users')
  const me = useMe()
  const { username, position, company_extension, created_at, reports } = person
  return (
    <dl className={styles.facts}>
      {username !== null && <Fact label={t('form.username')}>{username}</Fact>}
      <Fact label={t('column.department')}>
        <Department user={person} />
      </Fact>
      {position && <Fact label={t('form.position')}>{position}</Fact>}
      {person.contacts !== null && (
        <Fact label={t('column.contact')}>
          <ContactLines user={person} />
        </Fact>
      )}
      {company_extension && <Fact label={t('form.extension')}>{company_extension}</Fact>}
      {me.identity !== 'external_user' && <Clients ids={person.advertisers} />}
      <Fact label={t('column.state')}>
        <State user={person} />
      </Fact>
      {reports !== undefined && <Fact label={t('reports')}>{reports}</Fact>}
      {created_at !== null && <Fact label={t('created')}>{instantText(created_at, language)}</Fact>}
    </dl>
  )
}

function Fact({ label, children }: { label: string; children: React.ReactNode }) {
  return (
    <>
      <dt>{label}</dt>
      <dd>{children}</dd>
    </>
  )
}

/** Those that the reader may see as well. */
function Clients({ ids }: { ids: readonly number[] }) {
  const { t } = useTranslation('users')
  const clients = useClients().data ?? []
  const names = clients.filter(({ id }) => ids.includes(id)).map(({ name }) => name)
  if (names.length === 0) return null
  return <Fact label={t('form.clients')}>{names.join(', ')}</Fact>
}

function Actions({ person, onAction }: { person: Account; onAction: (action: UserAction) => void }) {
  const actions = useUserActions(person, onAction)
  return (
    <Group gap="xs">
      {actions
        .filter(({ disabled }) => !disabled)
        .map(({ key, label, icon: Icon, tone, onClick }) => (
          <Button
            key={key}
            size="xs"
            variant="default"
            {...(tone === 'danger' && { c: 'var(--bad)' })}
            leftSection={<Icon size={14} stroke={1.6} aria-hidden />}
            onClick={onClick}
          >
            {label}
          </Button>
        ))}
    </Group>
  )
}
