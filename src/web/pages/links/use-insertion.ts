import { useRef, useState } from 'react'
import { flushSync } from 'react-dom'
import type { UtmField } from '#shared/links/parameters.ts'

interface Insertion {
  /** Fields that are written freely. */
  free: readonly UtmField[]
  valueOf: (field: UtmField) => string
  onChange: (field: UtmField, value: string) => void
}

/**
 * Puts texts where the cursor was last in one of several fields; before it was in any, at the end of the
 * campaign.
 */
export function useInsertion({ free, valueOf, onChange }: Insertion) {
  const inputs = useRef(new Map<UtmField, HTMLInputElement>())
  const [focused, setFocused] = useState<UtmField>('utm_campaign')
  const target = [focused, 'utm_campaign' as const, 'utm_content' as const, ...free].find(field =>
    free.includes(field),
  )
  function insert(text: string) {
    if (target === undefined) return
    const value = valueOf(target)
    const input = inputs.current.get(target)
    const [start, end] = [input?.selectionStart ?? value.length, input?.selectionEnd ?? value.length]
    // The cursor can only be set behind a text that is there.
    flushSync(() => onChange(target, value.slice(0, start) + text + value.slice(end)))
    input?.focus()
    input?.setSelectionRange(start + text.length, start + text.length)
  }
  return {
    /** Where the next one goes; undefined: nowhere. */
    target,
    insert,
    inputOf: (field: UtmField) => ({
      ref: (input: HTMLInputElement | null) => {
        if (input) inputs.current.set(field, input)
        else inputs.current.delete(field)
      },
      onFocus: () => setFocused(field),
    }),
  }
}
