import { useRef, useState, type FocusEvent, type KeyboardEvent, type RefObject } from 'react'
import type { FolderAction } from './folder-action.tsx'
import { treeMove } from './tree-keys.ts'
import type { TreeRow } from './tree-rows.ts'
import { showRow } from './tree-window.ts'

interface TreeKeysProps {
  rows: readonly TreeRow[]
  current: number | null
  scroller: RefObject<HTMLElement | null>
  onToggle: (id: number, open: boolean) => void
  onAction: (action: FolderAction) => void
}

/**
 * One line of the tree has the focus; arrows move it, F2 renames, Delete deletes, the menu key opens the
 * line's menu.
 */
export function useTreeKeys({ rows, current, scroller, onToggle, onAction }: TreeKeysProps) {
  const [chosen, setChosen] = useState<number | null>(null)
  const indexOf = (id: number | null) => rows.findIndex(row => row.id === id)
  const pendingFocus = useRef(0)
  const active = Math.max(0, indexOf(chosen) === -1 ? indexOf(current) : indexOf(chosen))

  /** Once the line is drawn. */
  function focusSoon(id: number) {
    pendingFocus.current = requestAnimationFrame(() =>
      document.getElementById(`folder-${id}`)?.focus({ preventScroll: true }),
    )
  }

  /** A focus that is still pending must not be taken from the form that opens now. */
  function begin(action: FolderAction) {
    cancelAnimationFrame(pendingFocus.current)
    onAction(action)
  }

  function focus(index: number) {
    const row = rows[index]
    if (!row) return
    setChosen(row.id)
    showRow(scroller.current, index)
    focusSoon(row.id)
  }

  function onKeyDown(event: KeyboardEvent) {
    // Keys in a menu or form that opens from the tree belong to that.
    if (!(event.target instanceof HTMLElement) || event.target.closest('[role="treeitem"]') === null) return
    const row = rows[active]
    if (!row || event.ctrlKey || event.metaKey || event.altKey) return
    const line = event.target.closest<HTMLElement>('[role="treeitem"]')
    const isOnLine = event.target === line || event.target.tagName === 'A'
    if (!isOnLine) return
    const { folder } = row
    if (event.key === 'Enter' || event.key === ' ') line?.querySelector('a')?.click()
    else if (event.key === 'F2' && folder) begin({ kind: 'rename', folder })
    else if (event.key === 'Delete' && folder) begin({ kind: 'delete', folder })
    else if (event.key === 'ContextMenu' || (event.key === 'F10' && event.shiftKey)) {
      line?.querySelector<HTMLElement>('[aria-haspopup="menu"]')?.click()
      // Without animations the menu opens at once, and would take this very key for one outside of it, which
      // closes it.
      event.stopPropagation()
    } else {
      const move = treeMove(rows, active, event.key)
      if (!move) return
      if ('to' in move) focus(move.to)
      else onToggle(row.id, move.expand)
    }
    event.preventDefault()
  }

  function onFocus(event: FocusEvent) {
    const line = event.target.closest<HTMLElement>('[role="treeitem"]')
    if (line) setChosen(Number(line.id.replace('folder-', '')))
  }

  return { active, focusSoon, begin, treeProps: { onKeyDown, onFocus } }
}
