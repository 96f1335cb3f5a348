import { useCallback, useReducer } from 'react'
import { isSame, type Draft, type DraftField } from './draft.ts'
import { changed, differing, historyOf, redone, rewritten, undone, type History } from './history.ts'

/** Some fields, or a function of the current draft: two changes at once do not lose each other. */
export type DraftChange = Partial<Draft> | ((draft: Draft) => Partial<Draft>)

type Action =
  | { kind: 'change'; change: DraftChange; at_ms: number }
  | { kind: 'undo' }
  | { kind: 'redo' }
  | { kind: 'saved'; sent: Draft; saved: Draft }
  | { kind: 'begin'; draft: Draft }

/** The draft of an editor, with undo and redo. */
export function useDraft(initial: Draft) {
  const [history, act] = useReducer(next, initial, historyOf)
  const change = useCallback(
    (draftChange: DraftChange) => act({ kind: 'change', change: draftChange, at_ms: Date.now() }),
    [],
  )
  return {
    draft: history.present,
    change,
    /** What was typed during the save is kept, and still unsaved. */
    saved: (sent: Draft, saved: Draft) => act({ kind: 'saved', sent, saved }),
    /** Another draft, without undo. */
    begin: (draft: Draft) => act({ kind: 'begin', draft }),
    can_undo: history.past.length > 0,
    can_redo: history.future.length > 0,
    undo: () => step(undone(history), { kind: 'undo' }),
    redo: () => step(redone(history), { kind: 'redo' }),
  }

  /** Returns which fields it has changed. */
  function step(after: History, action: Action): DraftField[] {
    act(action)
    return differing(history.present, after.present)
  }
}

function next(history: History, action: Action): History {
  switch (action.kind) {
    case 'change': {
      const { change, at_ms } = action
      return changed(history, typeof change === 'function' ? change(history.present) : change, at_ms)
    }
    case 'undo':
      return undone(history)
    case 'redo':
      return redone(history)
    case 'saved':
      return isSame(history.present, action.sent) ? rewritten(history, action.saved) : history
    case 'begin':
      return historyOf(action.draft)
  }
}
