// @vitest-environment happy-dom
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import type { IdentityReply } from '#shared/api/people.ts'
import { Me } from '#web/client/me.ts'
import { draw } from '#web/testing/render.tsx'
import { newDraft, type Draft } from './draft.ts'
import { useLocalDraft } from './use-local-draft.ts'

const saved = newDraft({ name: 'Saved', language: 'en', timezone: 'Asia/Taipei' })
const typed = { ...saved, name: 'Typed' }

interface EditorProps {
  draft: Draft
  unsaved: boolean
  lags?: boolean
}

function Editor({ draft, unsaved, lags = false }: EditorProps) {
  const { found, discard } = useLocalDraft({
    report: null,
    initial: saved,
    base: null,
    draft,
    unsaved,
    lags,
  })
  if (found === null) return <p>nothing found</p>
  return <button onClick={discard}>{found.content.draft.name}</button>
}

const me = { user_id: 7 } as IdentityReply
const editor = (props: EditorProps) => (
  <Me value={me}>
    <Editor {...props} />
  </Me>
)
const stored = () =>
  Object.keys(localStorage)
    .filter(key => key.startsWith('sheetcast.draft.7.new.'))
    .map(key => localStorage.getItem(key))
/** What the browser keeps for each tab is empty in another one. */
const inAnotherTab = () => sessionStorage.clear()
/** The tabs of this browser, as it says which locks are held. */
const withOpenTabs = (...tabs: (string | null)[]) =>
  vi.stubGlobal('navigator', {
    ...navigator,
    locks: {
      request: () => new Promise(() => {}),
      query: () => Promise.resolve({ held: tabs.map(tab => ({ name: `sheetcast-tab-${tab}` })) }),
    },
  })
const thisTab = () => sessionStorage.getItem('sheetcast.tab')

beforeEach(() => {
  localStorage.clear()
  sessionStorage.clear()
  withOpenTabs()
})
afterEach(() => vi.unstubAllGlobals())

describe('unsaved changes', () => {
  it('are stored once the page has caught up with what is typed, and what was stored stays until then', () => {
    const { rerender } = draw(editor({ draft: typed, unsaved: true, lags: true }))
    expect(stored()).toEqual([])
    rerender(editor({ draft: typed, unsaved: true }))
    expect(stored()).toEqual([expect.stringContaining('Typed')])
    rerender(editor({ draft: { ...saved, name: 'Next' }, unsaved: true, lags: true }))
    expect(stored()).toEqual([expect.stringContaining('Typed')])
    rerender(editor({ draft: { ...saved, name: 'Next' }, unsaved: true }))
    expect(stored()).toEqual([expect.stringContaining('Next')])
  })

  it('are offered by the next page', () => {
    draw(editor({ draft: typed, unsaved: true })).unmount()
    const { container } = draw(editor({ draft: saved, unsaved: false }))
    expect(container.textContent).toBe('Typed')
  })

  it('are removed once they are taken back', () => {
    const { rerender } = draw(editor({ draft: typed, unsaved: true }))
    rerender(editor({ draft: typed, unsaved: false }))
    expect(stored()).toEqual([])
  })

  it('of new reports in two tabs are stored and offered apart', async () => {
    const other = { ...saved, name: 'Typed in the other tab' }
    draw(editor({ draft: typed, unsaved: true })).unmount()
    const first = thisTab()
    inAnotherTab()
    withOpenTabs(first)
    const { container, rerender, unmount } = draw(editor({ draft: saved, unsaved: false }))
    rerender(editor({ draft: other, unsaved: true }))
    expect(stored()).toHaveLength(2)
    expect(container.textContent).toBe('nothing found')
    unmount()
    const again = draw(editor({ draft: saved, unsaved: false }))
    expect(again.container.textContent).toBe('Typed in the other tab')
  })

  it('of a tab that is gone are offered by the next one, and no longer once they are answered', async () => {
    draw(editor({ draft: typed, unsaved: true })).unmount()
    inAnotherTab()
    const { container, getByRole, unmount } = draw(editor({ draft: saved, unsaved: false }))
    await expect.poll(() => container.textContent).toBe('Typed')
    getByRole('button').click()
    await expect.poll(() => container.textContent).toBe('nothing found')
    expect(stored()).toEqual([])
    unmount()
  })
})
