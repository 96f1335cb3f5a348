import { useCallback, useLayoutEffect, useMemo, useRef, useState, type KeyboardEvent } from 'react'
import { showToast } from '#web/client/toasts.ts'
import { useTranslation } from '#web/i18n/use-translation.ts'
import type { LineDraft } from './draft.ts'
import { withCopy, withLine, withMove } from './use-draft.ts'

export const MOST_LINES = 100

export type ChangeLines = (next: (lines: readonly LineDraft[]) => readonly LineDraft[]) => void

/** What can be done with the lines by buttons and keys. */
export function useLines(lines: readonly LineDraft[], change: ChangeLines) {
  const { t } = useTranslation('quotation')
  const ref = useRef<HTMLDivElement>(null)
  const [announcement, setAnnouncement] = useState('')
  const latest = useRef(lines)
  /** Where the focus goes once the lines are drawn anew: a field of the line at an index. */
  const next = useRef<{ index: number; field: string } | null>(null)
  useLayoutEffect(() => {
    latest.current = lines
    const target = next.current
    if (target === null) return
    next.current = null
    focusCell(ref.current, target.index, target.field)
  }, [lines])

  const add = useCallback(
    (after?: number) => {
      const { length } = latest.current
      if (length >= MOST_LINES) return
      const index = after ?? length - 1
      next.current = { index: index + 1, field: 'title' }
      change(before => withLine(before, index))
    },
    [change],
  )
  // The same object for as long as the page is open, so that lines are not drawn again because of it.
  const actions = useMemo(() => {
    const indexOf = (key: number) => latest.current.findIndex(line => line.key === key)
    return {
      move(key: number, by: -1 | 1, field = 'menu') {
        const index = indexOf(key)
        if (latest.current[index + by] === undefined) return
        next.current = { index: index + by, field }
        change(before => withMove(before, index, by))
        setAnnouncement(t('lines.moved', { number: index + 1, place: index + by + 1 }))
      },
      duplicate(key: number) {
        const index = indexOf(key)
        if (latest.current.length >= MOST_LINES) return
        next.current = { index: index + 1, field: 'title' }
        change(before => withCopy(before, index))
      },
      remove(key: number) {
        const index = indexOf(key)
        const line = latest.current[index]
        if (!line) return
        next.current = { index: Math.min(index, latest.current.length - 2), field: 'menu' }
        change(before => before.filter(other => other.key !== key))
        showToast({
          severity: 'info',
          message: t('lines.deleted', { number: index + 1 }),
          action: {
            label: t('lines.undo'),
            onClick: () => change(before => before.toSpliced(Math.min(index, before.length), 0, line)),
          },
        })
      },
    }
  }, [change, t])

  function onKeyDown(event: KeyboardEvent<HTMLElement>) {
    const target = event.target instanceof HTMLElement ? event.target : null
    const key = Number(target?.closest<HTMLElement>('[data-line]')?.dataset.line ?? Number.NaN)
    const field = target?.closest<HTMLElement>('[data-field]')?.dataset.field
    const index = lines.findIndex(line => line.key === key)
    if (index < 0 || event.defaultPrevented) return
    if (event.altKey && (event.key === 'ArrowUp' || event.key === 'ArrowDown')) {
      event.preventDefault()
      actions.move(key, event.key === 'ArrowUp' ? -1 : 1, field)
    } else if (event.key === 'Enter' && (event.ctrlKey || event.metaKey)) {
      event.preventDefault()
      add(index)
    } else if (event.key === 'Enter' && target instanceof HTMLInputElement && field !== undefined) {
      event.preventDefault()
      focusCell(ref.current, index + (event.shiftKey ? -1 : 1), field)
    }
  }

  return { ref, add, actions, onKeyDown, announcement }
}

function focusCell(grid: HTMLElement | null, index: number, field: string) {
  const line = grid?.querySelectorAll<HTMLElement>('[data-line]')[index]
  const cell = line?.querySelector<HTMLElement>(`[data-field="${field}"] :is(input, select, button)`)
  const control = cell ?? line?.querySelector<HTMLElement>('[aria-haspopup="menu"]')
  control?.focus()
  if (control instanceof HTMLInputElement) control.select()
}
