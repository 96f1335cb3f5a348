import { Button } from '@mantine/core'
import { IconShare2, IconTrash, IconUpload } from '@tabler/icons-react'
import { useState } from 'react'
import type { Audience } from '#shared/api/audiences.ts'
import { useTranslation } from '#web/i18n/use-translation.ts'
import { Dialog } from '#web/ui/dialog.tsx'
import { PageLoading } from '#web/ui/page-loading.tsx'
import { Problem } from '#web/ui/problem.tsx'
import { SegmentedField } from '#web/ui/segmented-field.tsx'
import styles from './audiences.module.css'
import { useAudience } from './data.ts'
import { DeleteDialog } from './delete-dialog.tsx'
import { HistoryTab } from './history-tab.tsx'
import { OverviewTab } from './overview-tab.tsx'
import { drawerTabs, type DrawerTab } from './search.ts'
import { ShareDialog } from './share-dialog.tsx'
import { SharesTab } from './shares-tab.tsx'
import { UploadDialog } from './upload/upload-dialog.tsx'
import { UploadsTab } from './uploads-tab.tsx'

interface AudienceDrawerProps {
  id: number
  tab: DrawerTab
  onTab: (tab: DrawerTab) => void
  onClose: () => void
}

/** One audience: what it is, where it is shared, what was uploaded, and what has happened to it. */
export function AudienceDrawer({ id, tab, onTab, onClose }: AudienceDrawerProps) {
  const { t } = useTranslation('audiences')
  const { data, error, refetch } = useAudience(id)
  return (
    <Dialog opened side size={620} title={data?.name ?? t('title')} onClose={onClose}>
      {error && !data ? (
        error.status === 404 ? (
          <p>{t('missing')}</p>
        ) : (
          <Problem code={error.code} onRetry={() => void refetch()} />
        )
      ) : data ? (
        <div className={styles.drawer}>
          <Actions audience={data} onDeleted={onClose} />
          <SegmentedField
            label={t('tab.label')}
            labelHidden
            options={drawerTabs.map(value => ({ value, label: t(`tab.${value}`) }))}
            value={tab}
            onChange={onTab}
          />
          <Tab audience={data} tab={tab} />
        </div>
      ) : (
        <PageLoading />
      )}
    </Dialog>
  )
}

function Tab({ audience, tab }: { audience: Audience; tab: DrawerTab }) {
  if (tab === 'shares') return <SharesTab audience={audience} />
  if (tab === 'uploads') return <UploadsTab id={audience.id} />
  if (tab === 'history') return <HistoryTab id={audience.id} />
  return <OverviewTab key={audience.id} audience={audience} />
}

function Actions({ audience, onDeleted }: { audience: Audience; onDeleted: () => void }) {
  const { t } = useTranslation('audiences')
  const [open, setOpen] = useState<'upload' | 'share' | 'delete' | null>(null)
  const close = () => setOpen(null)
  const { kind, status } = audience
  if (!audience.may_change && !audience.may_delete) return <p className={styles.quiet}>{t('only_read')}</p>
  return (
    <div className={styles.actions}>
      {audience.may_change && kind === 'customer_file' && (
        <Button
          leftSection={<IconUpload size={16} stroke={1.7} aria-hidden />}
          variant={status === 'ready' ? 'default' : 'filled'}
          onClick={() => setOpen('upload')}
        >
          {t('actions.upload')}
        </Button>
      )}
      {audience.may_change && kind !== 'ga4' && (
        <Button
          leftSection={<IconShare2 size={16} stroke={1.7} aria-hidden />}
          disabled={status !== 'ready'}
          onClick={() => setOpen('share')}
        >
          {t('actions.share')}
        </Button>
      )}
      {audience.may_delete && (
        <Button
          variant="subtle"
          color="red"
          leftSection={<IconTrash size={16} stroke={1.7} aria-hidden />}
          onClick={() => setOpen('delete')}
        >
          {t('actions.delete')}
        </Button>
      )}
      {open === 'upload' && <UploadDialog audience={audience} onClose={close} />}
      {open === 'share' && <ShareDialog audience={audience} onClose={close} />}
      {open === 'delete' && <DeleteDialog audience={audience} onDeleted={onDeleted} onClose={close} />}
    </div>
  )
}
