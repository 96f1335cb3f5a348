import { Button } from '@mantine/core'
import { IconTrash } from '@tabler/icons-react'
import { useState } from 'react'
import { mayReach } from '#shared/access.ts'
import type { Agent } from '#shared/api/customers.ts'
import { useMe } from '#web/client/me.ts'
import { showToast } from '#web/client/toasts.ts'
import { useTranslation } from '#web/i18n/use-translation.ts'
import { FormDialog } from '#web/ui/form-dialog.tsx'
import { Problem } from '#web/ui/problem.tsx'
import { SwitchField } from '#web/ui/switch-field.tsx'
import { TableLoading } from '#web/ui/table-loading.tsx'
import { agentBody, agentDraft, EMPTY_AGENT } from './agent-draft.ts'
import { AgentFields } from './agent-fields.tsx'
import { ConflictNotice } from '#web/pages/rows/conflict-notice.tsx'
import { AGENTS, useAgent, useCreateAgent, useUpdateAgent } from './data.ts'
import { DeleteDialog } from '#web/pages/rows/delete-dialog.tsx'
import { GeneralProblem } from '#web/pages/rows/field-problem.tsx'
import { newerRow, useRowForm } from '#web/pages/rows/row-form.ts'

const WIDTH = 560

export function NewAgentDrawer({ onClose }: { onClose: () => void }) {
  const { t } = useTranslation('agents')
  const create = useCreateAgent()
  const [draft, setDraft] = useState(EMPTY_AGENT)
  const [tried, setTried] = useState(false)
  function submit() {
    setTried(true)
    const body = agentBody(draft)
    if (body === null) return
    create.mutate(body, {
      onSuccess: ({ name }) => {
        showToast({ severity: 'success', message: t('create.done', { name }) })
        onClose()
      },
    })
  }
  return (
    <FormDialog
      opened
      side
      size={WIDTH}
      title={t('create.title')}
      submit={t('create.submit')}
      loading={create.isPending}
      problem={<GeneralProblem problem={create.error} />}
      onSubmit={submit}
      onClose={onClose}
    >
      <AgentFields draft={draft} onChange={setDraft} tried={tried} problem={create.error} />
    </FormDialog>
  )
}

/** Opens at once, also while the agent is still loading. */
export function AgentDrawer({ id, onClose }: { id: number; onClose: () => void }) {
  const { t } = useTranslation('agents')
  const agent = useAgent(id)
  if (agent.data) return <EditDrawer agent={agent.data} onClose={onClose} />
  return (
    <FormDialog
      opened
      side
      size={WIDTH}
      title={t('edit.title')}
      submit={t('edit.submit')}
      loading={false}
      disabled
      onSubmit={onClose}
      onClose={onClose}
    >
      {agent.error ? <Problem code={agent.error.code} audience="internal" /> : <TableLoading rows={4} />}
    </FormDialog>
  )
}

function EditDrawer({ agent, onClose }: { agent: Agent; onClose: () => void }) {
  const { t } = useTranslation('agents')
  const { t: tCustomers } = useTranslation('customers')
  const me = useMe()
  const form = useRowForm({ row: agent, draftOf: agentDraft })
  const update = useUpdateAgent(agent.id)
  const [tried, setTried] = useState(false)
  const [isDeleting, setIsDeleting] = useState(false)
  function save(draft: typeof form.draft) {
    setTried(true)
    const body = agentBody(draft)
    if (body === null) return
    const all = Object.entries({ ...body, is_active: draft.is_active })
    const changed = Object.fromEntries(
      all.filter(([field]) => field in form.changes || field === 'is_active'),
    )
    update.mutate(
      { ...changed, version: form.base.version },
      {
        onSuccess: ({ name }) => {
          showToast({ severity: 'success', message: t('edit.done', { name }) })
          onClose()
        },
        onError: problem => form.setNewer(newerRow<Agent>(problem, 'agent')),
      },
    )
  }
  return (
    <FormDialog
      opened
      side
      size={WIDTH}
      title={agent.name}
      submit={t('edit.submit')}
      loading={update.isPending}
      disabled={form.newer !== null}
      problem={
        form.newer ? (
          <ConflictNotice
            fields={form.theirs.map(field => t(`field.${field}`))}
            onMerge={form.merge}
            onTakeTheirs={form.takeTheirs}
          />
        ) : (
          <GeneralProblem problem={update.error} />
        )
      }
      onSubmit={() => save(form.draft)}
      onClose={onClose}
    >
      <AgentFields draft={form.draft} onChange={form.setDraft} tried={tried} problem={update.error} />
      <SwitchField
        label={tCustomers('state.active')}
        hint={t('field.is_active_hint')}
        checked={form.draft.is_active}
        onChange={checked => form.setDraft({ ...form.draft, is_active: checked })}
      />
      {mayReach(me, 'manager_or_finance') && (
        <div>
          <Button
            variant="subtle"
            color="red"
            size="xs"
            leftSection={<IconTrash size={14} stroke={1.8} />}
            onClick={() => setIsDeleting(true)}
          >
            {t('delete')}
          </Button>
        </div>
      )}
      {isDeleting && (
        <DeleteDialog
          path={AGENTS}
          row={agent}
          onDeleted={onClose}
          onClose={() => setIsDeleting(false)}
          instead={{
            label: tCustomers('action.deactivate'),
            loading: update.isPending,
            onChoose: () => save({ ...form.draft, is_active: false }),
          }}
        />
      )}
    </FormDialog>
  )
}
