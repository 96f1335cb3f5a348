import { Button } from '@mantine/core'
import { IconTrash } from '@tabler/icons-react'
import { useState } from 'react'
import { mayReach } from '#shared/access.ts'
import type { CalculatedMetric } from '#shared/api/insight-settings.ts'
import { useMe } from '#web/client/me.ts'
import { showToast } from '#web/client/toasts.ts'
import { useTranslation } from '#web/i18n/use-translation.ts'
import { ConflictNotice } from '#web/pages/rows/conflict-notice.tsx'
import { DeleteDialog } from '#web/pages/rows/delete-dialog.tsx'
import { GeneralProblem } from '#web/pages/rows/field-problem.tsx'
import { newerRow, useRowForm } from '#web/pages/rows/row-form.ts'
import { nameIn, useReloadSettings } from '#web/pages/insight-settings/data.ts'
import { useInsightView } from '#web/pages/insight-settings/view.ts'
import { Dialog } from '#web/ui/dialog.tsx'
import { FormDialog } from '#web/ui/form-dialog.tsx'
import { Problem } from '#web/ui/problem.tsx'
import { TableLoading } from '#web/ui/table-loading.tsx'
import { METRICS, useCreateMetric, useMetric, useUpdateMetric } from './data.ts'
import { isWhole, metricDraft, newMetric } from './metric-draft.ts'
import { MetricFacts } from './metric-facts.tsx'
import { MetricFields, ScopeField } from './metric-fields.tsx'

const WIDTH = 760

/** Staff begin with a metric for an advertiser: the agency's are the managers'. */
export function NewMetricDrawer({ onClose }: { onClose: () => void }) {
  const { t, language } = useTranslation('insight')
  const mayBeAgency = mayReach(useMe(), 'manager')
  const { advertiser } = useInsightView().view
  const create = useCreateMetric()
  const [draft, setDraft] = useState(() => newMetric(typeof advertiser === 'number' ? advertiser : null))
  const [tried, setTried] = useState(false)
  const isMissingScope = draft.advertiser === null && !mayBeAgency
  function submit() {
    setTried(true)
    if (!isWhole(draft) || isMissingScope) return
    create.mutate(draft, {
      onSuccess: saved => {
        showToast({ severity: 'success', message: t('create.done', { name: nameIn(saved, language) }) })
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
      <ScopeField
        value={draft.advertiser}
        onChange={chosen => setDraft({ ...draft, advertiser: chosen })}
        mayBeAgency={mayBeAgency}
        isMissing={tried && isMissingScope}
        problem={create.error}
      />
      <MetricFields draft={draft} onChange={setDraft} tried={tried} problem={create.error} />
    </FormDialog>
  )
}

/** Opens at once, also while the metric is still loading. */
export function MetricDrawer({ id, onClose }: { id: number; onClose: () => void }) {
  const { t, language } = useTranslation('insight')
  const { data: metric, error } = useMetric(id)
  if (metric?.may_change) return <EditDrawer metric={metric} onClose={onClose} />
  return (
    <Dialog
      opened
      side
      size={WIDTH}
      title={metric ? nameIn(metric, language) : t('edit.title')}
      onClose={onClose}
    >
      {metric ? (
        <MetricFacts metric={metric} />
      ) : error ? (
        <Problem code={error.code} audience="internal" />
      ) : (
        <TableLoading rows={6} />
      )}
    </Dialog>
  )
}

function EditDrawer({ metric, onClose }: { metric: CalculatedMetric; onClose: () => void }) {
  const { t, language } = useTranslation('insight')
  const form = useRowForm({ row: metric, draftOf: metricDraft })
  const update = useUpdateMetric(metric.id)
  const [tried, setTried] = useState(false)
  function save(changes: Partial<typeof form.draft>) {
    update.mutate(
      { ...changes, version: form.base.version },
      {
        onSuccess: saved => {
          showToast({ severity: 'success', message: t('edit.done', { name: nameIn(saved, language) }) })
          onClose()
        },
        onError: problem => form.setNewer(newerRow<CalculatedMetric>(problem, 'metric')),
      },
    )
  }
  return (
    <FormDialog
      opened
      side
      size={WIDTH}
      title={nameIn(metric, language)}
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
      onSubmit={() => {
        setTried(true)
        if (isWhole(form.draft)) save(form.changes)
      }}
      onClose={onClose}
    >
      <MetricFields
        draft={form.draft}
        onChange={form.setDraft}
        tried={tried}
        problem={update.error}
        metric={metric}
      />
      <DeleteMetric
        metric={metric}
        isSaving={update.isPending}
        onDeactivate={() => save({ is_active: false })}
        onDeleted={onClose}
      />
    </FormDialog>
  )
}

interface DeleteMetricProps {
  metric: CalculatedMetric
  isSaving: boolean
  onDeactivate: () => void
  onDeleted: () => void
}

function DeleteMetric({ metric, isSaving, onDeactivate, onDeleted }: DeleteMetricProps) {
  const { t, language } = useTranslation('insight')
  const { t: tCustomers } = useTranslation('customers')
  const reload = useReloadSettings()
  const [isDeleting, setIsDeleting] = useState(false)
  return (
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
      {isDeleting && (
        <DeleteDialog
          path={METRICS}
          row={{ ...metric, name: nameIn(metric, language) }}
          instead={{ label: tCustomers('action.deactivate'), loading: isSaving, onChoose: onDeactivate }}
          onDeleted={() => {
            void reload()
            onDeleted()
          }}
          onClose={() => setIsDeleting(false)}
        />
      )}
    </div>
  )
}
