import { Button, VisuallyHidden } from '@mantine/core'
import { IconUserMinus, IconUsers } from '@tabler/icons-react'
import { useState } from 'react'
import type { Advertiser } from '#shared/api/advertisers.ts'
import { showToast } from '#web/client/toasts.ts'
import { useTranslation } from '#web/i18n/use-translation.ts'
import { useMemberOptions, usePeople, type MemberOption } from '#web/pages/customers/people.ts'
import { useDepartments } from '#web/pages/use-departments.ts'
import { ActionMenu } from '#web/ui/action-menu.tsx'
import { Card } from '#web/ui/card.tsx'
import { ConfirmDialog } from '#web/ui/confirm-dialog.tsx'
import { DataTable, type Column } from '#web/ui/data-table.tsx'
import { EmptyState } from '#web/ui/empty-state.tsx'
import { MultiSelectField } from '#web/ui/multi-select-field.tsx'
import { ProblemText } from '#web/ui/problem-text.tsx'
import { Problem } from '#web/ui/problem.tsx'
import styles from './advertiser.module.css'
import { useUpdateAdvertiser } from './data.ts'

/** Who serves the customer, and the customer's own people. */
export function MembersTab({ advertiser }: { advertiser: Advertiser }) {
  const { t } = useTranslation('advertisers')
  const people = usePeople()
  const members = people.filter(({ id }) => advertiser.members.includes(id))
  const [leaving, setLeaving] = useState<MemberOption | null>(null)
  const columns = useColumns(setLeaving)
  return (
    <Card padding="flush">
      <AddMembers advertiser={advertiser} />
      {members.length === 0 ? (
        <EmptyState icon={IconUsers} title={t('members.none')} detail={t('members.hint')} />
      ) : (
        <DataTable
          label={t('field.members')}
          columns={columns}
          rows={members}
          rowKey={({ id }) => id}
          rowName={({ name }) => name}
        />
      )}
      {leaving && <RemoveDialog advertiser={advertiser} member={leaving} onClose={() => setLeaving(null)} />}
    </Card>
  )
}

/** Chosen from everybody with an open account; those who are members already are not offered. */
function AddMembers({ advertiser }: { advertiser: Advertiser }) {
  const { t } = useTranslation('advertisers')
  const update = useUpdateAdvertiser(advertiser.id)
  const [chosen, setChosen] = useState<readonly number[]>([])
  const options = useMemberOptions().filter(({ value }) => !advertiser.members.includes(value))
  const add = () =>
    update.mutate(
      { version: advertiser.version, members: [...advertiser.members, ...chosen] },
      {
        onSuccess() {
          showToast({ severity: 'success', message: t('members.added', { count: chosen.length }) })
          setChosen([])
        },
      },
    )
  return (
    <>
      <div className={styles.add}>
        <MultiSelectField
          label={t('members.add')}
          options={options}
          value={chosen}
          onChange={setChosen}
          placeholder={t('members.choose')}
        />
        <Button disabled={chosen.length === 0} loading={update.isPending} onClick={add}>
          {t('members.add_submit')}
        </Button>
      </div>
      {update.error && (
        <div className={styles.problem}>
          <Problem code={update.error.fields['members']?.[0] ?? update.error.code} audience="internal" />
        </div>
      )}
    </>
  )
}

function useColumns(onRemove: (member: MemberOption) => void): Column<MemberOption>[] {
  const { t } = useTranslation('advertisers')
  const { t: tApp } = useTranslation('app')
  const departments = useDepartments().data ?? []
  return [
    {
      key: 'name',
      header: t('field.name'),
      cell: ({ name, user: { email } }) => (
        <>
          {name}
          {email !== null && <small className={styles.below}>{email}</small>}
        </>
      ),
    },
    {
      key: 'role',
      header: t('members.role'),
      cell: ({ user: { identity, position } }) => (
        <>
          {identity !== null && tApp(`identity.${identity}`)}
          {position && <small className={styles.below}>{position}</small>}
        </>
      ),
    },
    {
      key: 'department',
      header: t('members.department'),
      room: 'some',
      cell: ({ user: { department } }) => departments.find(({ id }) => id === department)?.name ?? '–',
    },
    {
      key: 'menu',
      header: <VisuallyHidden>{t('actions')}</VisuallyHidden>,
      width: '48px',
      align: 'end',
      cell: member => (
        <ActionMenu
          label={t('actions_of', { name: member.name })}
          actions={[
            {
              key: 'remove',
              label: t('members.remove'),
              icon: IconUserMinus,
              tone: 'danger',
              onClick: () => onRemove(member),
            },
          ]}
        />
      ),
    },
  ]
}

interface RemoveDialogProps {
  advertiser: Advertiser
  member: MemberOption
  onClose: () => void
}

function RemoveDialog({ advertiser: { id, name, version, members }, member, onClose }: RemoveDialogProps) {
  const { t } = useTranslation('advertisers')
  const update = useUpdateAdvertiser(id)
  return (
    <ConfirmDialog
      opened
      title={t('members.remove_title', { member: member.name, name })}
      detail={t('members.remove_detail')}
      confirm={t('members.remove')}
      tone="danger"
      loading={update.isPending}
      problem={update.error && <ProblemText code={update.error.code} audience="internal" />}
      onConfirm={() =>
        update.mutate(
          { version, members: members.filter(other => other !== member.id) },
          {
            onSuccess() {
              showToast({ severity: 'success', message: t('members.removed', { member: member.name }) })
              onClose()
            },
          },
        )
      }
      onClose={onClose}
    />
  )
}
