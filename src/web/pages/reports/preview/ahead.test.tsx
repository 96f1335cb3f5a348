// @vitest-environment happy-dom
import { act, fireEvent, screen, waitFor } from '@testing-library/react'
import { useState } from 'react'
import { expect, it } from 'vitest'
import { newDraft, type Draft } from '#web/pages/reports/editor/draft.ts'
import { drawFor } from '#web/testing/draw-for.tsx'
import { serve } from '#web/testing/fake-server.ts'
import { usePreview, usePreviewAhead } from './data.ts'

const initial: Draft = {
  ...newDraft({ name: 'R', language: 'en', timezone: 'UTC' }),
  channels: [
    { channel: 'fb', label: null, accounts: [1], metrics: ['cost'], filters: [], on_error: 'leave_empty' },
  ],
}
const [block] = initial.channels

const drafts: Record<string, Partial<Draft>> = {
  'fill with 0': { fill_zero: true },
  'five rows': { limit: 5 },
  'nine rows': { limit: 9 },
  'another metric': { channels: block ? [{ ...block, metrics: ['cost', 'clicks'] }] : [] },
}

function Page() {
  const [draft, setDraft] = useState(initial)
  usePreviewAhead({ draft, base: null })
  const { preview, is_behind } = usePreview({ draft, base: null })
  return (
    <>
      {Object.entries(drafts).map(([name, change]) => (
        <button key={name} type="button" onClick={() => setDraft(before => ({ ...before, ...change }))}>
          {name}
        </button>
      ))}
      <output>{preview && !is_behind ? 'current' : 'behind'}</output>
      <p data-testid="limit">{draft.limit}</p>
    </>
  )
}

it('sends a change of arrangement at once, one at a time, and what asks platforms after a pause', async () => {
  const responses: PromiseWithResolvers<object>[] = []
  let drawnWhenSent: string | null = null
  const calls = serve({
    'POST /api/gs-template-setting/preview/': () => {
      drawnWhenSent = screen.getByTestId('limit').textContent
      const response = Promise.withResolvers<object>()
      responses.push(response)
      return response.promise
    },
  })
  const sentAtOnce = (name: string) => {
    const before = calls.length
    fireEvent.click(screen.getByRole('button', { name }))
    return calls.slice(before).map(({ body }) => body)
  }
  const answer = async () => {
    await act(async () => responses.at(-1)?.resolve({ rows: [] }))
    await screen.findByText('current')
  }
  drawFor(<Page />)
  expect(sentAtOnce('fill with 0')).toEqual([])
  await waitFor(() => expect(calls).toHaveLength(2))
  await answer()
  expect(sentAtOnce('five rows')).toEqual([expect.objectContaining({ fill_zero: true, limit: 5 })])
  // Not even the change itself is drawn before.
  expect(drawnWhenSent).toBe('')
  // Its response is still missing.
  expect(sentAtOnce('nine rows')).toEqual([])
  await waitFor(() => expect(calls).toHaveLength(4))
  await answer()
  expect(sentAtOnce('another metric')).toEqual([])
  await waitFor(() => expect(calls).toHaveLength(5))
  expect(calls.slice(3).map(({ body }) => body)).toMatchObject([
    { limit: 9, channels: [{ metrics: ['cost'] }] },
    { limit: 9, channels: [{ metrics: ['cost', 'clicks'] }] },
  ])
})
