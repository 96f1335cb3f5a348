// In pages that the server has drawn, the only script until they are painted: what a page is made of must
// not take the line from what it shows. No import: this file is loaded as a plain script.

declare global {
  /** Called once React has taken over the elements of the page itself. */
  var takenOver: (() => void) | undefined
}

// A plain script's names would be everybody's.
;(() => {
  const { main = '', files = '' } = document.currentScript?.dataset ?? {}

  /** However long the first paint takes: somebody may be looking elsewhere meanwhile. */
  const MOST_MS = 3000

  function load() {
    for (const href of files.split(' ').filter(Boolean)) {
      const link = document.createElement('link')
      Object.assign(link, { rel: 'modulepreload', href, crossOrigin: '' })
      document.head.append(link)
    }
    void import(/* @vite-ignore */ main)
  }

  function whenPainted() {
    const isEmpty = document.getElementById('root')?.childElementCount === 0
    // A page in the background is not painted.
    if (isEmpty || document.hidden || !PerformanceObserver.supportedEntryTypes.includes('paint'))
      return load()
    const painted = Promise.withResolvers<void>()
    // The very first paint has the colour of the page alone.
    new PerformanceObserver(
      list => list.getEntriesByName('first-contentful-paint').length > 0 && painted.resolve(),
    ).observe({ type: 'paint', buffered: true })
    setTimeout(painted.resolve, MOST_MS)
    void painted.promise.then(load)
  }

  if (document.readyState === 'loading') addEventListener('DOMContentLoaded', whenPainted)
  else whenPainted()
})()

;(() => {
  // The server knows no colours of a browser that was never here.
  const { dataset } = document.documentElement
  const chosen = localStorage.getItem('sheetcast.theme') ?? 'auto'
  const ofSystem = matchMedia('(prefers-color-scheme: dark)').matches ? 'dark' : 'light'
  dataset.mantineColorScheme ??= chosen === 'auto' ? ofSystem : chosen

  // What somebody does before React listens happens once it does. Links work by themselves, unless leaving
  // would lose what has been typed.
  type Field = HTMLInputElement | HTMLTextAreaElement
  const FIELDS = 'textarea, input:not([type=checkbox], [type=radio], [type=hidden], [type=file])'
  const CONTROLS =
    '#root :is(a, label, button, summary, [role=tab], [role=option], [role=switch], [role=treeitem])'
  let clicked: (() => HTMLElement | null) | null = null
  const boxes = new Map<Element, { find: () => HTMLInputElement | null; checked: boolean }>()
  const typed = new Map<Field, { find: () => Field | null; value: string }>()
  const pressed: { find: () => HTMLElement | null; key: KeyboardEventInit }[] = []

  function holdClick(event: MouseEvent) {
    if (!(event.target instanceof Element)) return
    if (event.target.closest('a[href]') && (typed.size === 0 || event.ctrlKey || event.metaKey)) return
    if (event.target instanceof HTMLInputElement && /checkbox|radio/.test(event.target.type)) {
      // It looks as it will be.
      boxes.set(event.target, { find: placed(event.target), checked: event.target.checked })
      return
    }
    const control = event.target.closest<HTMLElement>(CONTROLS)
    // A label passes the click on to its box.
    if (control === null || control instanceof HTMLLabelElement) return
    event.preventDefault()
    event.stopPropagation()
    clicked = placed(control)
  }

  /** What is typed is held as such, and by these keys a browser clicks or moves on itself. */
  function noteKey({ target, key, code, ctrlKey, metaKey, shiftKey }: KeyboardEvent) {
    if (!(target instanceof HTMLElement) || /^( |Enter|Tab|Shift|Control|Alt|Meta)$/.test(key)) return
    if (key.length === 1 && !ctrlKey && !metaKey && target.matches(FIELDS)) return
    pressed.push({
      find: placed(target),
      key: { key, code, ctrlKey, metaKey, shiftKey, bubbles: true, cancelable: true },
    })
  }

  /** Finds it again, also where React has drawn everything anew: as what is in the same place. */
  function placed<Found extends HTMLElement>(element: Found): () => Found | null {
    const way: number[] = []
    for (let at: Element = element; at.id !== 'root' && at.parentElement; at = at.parentElement)
      way.unshift([...at.parentElement.children].indexOf(at))
    return () => {
      if (element.isConnected) return element
      let at = document.getElementById('root') ?? undefined
      for (const place of way) at = at?.children[place] as HTMLElement | undefined
      return at?.tagName === element.tagName ? (at as Found) : null
    }
  }

  function noteTyped({ target }: Pick<Event, 'target'>) {
    const field = target instanceof Element ? target.closest<Field>(FIELDS) : null
    if (field) typed.set(field, { find: placed(field), value: field.value })
  }

  /** What was typed before this script was there. */
  function noteEarlier() {
    for (const target of document.querySelectorAll<Field>(`#root :is(${FIELDS})`))
      if (target.value !== target.defaultValue) noteTyped({ target })
  }

  addEventListener('click', holdClick, true)
  addEventListener('input', noteTyped, true)
  addEventListener('keydown', noteKey, true)

  globalThis.takenOver = () => {
    globalThis.takenOver = undefined
    removeEventListener('click', holdClick, true)
    removeEventListener('input', noteTyped, true)
    removeEventListener('keydown', noteKey, true)
    for (const { find, value } of typed.values()) typeAgain(find(), value)
    // Once the page has drawn what was typed.
    setTimeout(() => {
      for (const { find, checked } of boxes.values()) checkAgain(find(), checked)
      clicked?.()?.click()
      for (const { find, key } of pressed) find()?.dispatchEvent(new KeyboardEvent('keydown', key))
    })
  }

  function checkAgain(box: HTMLInputElement | null, checked: boolean) {
    if (box === null) return
    if (box.checked === checked) box.checked = !checked
    box.click()
  }

  /** React takes a value for typed only when it differs from the one that it has set. */
  function typeAgain(field: Field | null, value: string) {
    if (field === null) return
    field.value = ''
    Object.getOwnPropertyDescriptor(Object.getPrototypeOf(field), 'value')?.set?.call(field, value)
    field.dispatchEvent(new Event('input', { bubbles: true }))
  }

  if (document.readyState === 'loading') addEventListener('DOMContentLoaded', noteEarlier)
  else noteEarlier()
})()
