import { useState, type FocusEvent, type InputEvent } from 'react'

type Field = HTMLInputElement | HTMLTextAreaElement

/**
 * Whether somebody has typed into one of the fields inside an element, which gets the handlers, and the text
 * is still there. What the page itself fills in does not count.
 */
export function useEnteredText() {
  const [fields] = useState(() => ({ before: new Map<Field, string>(), typed: new Set<Field>() }))
  return {
    handlers: {
      onFocus({ target }: FocusEvent) {
        if (isField(target) && !fields.before.has(target)) fields.before.set(target, target.value)
      },
      onInput({ target }: InputEvent) {
        if (isField(target)) fields.typed.add(target)
      },
    },
    hasText: () =>
      [...fields.typed].some(field => field.isConnected && field.value !== (fields.before.get(field) ?? '')),
  }
}

const isField = (target: EventTarget): target is Field =>
  target instanceof HTMLTextAreaElement ||
  (target instanceof HTMLInputElement && !['checkbox', 'radio', 'file'].includes(target.type))
