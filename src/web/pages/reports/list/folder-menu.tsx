import { IconFolderPlus, IconFolderSymlink, IconPencil, IconTrash } from '@tabler/icons-react'
import { useTranslation } from '#web/i18n/use-translation.ts'
import { ActionMenu } from '#web/ui/action-menu.tsx'
import type { NamedFolder } from './data.ts'
import type { FolderDeed } from './folder-deed.tsx'

const MAX_LAYER = 2

/** What can be done with a folder. */
export function FolderMenu({ folder, onDeed }: { folder: NamedFolder; onDeed: (deed: FolderDeed) => void }) {
  const { t } = useTranslation('reports')
  return (
    <ActionMenu
      label={t('folders.actions_of', { name: folder.name })}
      size="sm"
      actions={[
        {
          key: 'create',
          label: t('folders.create_in'),
          icon: IconFolderPlus,
          disabled: folder.layer >= MAX_LAYER,
          onClick: () => onDeed({ kind: 'create', parent: folder }),
        },
        {
          key: 'rename',
          label: t('folders.rename'),
          icon: IconPencil,
          onClick: () => onDeed({ kind: 'rename', folder }),
        },
        {
          key: 'move',
          label: t('folders.move'),
          icon: IconFolderSymlink,
          onClick: () => onDeed({ kind: 'move', folder }),
        },
        {
          key: 'delete',
          label: t('folders.delete'),
          icon: IconTrash,
          tone: 'danger',
          onClick: () => onDeed({ kind: 'delete', folder }),
        },
      ]}
    />
  )
}
