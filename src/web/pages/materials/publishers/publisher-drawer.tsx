import { Button } from '@mantine/core'
import { IconTrash } from '@tabler/icons-react'
import { useState } from 'react'
import type { Publisher } from '#shared/api/materials.ts'
import { showToast } from '#web/client/toasts.ts'
import { useTranslation } from '#web/i18n/use-translation.ts'
import { DeleteDialog } from '#web/pages/rows/delete-dialog.tsx'
import { GeneralProblem } from '#web/pages/rows/field-problem.tsx'
import { RowDrawer } from '#web/pages/rows/row-drawer.tsx'
import { useRowSave } from '#web/pages/rows/use-row-save.tsx'
import { FormDialog } from '#web/ui/form-dialog.tsx'
import {
  PUBLISHERS,
  useCreatePublisher,
  usePublisher,
  useReloadPublishers,
  useUpdatePublisher,
} from './data.ts'
import { EMPTY_PUBLISHER, publisherBody, publisherDraft } from './publisher-draft.ts'
import { PublisherFields } from './publisher-fields.tsx'

const WIDTH = 560

export function NewPublisherDrawer({ onClose }: { onClose: () => void }) {
  const { t } = useTranslation('publishers')
  const create = useCreatePublisher()
  const [draft, setDraft] = useState(EMPTY_PUBLISHER)
  const [tried, setTried] = useState(false)
  function submit() {
    setTried(true)
    const body = publisherBody(draft)
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
      isChanged={draft !== EMPTY_PUBLISHER}
      problem={<GeneralProblem problem={create.error} />}
      onSubmit={submit}
      onClose={onClose}
    >
      <PublisherFields draft={draft} onChange={setDraft} tried={tried} problem={create.error} />
    </FormDialog>
  )
}

export function PublisherDrawer({ id, onClose }: { id: number; onClose: () => void }) {
  const { t } = useTranslation('publishers')
  const publisher = usePublisher(id)
  return (
    <RowDrawer
      query={publisher}
      title={t('edit.title')}
      submit={t('edit.submit')}
      size={WIDTH}
      onClose={onClose}
    >
      {row => <EditDrawer publisher={row} onClose={onClose} />}
    </RowDrawer>
  )
}

function EditDrawer({ publisher, onClose }: { publisher: Publisher; onClose: () => void }) {
  const { t } = useTranslation('publishers')
  const update = useUpdatePublisher(publisher.id)
  const reload = useReloadPublishers()
  const [isDeleting, setIsDeleting] = useState(false)
  const form = useRowSave({
    row: publisher,
    kind: 'publisher',
    draftOf: publisherDraft,
    bodyOf: publisherBody,
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
      title={publisher.name}
      submit={t('edit.submit')}
      loading={update.isPending}
      isChanged={form.isChanged}
      disabled={form.newer !== null}
      problem={form.problem}
      onSubmit={form.save}
      onClose={onClose}
    >
      <PublisherFields
        draft={form.draft}
        onChange={form.setDraft}
        tried={form.tried}
        problem={update.error}
      />
      {publisher.may_delete && (
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
          path={PUBLISHERS}
          row={publisher}
          linksOf="publisher"
          onDeleted={() => {
            void reload()
            onClose()
          }}
          onClose={() => setIsDeleting(false)}
        />
      )}
    </FormDialog>
  )
}
