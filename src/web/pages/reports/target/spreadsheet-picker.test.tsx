// @vitest-environment happy-dom
import { QueryClient, QueryClientProvider } from '@tanstack/react-query'
import { fireEvent, screen } from '@testing-library/react'
import { describe, expect, it, onTestFinished, vi } from 'vitest'
import type { RecentSpreadsheet, RecentSpreadsheets } from '#shared/api/spreadsheets.ts'
import { client } from '#web/client/client.ts'
import { Problem } from '#web/client/problem.ts'
import { draw } from '#web/testing/render.tsx'
import { SpreadsheetPicker } from './spreadsheet-picker.tsx'

const URL = 'https://docs.google.com/spreadsheets/d/1AbCdEfGhIjKlMnOpQrStUvWxYz0123456789/edit'
const file: RecentSpreadsheet = {
  spreadsheet_url: URL,
  title: 'Weekly numbers',
  tabs: 3,
  last_used_at: new Date().toISOString(),
  reports: [
    { id: 1, name: 'One' },
    { id: 2, name: 'Two' },
  ],
  report_count: 5,
}

/** The list, opened; `respond` answers each request for it. */
function opened(respond: () => Promise<RecentSpreadsheets>) {
  const get = vi.spyOn(client, 'get').mockImplementation(respond as typeof client.get)
  onTestFinished(() => get.mockRestore())
  const onChoose = vi.fn<(url: string) => void>()
  draw(
    <QueryClientProvider client={new QueryClient({ defaultOptions: { queries: { retry: false } } })}>
      <SpreadsheetPicker isChosen={false} onChoose={onChoose} />
    </QueryClientProvider>,
  )
  expect(get).not.toHaveBeenCalled()
  fireEvent.click(screen.getByRole('button', { name: 'Choose a spreadsheet' }))
  return { onChoose, get }
}

describe('the list of one’s spreadsheets', () => {
  it('says what each has and which reports write there, and chooses its address', async () => {
    const { onChoose } = opened(async () => ({ results: [file], has_more: false }))
    const option = await screen.findByRole('option')
    expect(option.textContent).toBe('Weekly numbersUsed now · 3 tabs · “One”, “Two” and 3 more')
    screen.getByRole('listbox', { name: 'Your spreadsheets' })
    fireEvent.click(option)
    expect(onChoose).toHaveBeenCalledExactlyOnceWith(URL)
  })

  it('says when there are none', async () => {
    opened(async () => ({ results: [], has_more: false }))
    await screen.findByText(/There are none yet/)
    expect(screen.queryByRole('option')).toBeNull()
  })

  it('says that there are more than it shows', async () => {
    opened(async () => ({ results: [{ ...file, tabs: null, reports: [], report_count: 0 }], has_more: true }))
    expect((await screen.findByRole('option')).textContent).toBe('Weekly numbersUsed now')
    screen.getByText('There are more. Search for their name.')
  })

  it('is loading, may fail, and is then requested again', async () => {
    let fails = true
    const { get } = opened(async () => {
      if (fails) throw new Problem({ code: 'spreadsheet_unavailable', status: 503 })
      return { results: [file], has_more: false }
    })
    screen.getByText('Loading your spreadsheets…')
    await screen.findByRole('alert')
    fails = false
    fireEvent.click(screen.getByRole('button', { name: 'Try again' }))
    await screen.findByRole('option')
    expect(get).toHaveBeenCalledTimes(2)
  })
})
