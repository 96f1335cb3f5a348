import { useState } from 'react'
import { mayReach } from '#shared/access.ts'
import type { LinkPreset } from '#shared/api/links.ts'
import { useMe } from '#web/client/me.ts'
import { showToast } from '#web/client/toasts.ts'
import { useTranslation } from '#web/i18n/use-translation.ts'
import { ConflictNotice } from '#web/pages/rows/conflict-notice.tsx'
import { GeneralProblem } from '#web/pages/rows/field-problem.tsx'
import { newerRow, useRowForm } from '#web/pages/rows/row-form.ts'
import { useCreatePreset, useUpdatePreset } from '#web/pages/links/data.ts'
import { FormDialog } from '#web/ui/form-dialog.tsx'
import { EMPTY_PRESET, presetBody, presetDraft, problemsIn } from './preset-draft.ts'
import { PresetFields } from './preset-fields.tsx'

const WIDTH = 640
/** Those that show why they are refused. */
const refusedFields = ['advertiser', 'name', 'platform', 'values', 'allowed']

export function NewPresetDrawer({ onClose }: { onClose: () => void }) {
  const { t } = useTranslation('links')
  const create = useCreatePreset()
  const [draft, setDraft] = useState(EMPTY_PRESET)
  const [tried, setTried] = useState(false)
  const problems = problemsIn(draft, mayReach(useMe(), 'manager'))
  function submit() {
    setTried(true)
    if (Object.keys(problems).length > 0) return
    create.mutate(presetBody(draft), {
      onSuccess: ({ name }) => {
        showToast({ severity: 'success', message: t('presets.created', { name }) })
        onClose()
      },
    })
  }
  return (
    <FormDialog
      opened
      side
      size={WIDTH}
      title={t('presets.new')}
      submit={t('presets.submit')}
      loading={create.isPending}
      isChanged={draft !== EMPTY_PRESET}
      problem={<GeneralProblem problem={create.error} fields={refusedFields} />}
      onSubmit={submit}
      onClose={onClose}
    >
      <PresetFields
        draft={draft}
        onChange={setDraft}
        problems={tried ? problems : {}}
        refused={create.error}
        isNew
      />
    </FormDialog>
  )
}

export function EditPresetDrawer({ preset, onClose }: { preset: LinkPreset; onClose: () => void }) {
  const { t } = useTranslation('links')
  const form = useRowForm({ row: preset, draftOf: presetDraft })
  const update = useUpdatePreset(preset.id)
  const [tried, setTried] = useState(false)
  // Whose it is does not change any more.
  const problems = problemsIn(form.draft, true)
  function save() {
    setTried(true)
    if (Object.keys(problems).length > 0) return
    // What is locked and what is allowed belong together.
    const isRule = (field: string) => field === 'locked' || field === 'allowed'
    const areRulesChanged = Object.keys(form.changes).some(isRule)
    const changed = Object.fromEntries(
      Object.entries(presetBody(form.draft)).filter(
        ([field]) => field in form.changes || (areRulesChanged && isRule(field)),
      ),
    )
    update.mutate(
      { ...changed, version: form.base.version },
      {
        onSuccess: ({ name }) => {
          showToast({ severity: 'success', message: t('presets.saved', { name }) })
          onClose()
        },
        onError: problem => form.setNewer(newerRow<LinkPreset>(problem, 'preset')),
      },
    )
  }
  return (
    <FormDialog
      opened
      side
      size={WIDTH}
      title={preset.name}
      submit={t('edit.submit')}
      loading={update.isPending}
      isChanged={form.isChanged}
      disabled={form.newer !== null}
      problem={
        form.newer ? (
          <ConflictNotice
            fields={form.theirs.map(field => t(`presets.field.${field}`))}
            onMerge={form.merge}
            onTakeTheirs={form.takeTheirs}
          />
        ) : (
          <GeneralProblem problem={update.error} fields={refusedFields} />
        )
      }
      onSubmit={save}
      onClose={onClose}
    >
      <PresetFields
        draft={form.draft}
        onChange={form.setDraft}
        problems={tried ? problems : {}}
        refused={update.error}
        isNew={false}
      />
    </FormDialog>
  )
}
