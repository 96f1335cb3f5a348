// @vitest-environment happy-dom
import { screen, within } from '@testing-library/react'
import { userEvent } from '@testing-library/user-event'
import { describe, expect, it } from 'vitest'
import type { IdentityName } from '#shared/access.ts'
import { Problem } from '#web/client/problem.ts'
import { drawAt } from '#web/testing/draw-for.tsx'
import { changesIn, listOf, serve } from '#web/testing/fake-server.ts'
import { northern } from './testing/samples.ts'
import { Agents } from './agents.tsx'

const user = userEvent
const firstPage = { search: '', page: 1 }
const closed = {
  ...northern,
  id: 6,
  name: 'Closed',
  is_active: false,
  tax_id: '',
  contacts: [],
  advertisers: 0,
}

function drawn(
  search: object,
  answers: Readonly<Record<string, unknown>> = {},
  identity: IdentityName = 'manager',
) {
  const calls = serve({ 'GET /api/agent/': listOf([northern, closed]), ...answers })
  const went = drawAt(
    <Agents />,
    { path: '/customer/agent', search: { ...firstPage, ...search } },
    { identity },
  )
  return { went, calls, changes: () => changesIn(calls).map(({ body }) => body) }
}
const dialog = async (name: string) => within(await screen.findByRole('dialog', { name }))

describe('the list of agents', () => {
  it('marks those that are inactive, and leads to the advertisers of one', async () => {
    drawn({})
    const row = within(await screen.findByRole('row', { name: /^Closed/ }))
    expect(row.getByText('Inactive').textContent).toBe('Inactive')
    expect(row.queryByRole('link')).toBeNull()
    const active = within(screen.getByRole('row', { name: /^Northern Media/ }))
    expect(active.queryByText('Inactive')).toBeNull()
    expect(active.getByRole('link', { name: '1' }).getAttribute('href')).toMatch(
      /^\/customer\/advertiser\?.*agent=5$/,
    )
    expect(active.getByText('amy@example.com').textContent).toBe('amy@example.com')
  })

  it('is filtered by whether they are active', async () => {
    const { went } = drawn({ page: 2 })
    await user.click(await screen.findByRole('combobox', { name: 'Status' }))
    await user.click(await screen.findByRole('option', { name: 'Active' }))
    expect(went).toMatchObject([{ search: { is_active: true, page: 1 } }])
  })

  it('leads back where none is found', async () => {
    const { went } = drawn({ is_active: false }, { 'GET /api/agent/': listOf([]) })
    await user.click(await screen.findByRole('button', { name: 'Clear filters' }))
    expect(went).toMatchObject([{ search: { search: '', page: 1 } }])
  })

  it('says how to begin where there is none', async () => {
    drawn({}, { 'GET /api/agent/': listOf([]) })
    await screen.findByText('No agents yet')
    const [, second] = screen.getAllByRole('button', { name: 'New agent' })
    if (second) await user.click(second)
    const form = await dialog('New agent')
    expect(form.getByRole<HTMLInputElement>('textbox', { name: 'Name' }).value).toBe('')
  })

  it('can be asked for again after a failure', async () => {
    const answers: unknown[] = [new Problem({ code: 'forbidden', status: 403 }), listOf([northern])]
    drawn({}, { 'GET /api/agent/': () => answers.shift() })
    await user.click(await screen.findByRole('button', { name: 'Try again' }))
    await screen.findByRole('row', { name: /^Northern Media/ })
    expect(screen.queryByRole('alert')).toBeNull()
  })
})

describe('the open agent', () => {
  it('is closed by leaving its address', async () => {
    const { went } = drawn({ agent: 5 }, { 'GET /api/agent/5/': northern })
    const drawer = await dialog('Northern Media')
    await user.click(drawer.getByRole('button', { name: 'Cancel' }))
    expect(went).toMatchObject([{ search: { search: '', page: 1 } }])
  })

  it('says so when there is none', async () => {
    drawn({ agent: 9 }, { 'GET /api/agent/9/': new Problem({ code: 'not_found', status: 404 }) })
    const drawer = await dialog('Agent')
    await drawer.findByText('This does not exist.')
    expect(drawer.getByRole<HTMLButtonElement>('button', { name: 'Save' }).disabled).toBe(true)
  })

  it('is deactivated with its switch', async () => {
    const { changes } = drawn(
      { agent: 5 },
      { 'GET /api/agent/5/': northern, 'PATCH /api/agent/5/': { ...northern, is_active: false } },
    )
    const drawer = await dialog('Northern Media')
    await user.click(drawer.getByRole('switch', { name: /^Active/ }))
    await user.click(drawer.getByRole('button', { name: 'Save' }))
    await expect.poll(changes).toEqual([{ is_active: false, version: 1 }])
  })

  it('keeps both changes when somebody else has saved meanwhile', async () => {
    const newer = { ...northern, version: 2, address: 'Taipei', commission_base: 'media' }
    const answers = [
      new Problem({ code: 'conflict', status: 409, body: { agent: newer } }),
      { ...newer, version: 3 },
    ]
    const { changes } = drawn(
      { agent: 5 },
      { 'GET /api/agent/5/': northern, 'PATCH /api/agent/5/': () => answers.shift() },
    )
    const drawer = await dialog('Northern Media')
    await user.type(drawer.getByRole('textbox', { name: 'Note' }), 'Pays late')
    await user.click(drawer.getByRole('button', { name: 'Save' }))
    await drawer.findByText('They changed: Address, Commission of.')
    expect(drawer.getByRole<HTMLButtonElement>('button', { name: 'Save' }).disabled).toBe(true)
    await user.click(drawer.getByRole('button', { name: 'Keep my changes too' }))
    await user.click(drawer.getByRole('button', { name: 'Save' }))
    await expect.poll(changes).toEqual([
      { note: 'Pays late', is_active: true, version: 1 },
      { note: 'Pays late', is_active: true, version: 2 },
    ])
  })

  it('is theirs alone when one’s own changes are discarded', async () => {
    const newer = { ...northern, version: 2, note: 'Theirs' }
    const conflict = new Problem({ code: 'conflict', status: 409, body: { agent: newer } })
    drawn({ agent: 5 }, { 'GET /api/agent/5/': northern, 'PATCH /api/agent/5/': conflict })
    const drawer = await dialog('Northern Media')
    const note = drawer.getByRole<HTMLTextAreaElement>('textbox', { name: 'Note' })
    await user.type(note, 'Mine')
    await user.click(drawer.getByRole('button', { name: 'Save' }))
    await user.click(await drawer.findByRole('button', { name: 'Discard mine' }))
    expect(note.value).toBe('Theirs')
  })

  it('is not deleted by staff', async () => {
    drawn({ agent: 5 }, { 'GET /api/agent/5/': northern }, 'staff')
    const drawer = await dialog('Northern Media')
    expect(drawer.queryByRole('button', { name: 'Delete this agent' })).toBeNull()
  })
})
