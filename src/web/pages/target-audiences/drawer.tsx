import { Button, Group } from '@mantine/core'
import { IconCopyPlus, IconTrash } from '@tabler/icons-react'
import { useState } from 'react'
import type { TargetAudience } from '#shared/api/target-audiences.ts'
import { showToast } from '#web/client/toasts.ts'
import { useTranslation } from '#web/i18n/use-translation.ts'
import { DeleteDialog } from '#web/pages/rows/delete-dialog.tsx'
import { GeneralProblem } from '#web/pages/rows/field-problem.tsx'
import { RowDrawer } from '#web/pages/rows/row-drawer.tsx'
import { useRowSave } from '#web/pages/rows/use-row-save.tsx'
import { FormDialog } from '#web/ui/form-dialog.tsx'
import {
  TARGET_AUDIENCES,
  useCreateTargetAudience,
  useReloadTargetAudiences,
  useTargetAudience,
  useUpdateTargetAudience,
} from './data.ts'
import { bodyOf, draftOf, type Draft } from './draft.ts'
import { Fields } from './fields.tsx'
import { PlatformsPanel } from './platforms-panel.tsx'
import styles from './target-audiences.module.css'

const WIDTH = 940

interface NewDrawerProps {
  /** What it begins with. */
  initial: Draft
  onClose: () => void
}

export function NewDrawer({ initial, onClose }: NewDrawerProps) {
  const { t } = useTranslation('target_audiences')
  const create = useCreateTargetAudience()
  const [draft, setDraft] = useState(initial)
  const [tried, setTried] = useState(false)
  function submit() {
    setTried(true)
    const body = bodyOf(draft)
    if (body === null || draft.advertiser === null) return
    create.mutate(
      { ...body, advertiser: draft.advertiser },
      {
        onSuccess: ({ name }) => {
          showToast({ severity: 'success', message: t('create.done', { name }) })
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
      isChanged={draft !== initial}
      problem={<GeneralProblem problem={create.error} />}
      onSubmit={submit}
      onClose={onClose}
    >
      <div className={styles.columns}>
        <Fields draft={draft} onChange={setDraft} tried={tried} problem={create.error} />
        <PlatformsPanel draft={draft} />
      </div>
    </FormDialog>
  )
}

interface DrawerProps {
  id: number
  /** Goes on with a new one that begins as this. */
  onDuplicate: (draft: Draft) => void
  onClose: () => void
}

export function TargetAudienceDrawer({ id, onDuplicate, onClose }: DrawerProps) {
  const { t } = useTranslation('target_audiences')
  const row = useTargetAudience(id)
  return (
    <RowDrawer query={row} title={t('edit.title')} submit={t('edit.submit')} size={WIDTH} onClose={onClose}>
      {found => <EditDrawer row={found} onDuplicate={onDuplicate} onClose={onClose} />}
    </RowDrawer>
  )
}

function EditDrawer({ row, onDuplicate, onClose }: Omit<DrawerProps, 'id'> & { row: TargetAudience }) {
  const { t } = useTranslation('target_audiences')
  const update = useUpdateTargetAudience(row.id)
  const form = useRowSave({
    row,
    kind: 'target_audience',
    draftOf,
    bodyOf,
    update,
    fieldName: field => t(`field.${field}`),
    onSaved(saved) {
      if (saved) showToast({ severity: 'success', message: t('edit.done', { name: saved.name }) })
      onClose()
    },
  })
  return (
    <FormDialog
      opened
      side
      size={WIDTH}
      title={row.name}
      submit={t('edit.submit')}
      loading={update.isPending}
      isChanged={form.isChanged}
      disabled={form.newer !== null}
      problem={form.problem}
      onSubmit={form.save}
      onClose={onClose}
    >
      <div className={styles.columns}>
        <Fields saved draft={form.draft} onChange={form.setDraft} tried={form.tried} problem={update.error} />
        <PlatformsPanel draft={form.draft} />
      </div>
      <Actions row={row} onDuplicate={() => onDuplicate(form.draft)} onClose={onClose} />
    </FormDialog>
  )
}

interface ActionsProps {
  row: TargetAudience
  onDuplicate: () => void
  onClose: () => void
}

function Actions({ row, onDuplicate, onClose }: ActionsProps) {
  const { t } = useTranslation('target_audiences')
  const reload = useReloadTargetAudiences()
  const [isDeleting, setIsDeleting] = useState(false)
  return (
    <Group gap="xs">
      <Button
        variant="subtle"
        size="xs"
        leftSection={<IconCopyPlus size={14} stroke={1.8} />}
        onClick={onDuplicate}
      >
        {t('duplicate')}
      </Button>
      {row.may_delete && (
        <Button
          variant="subtle"
          color="red"
          size="xs"
          leftSection={<IconTrash size={14} stroke={1.8} />}
          onClick={() => setIsDeleting(true)}
        >
          {t('delete')}
        </Button>
      )}
      {isDeleting && (
        <DeleteDialog
          path={TARGET_AUDIENCES}
          row={row}
          onDeleted={() => {
            void reload()
            onClose()
          }}
          onClose={() => setIsDeleting(false)}
        />
      )}
    </Group>
  )
}
