import { useEffect } from 'react'
import { onTestFinished, vi } from 'vitest'
import type { AdAccount } from '#shared/api/ad-accounts.ts'
import type { Meanings } from '#shared/block-catalogue.ts'
import { accountChannelOf } from '#shared/channels/all.ts'
import type { Channel } from '#shared/channels/catalogue.ts'
import { ChannelsSection } from '#web/pages/reports/editor/channels-section.tsx'
import type { Draft } from '#web/pages/reports/editor/draft.ts'
import { TableSection } from '#web/pages/reports/editor/table-section.tsx'
import { useEditor } from '#web/pages/reports/editor/use-editor.ts'
import { drawFor } from '#web/testing/draw-for.tsx'
import { listOf, serve, type Call } from '#web/testing/fake-server.ts'
import { testKnown } from './known.ts'

interface Agency {
  accounts: readonly AdAccount[]
  meanings?: Partial<Meanings>
}

/** The sections of a report's numbers and columns; returned is the draft as it is by now. */
export function drawEditor(initial: Draft, { accounts, meanings }: Agency): () => Draft {
  const known = testKnown(accounts, meanings)
  serve({
    'GET /api/ad/gs_meanings/': { meanings: known.meanings, currencies: known.currencies },
    'GET /api/ad/account/': ({ query }: Call) => {
      const channel = accountChannelOf(query?.['channel'] as Channel)
      return listOf(accounts.filter(account => account.channel === channel))
    },
  })
  // The tabs of a browser are told apart by its locks, of which this one has none.
  const locks = { request: async () => {}, query: async () => ({ held: [] }) }
  vi.stubGlobal('navigator', { ...navigator, userAgent: navigator.userAgent, locks })
  onTestFinished(() => {
    localStorage.clear()
    vi.unstubAllGlobals()
  })
  const onDraft = vi.fn<(draft: Draft) => void>()
  function Page() {
    const editor = useEditor({ report: null, initial, folder: null })
    const { draft, settled, editing } = editor
    useEffect(() => onDraft(draft), [draft])
    const table = { ...draft, several: draft.channels.length > 1, buckets: null, sorted: draft }
    return (
      <>
        <ChannelsSection
          {...draft}
          dimensions={settled.dimensions}
          known={editor.known}
          current={null}
          editing={editing}
        />
        <TableSection {...table} range={november} known={editor.known} editing={editing} />
      </>
    )
  }
  drawFor(<Page />)
  return () => onDraft.mock.lastCall?.[0] ?? initial
}

const november = { start: '2026-11-01', end: '2026-11-20' }
