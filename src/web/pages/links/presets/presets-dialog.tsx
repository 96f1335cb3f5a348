import { Button } from '@mantine/core'
import { IconPencil, IconPlus, IconTemplate, IconTrash } from '@tabler/icons-react'
import { useState } from 'react'
import { mayReach } from '#shared/access.ts'
import type { LinkPreset } from '#shared/api/links.ts'
import { useMe } from '#web/client/me.ts'
import { useReload } from '#web/client/use-reload.ts'
import { useTranslation } from '#web/i18n/use-translation.ts'
import { DeleteDialog } from '#web/pages/rows/delete-dialog.tsx'
import { PRESETS, usePresets } from '#web/pages/links/data.ts'
import styles from '#web/pages/links/links.module.css'
import { ActionMenu, type Action } from '#web/ui/action-menu.tsx'
import { DataTable, type Column } from '#web/ui/data-table.tsx'
import { Dialog } from '#web/ui/dialog.tsx'
import { EmptyState } from '#web/ui/empty-state.tsx'
import { Problem } from '#web/ui/problem.tsx'
import { TableLoading } from '#web/ui/table-loading.tsx'
import { EditPresetDrawer, NewPresetDrawer } from './preset-drawer.tsx'

type Open = { kind: 'new' } | { kind: 'edit' | 'delete'; preset: LinkPreset }

/** What links begin with: the presets of the agency and of one's advertisers. */
export function PresetsDialog({ onClose }: { onClose: () => void }) {
  const { t } = useTranslation('links')
  const [open, setOpen] = useState<Open | null>(null)
  const reload = useReload('links')
  const mayShare = mayReach(useMe(), 'manager')
  const close = () => setOpen(null)
  return (
    <Dialog opened onClose={onClose} title={t('presets.title')} size={760}>
      <div className={styles.presets}>
        <div className={styles.presetsHead}>
          <p className={styles.hint}>
            {t('presets.detail')} {!mayShare && t('presets.owner_hint_staff')}
          </p>
          <Button
            leftSection={<IconPlus size={16} stroke={1.7} aria-hidden />}
            onClick={() => setOpen({ kind: 'new' })}
          >
            {t('presets.new')}
          </Button>
        </div>
        <PresetList onOpen={setOpen} />
      </div>
      {open?.kind === 'new' && <NewPresetDrawer onClose={close} />}
      {open?.kind === 'edit' && (
        <EditPresetDrawer key={open.preset.id} preset={open.preset} onClose={close} />
      )}
      {open?.kind === 'delete' && (
        <DeleteDialog path={PRESETS} row={open.preset} onDeleted={() => void reload()} onClose={close} />
      )}
    </Dialog>
  )
}

function PresetList({ onOpen }: { onOpen: (open: Open) => void }) {
  const { t } = useTranslation('links')
  const presets = usePresets(null)
  const columns = useColumns(onOpen)
  if (presets.error)
    return <Problem code={presets.error.code} audience="internal" onRetry={() => void presets.refetch()} />
  if (!presets.data) return <TableLoading rows={6} />
  if (presets.data.length === 0)
    return <EmptyState icon={IconTemplate} title={t('presets.empty')} detail={t('presets.empty_detail')} />
  return (
    <DataTable
      label={t('presets.title')}
      columns={columns}
      rows={presets.data}
      rowKey={({ id }) => id}
      rowName={({ name }) => name}
    />
  )
}

function useColumns(onOpen: (open: Open) => void): Column<LinkPreset>[] {
  const { t } = useTranslation('links')
  return [
    {
      key: 'name',
      header: t('field.name'),
      cell: preset => (
        <>
          {preset.may_change ? (
            <button type="button" className={styles.open} onClick={() => onOpen({ kind: 'edit', preset })}>
              {preset.name}
            </button>
          ) : (
            preset.name
          )}
          <small className={styles.below}>
            {[preset.values.utm_source, preset.values.utm_medium].filter(Boolean).join(' / ')}
          </small>
        </>
      ),
    },
    {
      key: 'owner',
      header: t('presets.owner'),
      room: 'some',
      narrow: true,
      cell: ({ advertiser_name }) => advertiser_name ?? t('presets.agency'),
    },
    {
      key: 'platform',
      header: t('field.platform'),
      room: 'some',
      cell: ({ platform }) => (platform === null ? '–' : t(`platform.${platform}`)),
    },
    {
      key: 'actions',
      header: <span className={styles.hidden}>{t('action.actions')}</span>,
      align: 'end',
      width: '52px',
      cell: preset => <PresetMenu preset={preset} onOpen={onOpen} />,
    },
  ]
}

function PresetMenu({ preset, onOpen }: { preset: LinkPreset; onOpen: (open: Open) => void }) {
  const { t } = useTranslation('links')
  const actions: Action[] = []
  if (preset.may_change)
    actions.push({
      key: 'edit',
      label: t('action.edit'),
      icon: IconPencil,
      onClick: () => onOpen({ kind: 'edit', preset }),
    })
  if (preset.may_delete)
    actions.push({
      key: 'delete',
      label: t('action.delete'),
      icon: IconTrash,
      tone: 'danger',
      onClick: () => onOpen({ kind: 'delete', preset }),
    })
  if (actions.length === 0) return null
  return <ActionMenu label={t('action.actions_of', { name: preset.name })} actions={actions} size="sm" />
}
