import { Button, Group } from '@mantine/core'
import { IconCopyPlus, IconRouteScan, IconTrash } from '@tabler/icons-react'
import { useState } from 'react'
import type { Link } from '#shared/api/links.ts'
import { changesLink } from '#shared/links/build-link.ts'
import { linkNameOf } from '#shared/links/presets.ts'
import { showToast } from '#web/client/toasts.ts'
import { useReload } from '#web/client/use-reload.ts'
import { useTranslation } from '#web/i18n/use-translation.ts'
import { ConflictNotice } from '#web/pages/rows/conflict-notice.tsx'
import { DeleteDialog } from '#web/pages/rows/delete-dialog.tsx'
import { GeneralProblem } from '#web/pages/rows/field-problem.tsx'
import { newerRow, useRowForm } from '#web/pages/rows/row-form.ts'
import { FormDialog } from '#web/ui/form-dialog.tsx'
import { Problem } from '#web/ui/problem.tsx'
import { TableLoading } from '#web/ui/table-loading.tsx'
import { CheckDetails } from './check-outcome.tsx'
import { LINKS, useCheckLink, useHasChecks, useLink, usePreset, useUpdateLink } from './data.ts'
import { bodyOf, draftOf } from './link-draft.ts'
import { LinkFields, NameField } from './link-fields.tsx'
import styles from './links.module.css'
import { LiveLink } from './live-link.tsx'
import type { OnTemplate } from './row-menu.tsx'
import { useLinkProblems } from './use-link-problems.tsx'

const WIDTH = 680

interface LinkDrawerProps {
  id: number
  onTemplate: OnTemplate
  onClose: () => void
}

/** Opens at once, also while the link is still loading. */
export function LinkDrawer({ id, onTemplate, onClose }: LinkDrawerProps) {
  const { t } = useTranslation('links')
  const link = useLink(id)
  if (link.data) return <EditDrawer link={link.data} onTemplate={onTemplate} onClose={onClose} />
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
      {link.error ? <Problem code={link.error.code} audience="internal" /> : <TableLoading rows={6} />}
    </FormDialog>
  )
}

interface EditDrawerProps extends Omit<LinkDrawerProps, 'id'> {
  link: Link
}

function EditDrawer({ link, onTemplate, onClose }: EditDrawerProps) {
  const { t } = useTranslation('links')
  const form = useRowForm({ row: link, draftOf })
  const update = useUpdateLink(link.id)
  const { presets, preset, isUnknown } = usePreset(link.advertiser, link.preset)
  const [tried, setTried] = useState(false)
  const { draft } = form
  const isRemade = changesLink(form.changes)
  const { built, isSound, errorOf } = useLinkProblems({
    draft,
    preset,
    isRemade,
    tried,
    refused: update.error,
  })
  function save() {
    setTried(true)
    const body = bodyOf(draft)
    if (!isSound || body === null) return
    const all = Object.entries({ ...body, name: body.name ?? linkNameOf(draft) })
    const changed = Object.fromEntries(all.filter(([field]) => field in form.changes))
    update.mutate(
      { ...changed, version: form.base.version },
      {
        onSuccess: ({ name }) => {
          showToast({ severity: 'success', message: t('edit.done', { name }) })
          onClose()
        },
        onError: problem => form.setNewer(newerRow<Link>(problem, 'link')),
      },
    )
  }
  return (
    <FormDialog
      opened
      side
      size={WIDTH}
      title={link.name}
      submit={t('edit.submit')}
      loading={update.isPending}
      isChanged={form.isChanged}
      disabled={form.newer !== null || (isUnknown && isRemade)}
      problem={
        form.newer ? (
          <ConflictNotice
            fields={form.theirs.map(field => t(`field.${field}`))}
            onMerge={form.merge}
            onTakeTheirs={form.takeTheirs}
          />
        ) : (
          <GeneralProblem problem={update.error} fields={Object.keys(draft)} />
        )
      }
      onSubmit={save}
      onClose={onClose}
    >
      <p className={styles.hint}>
        {link.preset_name === null
          ? t('edit.of', { advertiser: link.advertiser_name })
          : t('edit.of_preset', { advertiser: link.advertiser_name, preset: link.preset_name })}
      </p>
      {isUnknown && presets.error && (
        <Problem code={presets.error.code} audience="internal" onRetry={() => void presets.refetch()}>
          <div>{t('presets.not_loaded')}</div>
        </Problem>
      )}
      <LiveLink draft={draft} built={built} name={draft.name.trim() || link.name} />
      <LinkFields
        head={<NameField draft={draft} onChange={form.setDraft} errorOf={errorOf} />}
        draft={draft}
        onChange={form.setDraft}
        preset={preset}
        errorOf={errorOf}
      />
      <Check link={link} isChanged={form.isChanged} />
      <Actions link={link} onTemplate={() => onTemplate(link, draft)} onClose={onClose} />
    </FormDialog>
  )
}

/** What came of following it last, and doing so again. */
function Check({ link, isChanged }: { link: Link; isChanged: boolean }) {
  const { t } = useTranslation('links')
  const hasChecks = useHasChecks()
  const check = useCheckLink()
  if (!hasChecks) return null
  return (
    <section className={styles.checkCard} aria-label={t('field.check')}>
      <div className={styles.liveHead}>
        <h3>{t('field.check')}</h3>
        <Button
          size="xs"
          variant="default"
          leftSection={<IconRouteScan size={14} aria-hidden />}
          loading={check.isPending}
          disabled={isChanged}
          onClick={() => check.mutate(link.id)}
        >
          {t('action.check')}
        </Button>
      </div>
      <div aria-live="polite">
        {link.check ? <CheckDetails check={link.check} /> : <p className={styles.hint}>{t('check.none')}</p>}
        {isChanged && <p className={styles.hint}>{t('check.save_first')}</p>}
      </div>
      {check.error && <Problem code={check.error.code} audience="internal" />}
    </section>
  )
}

function Actions({ link, onTemplate, onClose }: EditDrawerProps) {
  const { t } = useTranslation('links')
  const reload = useReload('links')
  const [isDeleting, setIsDeleting] = useState(false)
  return (
    <Group gap="xs">
      <Button
        variant="subtle"
        size="xs"
        leftSection={<IconCopyPlus size={14} stroke={1.8} />}
        onClick={() => onTemplate(link)}
      >
        {t('action.template')}
      </Button>
      {link.may_delete && (
        <Button
          variant="subtle"
          color="red"
          size="xs"
          leftSection={<IconTrash size={14} stroke={1.8} />}
          onClick={() => setIsDeleting(true)}
        >
          {t('action.delete')}
        </Button>
      )}
      {isDeleting && (
        <DeleteDialog
          path={LINKS}
          row={link}
          onDeleted={() => {
            onClose()
            void reload()
          }}
          onClose={() => setIsDeleting(false)}
        />
      )}
    </Group>
  )
}
