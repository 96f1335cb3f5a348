import { Button } from '@mantine/core'
import { IconTrash } from '@tabler/icons-react'
import { useState } from 'react'
import type { ConversionDefinition } from '#shared/api/insight-settings.ts'
import { showToast } from '#web/client/toasts.ts'
import { useTranslation } from '#web/i18n/use-translation.ts'
import { ConflictNotice } from '#web/pages/rows/conflict-notice.tsx'
import { DeleteDialog } from '#web/pages/rows/delete-dialog.tsx'
import { newerRow, useRowForm } from '#web/pages/rows/row-form.ts'
import { nameIn, useReloadSettings } from '#web/pages/insight-settings/data.ts'
import { useInsightView } from '#web/pages/insight-settings/view.ts'
import { FormDialog } from '#web/ui/form-dialog.tsx'
import { Problem } from '#web/ui/problem.tsx'
import { TableLoading } from '#web/ui/table-loading.tsx'
import { ConversionFields } from './conversion-fields.tsx'
import { CONVERSIONS, useConversion, useCreateConversion, useUpdateConversion } from './data.ts'
import { conversionDraft, isWhole, newConversion } from './entries.ts'
import { GeneralProblem } from '#web/pages/rows/field-problem.tsx'

const WIDTH = 680

export function NewConversionDrawer({ onClose }: { onClose: () => void }) {
  const { t, language } = useTranslation('conversions')
  const { advertiser } = useInsightView().view
  const create = useCreateConversion()
  const [draft, setDraft] = useState(() => newConversion(typeof advertiser === 'number' ? advertiser : null))
  const [tried, setTried] = useState(false)
  function submit() {
    setTried(true)
    if (!isWhole(draft) || draft.advertiser === null) return
    create.mutate(
      { ...draft, advertiser: draft.advertiser },
      {
        onSuccess: saved => {
          showToast({ severity: 'success', message: t('create.done', { name: nameIn(saved, language) }) })
          onClose()
        },
      },
    )
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
      <ConversionFields draft={draft} onChange={setDraft} tried={tried} problem={create.error} isNew />
    </FormDialog>
  )
}

/** Opens at once, also while the definition is still loading. */
export function ConversionDrawer({ id, onClose }: { id: number; onClose: () => void }) {
  const { t } = useTranslation('conversions')
  const { data, error } = useConversion(id)
  if (data) return <EditDrawer conversion={data} onClose={onClose} />
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
      {error ? <Problem code={error.code} audience="internal" /> : <TableLoading rows={4} />}
    </FormDialog>
  )
}

interface EditDrawerProps {
  conversion: ConversionDefinition
  onClose: () => void
}

function EditDrawer({ conversion, onClose }: EditDrawerProps) {
  const { t, language } = useTranslation('conversions')
  const form = useRowForm({ row: conversion, draftOf: conversionDraft })
  const update = useUpdateConversion(conversion.id)
  const [tried, setTried] = useState(false)
  function submit() {
    setTried(true)
    if (!isWhole(form.draft)) return
    const { advertiser: _stays, ...changes } = form.changes
    update.mutate(
      { ...changes, version: form.base.version },
      {
        onSuccess: saved => {
          showToast({ severity: 'success', message: t('edit.done', { name: nameIn(saved, language) }) })
          onClose()
        },
        onError: problem => form.setNewer(newerRow<ConversionDefinition>(problem, 'conversion')),
      },
    )
  }
  return (
    <FormDialog
      opened
      side
      size={WIDTH}
      title={nameIn(conversion, language)}
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
      onSubmit={submit}
      onClose={onClose}
    >
      <ConversionFields draft={form.draft} onChange={form.setDraft} tried={tried} problem={update.error} />
      <DeleteConversion conversion={conversion} onClose={onClose} />
    </FormDialog>
  )
}

function DeleteConversion({ conversion, onClose }: EditDrawerProps) {
  const { t, language } = useTranslation('conversions')
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
          path={CONVERSIONS}
          row={{ ...conversion, name: nameIn(conversion, language) }}
          onDeleted={() => {
            void reload()
            onClose()
          }}
          onClose={() => setIsDeleting(false)}
        />
      )}
    </div>
  )
}
