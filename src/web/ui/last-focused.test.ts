// @vitest-environment happy-dom
import { expect, it } from 'vitest'
import { lastFocused, watchFocus } from './last-focused.ts'

it('is on the page itself, and not in what is over it', () => {
  watchFocus()
  document.body.innerHTML = `<button id="page"></button>
    <div role="dialog"><button id="dialog"></button></div>
    <div data-portal="true"><input id="list"></div>`
  for (const id of ['page', 'dialog', 'list']) {
    document.getElementById(id)?.focus()
    expect(document.activeElement?.id).toBe(id)
    expect(lastFocused()?.id).toBe('page')
  }
})
