import { useMemo, useState } from 'react'
import { useTranslation } from '#web/i18n/use-translation.ts'
import type { BlockEdits } from './block-edits.ts'
import type { Folds } from './folds.ts'

export type BlockActions = ReturnType<typeof useBlockActions>['actions']
export type BlockButton = 'handle' | 'up' | 'down' | 'copy' | 'remove' | 'accounts'

/** Which block it is, and its label at that moment. */
interface BlockPosition {
  index: number
  label: string
  /** How many blocks there are. */
  count: number
}

/**
 * The actions of a block's buttons. The same functions for as long as the language is, so that no card is
 * rendered anew for its neighbours.
 */
export function useBlockActions(edits: BlockEdits, folds: Folds['changes']) {
  const { t } = useTranslation('editor')
  /** What has just been done, for screen readers. */
  const [announcement, setAnnouncement] = useState('')
  const actions = useMemo(
    () => ({
      move({ index, label, count }: BlockPosition, to: number, button?: BlockButton) {
        if (index === to || to < 0 || to >= count) return
        edits.move(index, to)
        folds.move(index, to)
        setAnnouncement(t('block.moved', { label, place: to + 1, count }))
        if (button) focusLater(to, button)
      },
      duplicate({ index, label }: BlockPosition) {
        edits.duplicate(index)
        folds.duplicate(index)
        setAnnouncement(t('block.duplicated', { label }))
      },
      remove({ index, label, count }: BlockPosition) {
        edits.remove(index)
        folds.remove(index)
        setAnnouncement(t('block.removed', { label }))
        focusLater(Math.min(index, count - 2), 'remove')
      },
    }),
    [edits, folds, t],
  )
  return { actions, announcement }
}

export const blockId = (index: number) => `block-${index}`
export const buttonId = (index: number, button: BlockButton) => `${blockId(index)}-${button}`

/** A card may take this many frames until its fields are drawn. */
const MOST_FRAMES = 60

/**
 * After moving or removing a channel the focus stays with it or its neighbour; after adding one it goes to
 * its accounts. A focus that has moved elsewhere meanwhile is left alone.
 */
export function focusLater(index: number, button: BlockButton) {
  const before = document.activeElement
  const focusWhenDrawn = (frames: number) => {
    const active = document.activeElement
    if (active !== before && active !== document.body) return
    const block = document.getElementById(blockId(index))
    const target = document.getElementById(buttonId(index, button))
    if (target && !target.matches(':disabled')) target.focus()
    else if (block && frames > 0) requestAnimationFrame(() => focusWhenDrawn(frames - 1))
    else (block ?? document.getElementById('channels'))?.querySelector('button')?.focus()
  }
  requestAnimationFrame(() => focusWhenDrawn(MOST_FRAMES))
}
