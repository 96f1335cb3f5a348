import { ActionIcon, TextInput } from '@mantine/core'
import { IconFolderPlus, IconSearch, IconTrash } from '@tabler/icons-react'
import { Link } from '@tanstack/react-router'
import { useRef, useState } from 'react'
import { information } from '#web/client/information.ts'
import { useTranslation } from '#web/i18n/use-translation.ts'
import { FormPopover } from '#web/ui/form-popover.tsx'
import { useFolders, type NamedFolder } from './data.ts'
import { useDrop } from './drag.ts'
import { FolderActionForm, type FolderAction } from './folder-action.tsx'
import styles from './folders.module.css'
import { treeRows } from './tree-rows.ts'
import { TreeRowLine } from './tree-row-line.tsx'
import { ROW_PX, useTreeWindow } from './tree-window.ts'
import { useTreeKeys } from './use-tree-keys.ts'
import { useListView } from './view.ts'

/** With more folders than this there is a field to find one. */
const FINDABLE = 20

interface FolderTreeProps {
  /** Runs everything in a folder. */
  onRun: (folder: NamedFolder) => void
}

/**
 * My folders in their two layers, as a tree for mouse, keyboard and screen readers. Of thousands only those
 * in view are drawn.
 */
export function FolderTree({ onRun }: FolderTreeProps) {
  const { t, language } = useTranslation('reports')
  const { t: tActions } = useTranslation('actions')
  const { view, change } = useListView()
  const folders = useFolders().data ?? []
  const [action, setAction] = useState<FolderAction | null>(null)
  const [search, setSearch] = useState('')
  const [toggled, setToggled] = useState<ReadonlyMap<number, boolean>>(new Map())
  const scroller = useRef<HTMLDivElement>(null)
  const dropOn = useDrop()

  // Among deleted reports no folder is the current one.
  const current = view.deleted ? null : view.p
  const rows = treeRows(folders, { root: t('folders.root'), language, current, toggled, search })
  const toggle = (id: number, open: boolean) => setToggled(was => new Map(was).set(id, open))
  const keys = useTreeKeys({ rows, current, scroller, onToggle: toggle, onAction: setAction })
  const { first, last } = useTreeWindow(scroller, rows.length)
  // The focused line is drawn even outside the window: a focus must not vanish.
  const drawn = rows
    .map((row, index) => ({ row, index }))
    .filter(({ index }) => (index >= first && index <= last) || index === keys.active)

  const subject = action && (action.kind === 'create' ? action.parent : action.folder)
  const at = rows.findIndex(({ id }) => id === subject?.id)
  const close = () => {
    // A press on the dialog that says what is wrong is one beside the form, which stays open to be corrected.
    if (information.get() !== null) return
    setAction(null)
    if (subject) keys.focusSoon(subject.id)
  }
  const done = (folder: number | null) => {
    if (action?.kind === 'create') {
      if (action.parent) toggle(action.parent.id, true)
      change({ p: folder ?? 0 })
    }
    if (action?.kind === 'delete' && isInside(folders, view.p, action.folder.id))
      change({ p: action.folder.parent ?? 0 })
  }
  const form = action && <FolderActionForm action={action} onDone={done} onClose={close} />

  return (
    <nav className={styles.tree} aria-label={t('folders.title')}>
      <div className={styles.head}>
        <h2>{t('folders.title')}</h2>
        <FormPopover<HTMLButtonElement> form={subject ? null : form} onClose={close}>
          {anchor => (
            <ActionIcon
              ref={anchor}
              onClick={() => keys.begin({ kind: 'create', parent: null })}
              aria-label={t('folders.create')}
              title={t('folders.create')}
            >
              <IconFolderPlus size={18} stroke={1.6} />
            </ActionIcon>
          )}
        </FormPopover>
      </div>
      {folders.length > FINDABLE && (
        <TextInput
          type="search"
          size="xs"
          className={styles.find}
          value={search}
          onChange={event => setSearch(event.currentTarget.value)}
          aria-label={tActions('tree.find')}
          placeholder={tActions('tree.find')}
          leftSection={<IconSearch size={14} stroke={1.6} aria-hidden />}
        />
      )}
      <div ref={scroller} className={styles.scroller}>
        <div
          role="tree"
          aria-label={t('folders.title')}
          className={styles.lines}
          style={{ height: rows.length * ROW_PX }}
          {...keys.treeProps}
        >
          {drawn.map(({ row, index }) => (
            <TreeRowLine
              key={row.id}
              row={row}
              top={index * ROW_PX}
              current={row.id === current}
              active={index === keys.active}
              drop={dropOn(row.id)}
              onToggle={open => toggle(row.id, open)}
              onAction={keys.begin}
              onRun={onRun}
            />
          ))}
        </div>
        <FormPopover<HTMLSpanElement> form={subject ? form : null} onClose={close}>
          {anchor => <span ref={anchor} className={styles.anchor} style={{ top: at * ROW_PX }} />}
        </FormPopover>
      </div>
      {search !== '' && rows.length === 1 && <p className={styles.none}>{tActions('tree.none_found')}</p>}
      <DeletedLink />
    </nav>
  )
}

/** Whether the shown folder is another one or inside it. */
const isInside = (folders: readonly NamedFolder[], current: number, outer: number) =>
  current === outer || folders.find(folder => folder.id === current)?.parent === outer

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
