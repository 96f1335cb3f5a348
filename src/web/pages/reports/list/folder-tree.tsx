import { ActionIcon, Popover } from '@mantine/core'
import '@mantine/core/styles/Popover.layer.css'
import { IconFolder, IconFolderOpen, IconFolderPlus, IconInbox, IconTrash } from '@tabler/icons-react'
import { Link } from '@tanstack/react-router'
import { useState, type KeyboardEvent, type ReactNode } from 'react'
import { useTranslation } from '#web/i18n/use-translation.ts'
import { useFolders, type NamedFolder } from './data.ts'
import { FolderDeedForm, type FolderDeed } from './folder-deed.tsx'
import { FolderMenu } from './folder-menu.tsx'
import { dragOf, useDrop } from './drag.ts'
import styles from './folders.module.css'
import { useListView } from './view.ts'

/** My folders in their two layers. Each is a link; its deeds are in its menu, or F2 renames and Delete deletes. */
export function FolderTree() {
  const { t } = useTranslation('reports')
  const { view, change } = useListView()
  const folders = useFolders().data ?? []
  const [deed, setDeed] = useState<FolderDeed | null>(null)
  const close = () => setDeed(null)
  const done = (folder: number | null) => {
    if (deed?.kind === 'create') change({ p: folder ?? 0 })
    if (deed?.kind === 'delete' && isInside(folders, view.p, deed.folder.id))
      change({ p: deed.folder.parent ?? 0 })
  }
  // Among what was deleted no folder is the present one.
  const shown = view.deleted ? null : view.p
  const form = deed && <FolderDeedForm deed={deed} onDone={done} onClose={close} />
  const rows = folders
    .filter(folder => folder.parent === null)
    .flatMap(folder => [folder, ...folders.filter(child => child.parent === folder.id)])

  return (
    <nav className={styles.tree} aria-label={t('folders.title')}>
      <div className={styles.head}>
        <h2>{t('folders.title')}</h2>
        <DeedPopover
          form={deed?.kind === 'create' && deed.parent === null ? form : null}
          onClose={close}
          target={
            <ActionIcon
              onClick={() => setDeed({ kind: 'create', parent: null })}
              aria-label={t('folders.create')}
              title={t('folders.create')}
            >
              <IconFolderPlus size={18} stroke={1.6} />
            </ActionIcon>
          }
        />
      </div>
      <ul>
        <li>
          <FolderLink id={0} name={t('folders.root')} current={shown} layer={1} />
        </li>
        {rows.map(folder => (
          <li key={folder.id}>
            <DeedPopover
              form={deed && folderOf(deed)?.id === folder.id ? form : null}
              onClose={close}
              target={
                <FolderRow folder={folder} current={shown} onDeed={setDeed}>
                  <FolderMenu folder={folder} onDeed={setDeed} />
                </FolderRow>
              }
            />
          </li>
        ))}
        <li>
          <DeletedLink />
        </li>
      </ul>
    </nav>
  )
}

const folderOf = (deed: FolderDeed) => (deed.kind === 'create' ? deed.parent : deed.folder)

/** Whether the folder that is shown is another one or lies in it. */
const isInside = (folders: readonly NamedFolder[], shown: number, outer: number) =>
  shown === outer || folders.find(folder => folder.id === shown)?.parent === outer

function DeedPopover({ form, target, onClose }: { form: ReactNode; target: ReactNode; onClose: () => void }) {
  return (
    <Popover
      opened={Boolean(form)}
      onChange={opened => !opened && onClose()}
      position="bottom-start"
      width={290}
      trapFocus
      returnFocus
      withRoles={false}
    >
      <Popover.Target>
        <div>{target}</div>
      </Popover.Target>
      <Popover.Dropdown role="dialog">{form}</Popover.Dropdown>
    </Popover>
  )
}

interface FolderRowProps {
  folder: NamedFolder
  current: number | null
  onDeed: (deed: FolderDeed) => void
  children: ReactNode
}

function FolderRow({ folder, current, onDeed, children }: FolderRowProps) {
  const keys: Record<string, FolderDeed> = {
    F2: { kind: 'rename', folder },
    Delete: { kind: 'delete', folder },
  }
  function onKey(event: KeyboardEvent) {
    const deed = keys[event.key]
    if (deed) onDeed(deed)
  }
  return (
    <div className={styles.row} role="presentation" onKeyDown={onKey}>
      <FolderLink
        id={folder.id}
        name={folder.name}
        current={current}
        layer={folder.layer}
        count={folder.reports}
      />
      {children}
    </div>
  )
}

interface FolderLinkProps {
  id: number
  name: string
  current: number | null
  layer: number
  count?: number
}

function FolderLink({ id, name, current, layer, count }: FolderLinkProps) {
  const { t } = useTranslation('reports')
  const isCurrent = id === current
  const drop = useDrop(id === 0 ? null : id)
  const Glyph = id === 0 ? IconInbox : isCurrent ? IconFolderOpen : IconFolder
  return (
    <Link
      to="/gs-template"
      search={{ p: id, search: '', page: 1 }}
      // What is present is said below; by itself the link would also be while something is filtered or deleted.
      activeOptions={{ exact: true }}
      {...drop}
      {...(id !== 0 && dragOf('folder', id))}
      className={styles.link}
      data-layer={layer}
      aria-current={isCurrent ? 'page' : undefined}
    >
      <Glyph size={17} stroke={1.6} aria-hidden />
      <span className={styles.name}>{name}</span>
      {count !== undefined && count > 0 && (
        <span className={styles.count} title={t('folders.reports_in', { count })}>
          {count}
        </span>
      )}
    </Link>
  )
}

/** Reports stay for 30 days after they were deleted. */
function DeletedLink() {
  const { t } = useTranslation('reports')
  const { view } = useListView()
  return (
    <Link
      to="/gs-template"
      search={{ p: 0, search: '', page: 1, deleted: true }}
      className={styles.link}
      aria-current={view.deleted ? 'page' : undefined}
    >
      <IconTrash size={17} stroke={1.6} aria-hidden />
      <span className={styles.name}>{t('deleted.title')}</span>
    </Link>
  )
}
