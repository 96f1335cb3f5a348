import { IconChevronDown, IconChevronRight, IconFolder, IconFolderOpen, IconInbox } from '@tabler/icons-react'
import { Link } from '@tanstack/react-router'
import { useTranslation } from '#web/i18n/use-translation.ts'
import type { NamedFolder } from './data.ts'
import { dragOfFolder, type useDrop } from './drag.ts'
import type { FolderAction } from './folder-action.tsx'
import { FolderMenu } from './folder-menu.tsx'
import styles from './folders.module.css'
import type { TreeRow } from './tree-rows.ts'
import { useListView } from './view.ts'

interface TreeRowLineProps {
  row: TreeRow
  /** Pixels from the beginning of the tree. */
  top: number
  /** It is the folder that is open. */
  current: boolean
  /** The one line that Tab reaches. */
  active: boolean
  drop: ReturnType<ReturnType<typeof useDrop>>
  onToggle: (open: boolean) => void
  onAction: (action: FolderAction) => void
  onRun: (folder: NamedFolder) => void
}

/** A line of the tree: its link, how many reports are in it, and its menu. */
export function TreeRowLine({
  row,
  top,
  current,
  active,
  drop,
  onToggle,
  onAction,
  onRun,
}: TreeRowLineProps) {
  const { t } = useTranslation('actions')
  const { id, name, layer, folder, total, expanded } = row
  return (
    <div
      role="treeitem"
      id={`folder-${id}`}
      tabIndex={active ? 0 : -1}
      aria-level={layer}
      aria-posinset={row.position}
      aria-setsize={row.siblings}
      aria-selected={current}
      aria-label={folder ? t('tree.row', { name, count: total }) : name}
      {...(expanded !== null && { 'aria-expanded': expanded })}
      className={styles.row}
      style={{ transform: `translateY(${top}px)` }}
      {...drop}
    >
      {expanded !== null && <Chevron name={name} expanded={expanded} onToggle={onToggle} />}
      <RowLink row={row} current={current} />
      {folder && (
        <FolderMenu folder={folder} total={total} reachable={active} onAction={onAction} onRun={onRun} />
      )}
    </div>
  )
}

/** For the mouse; keys open and close by the arrows. */
function Chevron({
  name,
  expanded,
  onToggle,
}: {
  name: string
  expanded: boolean
  onToggle: (open: boolean) => void
}) {
  const { t } = useTranslation('actions')
  const Glyph = expanded ? IconChevronDown : IconChevronRight
  return (
    <button
      type="button"
      tabIndex={-1}
      className={styles.chevron}
      aria-label={t(expanded ? 'tree.collapse' : 'tree.expand', { name })}
      onClick={() => onToggle(!expanded)}
    >
      <Glyph size={14} stroke={2} aria-hidden />
    </button>
  )
}

function RowLink({
  row: { id, name, layer, folder, total, expanded },
  current,
}: {
  row: TreeRow
  current: boolean
}) {
  const { t } = useTranslation('reports')
  const { t: tActions } = useTranslation('actions')
  const { view } = useListView()
  const Glyph = folder === null ? IconInbox : current ? IconFolderOpen : IconFolder
  const inside =
    folder && expanded !== null
      ? tActions('tree.inside', { own: folder.reports, total })
      : t('folders.reports_in', { count: total })
  return (
    <Link
      to="/gs-template"
      search={{
        p: id,
        search: '',
        page: 1,
        // A folder that was clicked carries the filters along to the next one.
        ...(view.execution !== undefined && { execution: view.execution }),
      }}
      // aria-current is set below; the link by itself would also set it while something is filtered or
      // deleted.
      activeOptions={{ exact: true }}
      preload={false}
      tabIndex={-1}
      {...(folder && dragOfFolder(id))}
      className={styles.link}
      data-layer={layer}
      aria-current={current ? 'page' : undefined}
      title={name}
    >
      <Glyph size={17} stroke={1.6} aria-hidden />
      <span className={styles.name}>{name}</span>
      {total > 0 && (
        <span className={styles.count} title={inside}>
          {total}
        </span>
      )}
    </Link>
  )
}
