// @vitest-environment happy-dom
import { screen, within } from '@testing-library/react'
import { userEvent } from '@testing-library/user-event'
import { describe, expect, it } from 'vitest'
import { Problem } from '#web/client/problem.ts'
import { daily } from '#web/pages/materials/testing/place-samples.ts'
import { drawAt } from '#web/testing/draw-for.tsx'
import { changesIn, listOf, serve } from '#web/testing/fake-server.ts'
import { Publishers } from './publishers.tsx'

const user = userEvent

function drawn(search: object = {}, answers: Readonly<Record<string, unknown>> = {}) {
  const calls = serve({
    'GET /api/publisher/': listOf([daily, { ...daily, id: 5, name: 'Meta', channel: 'fb', contacts: [] }]),
    'GET /api/publisher/4/': daily,
    ...answers,
  })
  const went = drawAt(<Publishers />, {
    path: '/material/media',
    search: { search: '', page: 1, ...search },
  })
  return { went, calls, changes: () => changesIn(calls).map(({ body }) => body) }
}
const dialog = async (name: string) => within(await screen.findByRole('dialog', { name }))

describe('the list of publishers', () => {
  it('shows the first contact, the website and the channel', async () => {
    drawn()
    const row = within(await screen.findByRole('row', { name: /^Island Daily/ }))
    expect(row.getByText('amy@example.com').textContent).toBe('amy@example.com')
    expect(row.getAllByRole('link')[0]?.getAttribute('rel')).toBe('noopener noreferrer')
    const meta = within(screen.getByRole('row', { name: /^Meta/ }))
    expect(meta.getByRole('img').getAttribute('aria-label')).toBe('Meta ads')
  })

  it('is filtered by type and channel', async () => {
    const { went } = drawn({ channel: 'fb', page: 2 })
    await user.click(await screen.findByRole('combobox', { name: 'Type' }))
    await user.click(await screen.findByRole('option', { name: 'News' }))
    expect(went).toMatchObject([{ search: { type: 'news', channel: 'fb', page: 1 } }])
  })

  it('says how to begin where there is none', async () => {
    drawn({}, { 'GET /api/publisher/': listOf([]) })
    await screen.findByText('No publishers yet')
    expect(screen.getAllByRole('button', { name: 'New publisher' })).toHaveLength(2)
  })
})

describe('a publisher', () => {
  it('is created with what is filled in', async () => {
    const { changes } = drawn({}, { 'POST /api/publisher/': daily })
    await user.click(await screen.findByRole('button', { name: 'New publisher' }))
    const form = await dialog('New publisher')
    await user.type(form.getByRole('textbox', { name: 'Name' }), 'Island Daily')
    await user.click(form.getByRole('combobox', { name: 'Channel' }))
    await user.click(await screen.findByRole('option', { name: 'LINE ads' }))
    await user.type(form.getByRole('textbox', { name: 'Website' }), 'daily.example.com')
    await user.click(form.getByRole('button', { name: 'Add contact' }))
    await user.click(form.getByRole('button', { name: 'Create' }))
    await expect.poll(changes).toEqual([
      {
        name: 'Island Daily',
        type: 'other',
        channel: 'ln',
        website: 'https://daily.example.com',
        contacts: [],
        note: '',
      },
    ])
  })

  it('may lose its website and its channel', async () => {
    const withChannel = { ...daily, channel: 'fb' }
    const { changes } = drawn(
      { publisher: 4 },
      { 'GET /api/publisher/4/': withChannel, 'PATCH /api/publisher/4/': daily },
    )
    const drawer = await dialog('Island Daily')
    await user.clear(drawer.getByRole('textbox', { name: 'Website' }))
    await user.click(drawer.getByRole('combobox', { name: 'Channel' }))
    await user.click(await screen.findByRole('option', { name: 'None' }))
    await user.click(drawer.getByRole('button', { name: 'Save' }))
    await expect.poll(changes).toEqual([{ website: '', channel: null, version: 1 }])
  })

  it('says that its name is taken', async () => {
    const taken = new Problem({ code: 'invalid', status: 400, fields: { name: ['name_taken'] } })
    drawn({ publisher: 4 }, { 'PATCH /api/publisher/4/': taken })
    const drawer = await dialog('Island Daily')
    const [name] = drawer.getAllByRole('textbox', { name: 'Name' })
    if (name) await user.type(name, ' 2')
    await user.click(drawer.getByRole('button', { name: 'Save' }))
    expect(await drawer.findByText('This name is already taken.')).toBeDefined()
  })

  it('says which links name it when it is to be deleted', async () => {
    const inUse = new Problem({ code: 'in_use', status: 409, body: { by: { links: 3 } } })
    drawn({ publisher: 4 }, { 'DELETE /api/publisher/4/': inUse })
    const drawer = await dialog('Island Daily')
    await user.click(drawer.getByRole('button', { name: 'Delete this publisher' }))
    await user.click((await dialog('Delete Island Daily?')).getByRole('button', { name: 'Delete' }))
    const used = await dialog('Island Daily is in use')
    const links = used.getByRole('link', { name: '3 links' })
    expect(links.getAttribute('href')).toMatch(/\/advertisement\/create-link\?.*publisher=4/)
  })
})
