import { Button } from '@mantine/core'
import { IconTrash } from '@tabler/icons-react'
import { useState } from 'react'
import type { Site } from '#shared/api/materials.ts'
import type { Problem } from '#web/client/problem.ts'
import { showToast } from '#web/client/toasts.ts'
import { useTranslation } from '#web/i18n/use-translation.ts'
import { DeleteDialog } from '#web/pages/rows/delete-dialog.tsx'
import { GeneralProblem } from '#web/pages/rows/field-problem.tsx'
import { RowDrawer } from '#web/pages/rows/row-drawer.tsx'
import { useRowSave } from '#web/pages/rows/use-row-save.tsx'
import { FormDialog } from '#web/ui/form-dialog.tsx'
import { InlineAlert } from '#web/ui/inline-alert.tsx'
import { SITES, useCreateSite, useReloadSites, useSite, useUpdateSite } from './data.ts'
import { emptySite, siteBody, siteDraft } from './site-draft.ts'
import { SiteFields } from './site-fields.tsx'

const WIDTH = 560

interface NewSiteDrawerProps {
  /** Whose sites are listed. */
  advertiser: number | null
  onClose: () => void
}

export function NewSiteDrawer({ advertiser, onClose }: NewSiteDrawerProps) {
  const { t } = useTranslation('sites')
  const create = useCreateSite()
  const [initial] = useState(() => emptySite(advertiser))
  const [draft, setDraft] = useState(initial)
  const [tried, setTried] = useState(false)
  function submit() {
    setTried(true)
    const body = siteBody(draft)
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
      <SiteFields draft={draft} onChange={setDraft} tried={tried} problem={create.error} />
    </FormDialog>
  )
}

export function SiteDrawer({ id, onClose }: { id: number; onClose: () => void }) {
  const { t } = useTranslation('sites')
  const site = useSite(id)
  return (
    <RowDrawer query={site} title={t('edit.title')} submit={t('edit.submit')} size={WIDTH} onClose={onClose}>
      {row => <EditDrawer site={row} onClose={onClose} />}
    </RowDrawer>
  )
}

function EditDrawer({ site, onClose }: { site: Site; onClose: () => void }) {
  const { t } = useTranslation('sites')
  const { t: tCustomers } = useTranslation('customers')
  const update = useUpdateSite(site.id)
  const reload = useReloadSites()
  const [isDeleting, setIsDeleting] = useState(false)
  const form = useRowSave({
    row: site,
    kind: 'site',
    draftOf: siteDraft,
    bodyOf: siteBody,
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
      title={site.name}
      submit={t('edit.submit')}
      loading={update.isPending}
      isChanged={form.isChanged}
      disabled={form.newer !== null}
      problem={update.error?.code === 'in_use' ? <PixelInUse problem={update.error} /> : form.problem}
      onSubmit={form.save}
      onClose={onClose}
    >
      <SiteFields
        saved
        draft={form.draft}
        onChange={form.setDraft}
        tried={form.tried}
        problem={update.error}
      />
      {site.may_delete && (
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
          path={SITES}
          row={site}
          linksOf="site"
          onDeleted={() => {
            void reload()
            onClose()
          }}
          onClose={() => setIsDeleting(false)}
          instead={{
            label: tCustomers('action.deactivate'),
            loading: update.isPending,
            onChoose: () => form.send({ is_active: false }),
          }}
        />
      )}
    </FormDialog>
  )
}

/** Audiences are made of the visitors that the Meta pixel counts. */
function PixelInUse({ problem }: { problem: Problem }) {
  const { t } = useTranslation('sites')
  const by = problem.body['by']
  const count = typeof by === 'object' && by !== null && 'audiences' in by ? Number(by.audiences) : 1
  return <InlineAlert severity="error">{t('pixel_in_use', { count })}</InlineAlert>
}
