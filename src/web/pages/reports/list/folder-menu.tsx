import { IconFolderPlus, IconFolderSymlink, IconPencil, IconPlayerPlay, IconTrash } from '@tabler/icons-react'
import { useTranslation } from '#web/i18n/use-translation.ts'
import { ActionMenu } from '#web/ui/action-menu.tsx'
import type { NamedFolder } from './data.ts'
import type { FolderAction } from './folder-action.tsx'

const MAX_LAYER = 2

interface FolderMenuProps {
  folder: NamedFolder
  /** Reports in it and in its subfolders. */
  total: number
  /** Whether it can be reached by Tab. */
  reachable: boolean
  onAction: (action: FolderAction) => void
  onRun: (folder: NamedFolder) => void
}

/** The actions on a folder. */
export function FolderMenu({ folder, total, reachable, onAction, onRun }: FolderMenuProps) {
  const { t } = useTranslation('reports')
  const { t: tActions } = useTranslation('actions')
  return (
    <ActionMenu
      label={t('folders.actions_of', { name: folder.name })}
      size="sm"
      reachable={reachable}
      actions={[
        {
          key: 'run',
          label: tActions('run_folder'),
          icon: IconPlayerPlay,
          disabled: total === 0,
          onClick: () => onRun(folder),
        },
        {
          key: 'create',
          label: t('folders.create_in'),
          icon: IconFolderPlus,
          disabled: folder.layer >= MAX_LAYER,
          onClick: () => onAction({ kind: 'create', parent: folder }),
        },
        {
          key: 'rename',
          label: t('folders.rename'),
          icon: IconPencil,
          onClick: () => onAction({ kind: 'rename', folder }),
        },
        {
          key: 'move',
          label: t('folders.move'),
          icon: IconFolderSymlink,
          onClick: () => onAction({ kind: 'move', folder }),
        },
        {
          key: 'delete',
          label: t('folders.delete'),
          icon: IconTrash,
          tone: 'danger',
          onClick: () => onAction({ kind: 'delete', folder }),
        },
      ]}
    />
  )
}
