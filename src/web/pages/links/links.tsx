import { Button } from '@mantine/core'
import { IconStack2, IconTemplate } from '@tabler/icons-react'
import { Suspense, useState } from 'react'
import type { Link } from '#shared/api/links.ts'
import { usePageTitle } from '#web/client/page-title.ts'
import { useTranslation } from '#web/i18n/use-translation.ts'
import { ConfirmDialog } from '#web/ui/confirm-dialog.tsx'
import { PageHeader } from '#web/ui/page-header.tsx'
import { lazy } from '#web/visit/lazy.ts'
import { LinkDrawer } from './link-drawer.tsx'
import { templateOf, type LinkDraft } from './link-draft.ts'
import { LinkForm, type Chosen, type Template } from './link-form.tsx'
import { LinkList } from './link-list.tsx'
import styles from './links.module.css'
import { useView } from './view.ts'

// Seldom opened, and they bring what reads a spreadsheet.
const BulkDialog = lazy(async () => ({ default: (await import('./bulk/bulk-dialog.tsx')).BulkDialog }))
const PresetsDialog = lazy(async () => ({
  default: (await import('./presets/presets-dialog.tsx')).PresetsDialog,
}))

/** Links with campaign parameters: the form for the next one over those that there are. */
export function Links() {
  const { t } = useTranslation('links')
  const { t: tUi } = useTranslation('ui')
  const { view, change } = useView()
  const [open, setOpen] = useState<'presets' | 'bulk' | null>(null)
  const [template, setTemplate] = useState<Template | null>(null)
  /** The one that waits until somebody has agreed to lose what the form has. */
  const [waiting, setWaiting] = useState<Template | null>(null)
  const [isChanged, setIsChanged] = useState(false)
  const [chosen, setChosen] = useState<Chosen>({ advertiser: view.advertiser ?? null, preset: null })
  usePageTitle(t('title'))
  const close = () => setOpen(null)
  const offer = (link: Link, draft?: LinkDraft) => {
    const next = { name: link.name, draft: templateOf(link, draft) }
    if (isChanged) setWaiting(next)
    else fillIn(next)
  }
  function fillIn(next: Template) {
    setWaiting(null)
    setChosen({ advertiser: next.draft.advertiser, preset: next.draft.preset })
    setTemplate(next)
    if (view.link !== undefined) change({ link: undefined })
  }
  return (
    <>
      <PageHeader
        title={t('title')}
        detail={t('detail')}
        actions={
          <>
            <Button
              variant="default"
              leftSection={<IconTemplate size={16} stroke={1.7} aria-hidden />}
              onClick={() => setOpen('presets')}
            >
              {t('presets.title')}
            </Button>
            <Button
              variant="default"
              leftSection={<IconStack2 size={16} stroke={1.7} aria-hidden />}
              onClick={() => setOpen('bulk')}
            >
              {t('bulk.title')}
            </Button>
          </>
        }
      />
      <div className={styles.page}>
        <LinkForm
          advertiser={view.advertiser ?? null}
          template={template}
          onChoose={setChosen}
          onChanged={setIsChanged}
        />
        <LinkList onTemplate={offer} />
      </div>
      {view.link !== undefined && (
        <LinkDrawer
          key={view.link}
          id={view.link}
          onTemplate={offer}
          onClose={() => change({ link: undefined })}
        />
      )}
      <ConfirmDialog
        opened={waiting !== null}
        title={tUi('discard.title')}
        detail={tUi('discard.detail')}
        confirm={tUi('discard.confirm')}
        cancel={tUi('discard.cancel')}
        tone="danger"
        onConfirm={() => waiting && fillIn(waiting)}
        onClose={() => setWaiting(null)}
      />
      <Suspense>
        {open === 'presets' && <PresetsDialog onClose={close} />}
        {open === 'bulk' && <BulkDialog {...chosen} onClose={close} />}
      </Suspense>
    </>
  )
}
