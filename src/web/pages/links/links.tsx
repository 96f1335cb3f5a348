import { Button } from '@mantine/core'
import { IconStack2, IconTemplate } from '@tabler/icons-react'
import { lazy, Suspense, useState } from 'react'
import type { Link } from '#shared/api/links.ts'
import { usePageTitle } from '#web/client/page-title.ts'
import { useTranslation } from '#web/i18n/use-translation.ts'
import { PageHeader } from '#web/ui/page-header.tsx'
import { LinkDrawer } from './link-drawer.tsx'
import { LinkForm, type Chosen } from './link-form.tsx'
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
  const { view, change } = useView()
  const [open, setOpen] = useState<'presets' | 'bulk' | null>(null)
  const [template, setTemplate] = useState<Link | null>(null)
  const [chosen, setChosen] = useState<Chosen>({ advertiser: view.advertiser ?? null, preset: null })
  usePageTitle(t('title'))
  const close = () => setOpen(null)
  function fillIn(link: Link) {
    setChosen({ advertiser: link.advertiser, preset: link.preset })
    // Another object, so that the same one may be taken again.
    setTemplate({ ...link })
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
        <LinkForm advertiser={view.advertiser ?? null} template={template} onChoose={setChosen} />
        <LinkList onTemplate={fillIn} />
      </div>
      {view.link !== undefined && (
        <LinkDrawer
          key={view.link}
          id={view.link}
          onTemplate={fillIn}
          onClose={() => change({ link: undefined })}
        />
      )}
      <Suspense>
        {open === 'presets' && <PresetsDialog onClose={close} />}
        {open === 'bulk' && <BulkDialog {...chosen} onClose={close} />}
      </Suspense>
    </>
  )
}
