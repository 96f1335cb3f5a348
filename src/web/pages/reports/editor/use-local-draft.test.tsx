// @vitest-environment happy-dom
import { beforeEach, describe, expect, it } from 'vitest'
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
}

function Editor({ draft, unsaved }: EditorProps) {
  const { found } = useLocalDraft({ report: null, initial: saved, base: null, saved, draft, unsaved })
  return <p>{found?.content.draft.name ?? 'nothing found'}</p>
}

const me = { user_id: 7 } as IdentityReply
const editor = (props: EditorProps) => (
  <Me value={me}>
    <Editor {...props} />
  </Me>
)
const stored = () => localStorage.getItem('sheetcast.draft.7.new')

beforeEach(() => localStorage.clear())

describe('unsaved changes', () => {
  it('are stored once the draft has them, not while it lags behind what is typed', () => {
    const { rerender } = draw(editor({ draft: saved, unsaved: true }))
    expect(stored()).toBeNull()
    rerender(editor({ draft: typed, unsaved: true }))
    expect(stored()).toContain('Typed')
  })

  it('are offered by the next page', () => {
    draw(editor({ draft: typed, unsaved: true })).unmount()
    const { container } = draw(editor({ draft: saved, unsaved: false }))
    expect(container.textContent).toBe('Typed')
  })

  it('are removed once they are taken back', () => {
    const { rerender } = draw(editor({ draft: typed, unsaved: true }))
    rerender(editor({ draft: typed, unsaved: false }))
    expect(stored()).toBeNull()
  })
})
