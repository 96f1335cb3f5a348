import { useNavigate } from '@tanstack/react-router'
import { useEffect, useEffectEvent, useRef } from 'react'
import { palette } from '#web/app/layout.ts'
import { menuOf } from '#web/app/menu.ts'
import { useMe } from '#web/client/me.ts'
import { singleKeys } from '#web/client/single-keys.ts'

/** How long after G the next letter still belongs to it. */
const SEQUENCE_MS = 1500

/** Single letters as shortcuts, wherever nobody is typing and nothing is open over the page. */
export function useShortcuts(onHelp: () => void) {
  const me = useMe()
  const navigate = useNavigate()
  const goSince = useRef(Number.NEGATIVE_INFINITY)
  const onKey = useEffectEvent((event: KeyboardEvent) => {
    if (!singleKeys.get() || isOther(event) || isTyping(event.target) || isCovered()) return
    const isSequence = event.timeStamp - goSince.current < SEQUENCE_MS
    goSince.current = Number.NEGATIVE_INFINITY
    const key = event.key.toLowerCase()
    const page = menuOf(me)
      .flatMap(group => group.items)
      .find(item => 'go' in item && item.go === key)
    if (isSequence && page) void navigate({ to: page.to })
    else if (key === 'g') goSince.current = event.timeStamp
    else if (key === '?') onHelp()
    else if (key === 'n') void navigate({ to: '/gs-template/template', search: {} })
    else if (key === '/') search()
    else return
    // Firefox would open its own search.
    event.preventDefault()
  })
  useEffect(() => {
    const listen = (event: KeyboardEvent) => onKey(event)
    addEventListener('keydown', listen)
    return () => removeEventListener('keydown', listen)
  }, [])
}

/** The search of the page, or of everything where it has none. */
function search() {
  const fields = document.querySelectorAll<HTMLInputElement>('#content input[type="search"]')
  const field = [...fields].find(each => each.checkVisibility())
  if (field) field.focus()
  else palette.set(true)
}

const isOther = (event: KeyboardEvent) =>
  event.defaultPrevented ||
  event.repeat ||
  event.isComposing ||
  event.ctrlKey ||
  event.metaKey ||
  event.altKey

const isTyping = (target: EventTarget | null) =>
  target instanceof HTMLElement &&
  (target.isContentEditable || target.closest('input, textarea, select, [role="listbox"]') !== null)

const isCovered = () =>
  [...document.querySelectorAll('[role="dialog"], [role="menu"]')].some(each => each.checkVisibility())
