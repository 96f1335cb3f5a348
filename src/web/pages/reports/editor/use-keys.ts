import { useEffect, useEffectEvent } from 'react'

interface Keys {
  save: () => void
  undo: () => void
  redo: () => void
}

/** Ctrl or ⌘ with S saves, with Z undoes, with Shift Z or Y redoes. */
export function useKeys(actions: Keys) {
  const onPress = useEffectEvent((event: KeyboardEvent) => {
    const action = actionOf(event)
    if (action === null || (action !== 'save' && hasOwnUndo(event.target))) return
    event.preventDefault()
    actions[action]()
  })
  useEffect(() => {
    const listen = (event: KeyboardEvent) => onPress(event)
    addEventListener('keydown', listen)
    return () => removeEventListener('keydown', listen)
  }, [])
}

function actionOf({ key, ctrlKey, metaKey, altKey, shiftKey }: KeyboardEvent): keyof Keys | null {
  if (altKey || !(ctrlKey || metaKey)) return null
  switch (key.toLowerCase()) {
    case 's':
      return shiftKey ? null : 'save'
    case 'z':
      return shiftKey ? 'redo' : 'undo'
    case 'y':
      return shiftKey ? null : 'redo'
    default:
      return null
  }
}

/**
 * Inside a dialog the keys belong to the dialog, and letters typed into a search are no part of the report
 * yet.
 */
const hasOwnUndo = (target: EventTarget | null) =>
  target instanceof Element &&
  (target.closest('[role="dialog"]') !== null ||
    (target instanceof HTMLInputElement &&
      target.value !== '' &&
      (target.closest('[data-typing]') !== null || target.getAttribute('aria-expanded') === 'true')))
