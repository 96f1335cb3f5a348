// @vitest-environment happy-dom
import { screen, within } from '@testing-library/react'
import { userEvent } from '@testing-library/user-event'
import { describe, expect, it } from 'vitest'
import { Problem } from '#web/client/problem.ts'
import { shop } from '#web/pages/materials/testing/place-samples.ts'
import { drawAt } from '#web/testing/draw-for.tsx'
import { changesIn, listOf, serve } from '#web/testing/fake-server.ts'
import { Sites } from './sites.tsx'

const user = userEvent
const aurora = { id: 1, name: 'Aurora', is_active: true }
const closed = { ...shop, id: 5, name: 'Closed', is_active: false, pixels: [] }

function drawn(search: object = {}, answers: Readonly<Record<string, unknown>> = {}) {
  const calls = serve({
    'GET /api/site/': listOf([shop, closed]),
    'GET /api/site/3/': shop,
    'GET /api/advertiser/': listOf([aurora]),
    'GET /api/advertiser/1/': aurora,
    ...answers,
  })
  const went = drawAt(<Sites />, { path: '/material/site', search: { search: '', page: 1, ...search } })
  return { went, calls, changes: () => changesIn(calls).map(({ body }) => body) }
}
const dialog = async (name: string) => within(await screen.findByRole('dialog', { name }))

describe('the list of sites', () => {
  it('leads to each site in a tab of its own, and shows its pixels', async () => {
    drawn()
    const row = within(await screen.findByRole('row', { name: /^Aurora shop/ }))
    const [link] = row.getAllByRole('link', { name: 'shop.aurora.demo' })
    expect(link?.getAttribute('href')).toBe('https://shop.aurora.demo/')
    expect([link?.getAttribute('target'), link?.getAttribute('rel')]).toEqual([
      '_blank',
      'noopener noreferrer',
    ])
    expect(row.getByTitle('Meta').textContent).toBe('3390001')
    const other = within(screen.getByRole('row', { name: /^Closed/ }))
    expect(other.getByText('Inactive').textContent).toBe('Inactive')
  })

  it('is filtered by advertiser, platform and state', async () => {
    const { went, calls } = drawn({ advertiser: 1, platform: 'shopline', page: 2 })
    await user.click(await screen.findByRole('combobox', { name: 'Status' }))
    await user.click(await screen.findByRole('option', { name: 'Active' }))
    expect(went).toMatchObject([
      { search: { advertiser: 1, platform: 'shopline', is_active: true, page: 1 } },
    ])
    expect(calls.find(({ path }) => path === '/api/site/')?.query).toMatchObject({
      advertiser: 1,
      platform: 'shopline',
      ordering: 'name',
    })
  })

  it('leads back where none is found', async () => {
    const { went } = drawn({ is_active: false }, { 'GET /api/site/': listOf([]) })
    await user.click(await screen.findByRole('button', { name: 'Clear filters' }))
    expect(went).toMatchObject([{ search: { search: '', page: 1 } }])
    expect(went).not.toMatchObject([{ search: { is_active: false } }])
  })
})

describe('a new site', () => {
  it('has an advertiser, an address whose scheme may be left out, and pixels', async () => {
    const { changes } = drawn({ advertiser: 1 }, { 'POST /api/site/': shop })
    await user.click(await screen.findByRole('button', { name: 'New site' }))
    const form = await dialog('New site')
    await user.type(form.getByRole('textbox', { name: 'Name' }), 'Aurora shop')
    await user.type(form.getByRole('textbox', { name: 'Address' }), 'shop.aurora.demo')
    await user.click(form.getByRole('button', { name: 'Add pixel' }))
    await user.type(form.getByRole('textbox', { name: 'ID of the pixel' }), ' 3390001')
    await user.click(form.getByRole('button', { name: 'Add pixel' }))
    await user.click(form.getByRole('button', { name: 'Create' }))
    await expect.poll(changes).toEqual([
      {
        advertiser: 1,
        name: 'Aurora shop',
        url: 'https://shop.aurora.demo',
        platform: 'other',
        is_active: true,
        pixels: [{ platform: 'meta', id: '3390001' }],
      },
    ])
  })

  it('says what is missing or no address before anything is sent', async () => {
    const { changes } = drawn()
    await user.click(await screen.findByRole('button', { name: 'New site' }))
    const form = await dialog('New site')
    await user.type(form.getByRole('textbox', { name: 'Address' }), 'javascript://x')
    await user.click(form.getByRole('button', { name: 'Create' }))
    await form.findByText('Enter a web address such as https://www.example.com.')
    expect(form.getAllByText('Please fill this in.')).toHaveLength(2)
    expect(changes()).toEqual([])
  })

  it('marks a pixel that is no ID or is there twice', async () => {
    drawn({ advertiser: 1 })
    await user.click(await screen.findByRole('button', { name: 'New site' }))
    const form = await dialog('New site')
    const add = form.getByRole('button', { name: 'Add pixel' })
    await user.click(add)
    await user.click(add)
    const [first, second] = form.getAllByRole('textbox', { name: 'ID of the pixel' })
    if (!first || !second) throw new Error('no fields')
    await user.type(first, '<script>')
    await form.findByText('Enter the ID alone: letters, digits, - and _.')
    await user.clear(first)
    await user.type(first, '12')
    const [, platform] = form.getAllByRole('combobox', { name: 'Platform of the pixel' })
    if (!platform) throw new Error('no second platform')
    await user.click(platform)
    await user.click(await screen.findByRole('option', { name: 'Meta' }))
    await user.type(second, '12')
    expect(await form.findByText('This pixel is already listed.')).toBeDefined()
  })

  it('says that the advertiser has the address already', async () => {
    const taken = new Problem({ code: 'invalid', status: 400, fields: { url: ['name_taken'] } })
    drawn({ advertiser: 1 }, { 'POST /api/site/': taken })
    await user.click(await screen.findByRole('button', { name: 'New site' }))
    const form = await dialog('New site')
    await user.type(form.getByRole('textbox', { name: 'Name' }), 'Shop')
    await user.type(form.getByRole('textbox', { name: 'Address' }), 'https://shop.aurora.demo')
    await user.click(form.getByRole('button', { name: 'Create' }))
    const said = await form.findByText('This advertiser already has a site with this address.')
    expect(said).toBeDefined()
  })
})

describe('the open site', () => {
  it('sends what was changed alone, and its advertiser stays', async () => {
    const { changes, went } = drawn({ site: 3 }, { 'PATCH /api/site/3/': { ...shop, is_active: false } })
    const drawer = await dialog('Aurora shop')
    expect(drawer.getByRole<HTMLInputElement>('combobox', { name: 'Advertiser' }).disabled).toBe(true)
    await user.click(drawer.getByRole('switch', { name: /^Active/ }))
    await user.click(drawer.getByRole('button', { name: 'Save' }))
    await expect.poll(changes).toEqual([{ is_active: false, version: 1 }])
    await expect.poll(() => went).toHaveLength(1)
  })

  it('is closed without a request where nothing was changed', async () => {
    const { changes, went } = drawn({ site: 3 })
    const drawer = await dialog('Aurora shop')
    await user.click(drawer.getByRole('button', { name: 'Save' }))
    expect(went).toHaveLength(1)
    expect(changes()).toEqual([])
  })

  it('says which audiences need the Meta pixel', async () => {
    const inUse = new Problem({ code: 'in_use', status: 409, body: { by: { audiences: 2 } } })
    drawn({ site: 3 }, { 'PATCH /api/site/3/': inUse })
    const drawer = await dialog('Aurora shop')
    await user.click(drawer.getByRole('button', { name: 'Remove pixel 1' }))
    await user.click(drawer.getByRole('button', { name: 'Save' }))
    expect(await drawer.findByText(/^2 audiences of website visitors use the Meta pixel/)).toBeDefined()
  })

  it('is deactivated where it cannot be deleted', async () => {
    const inUse = new Problem({ code: 'in_use', status: 409, body: { by: { links: 12, audiences: 1 } } })
    const { changes } = drawn(
      { site: 3 },
      { 'DELETE /api/site/3/': inUse, 'PATCH /api/site/3/': { ...shop, is_active: false } },
    )
    const drawer = await dialog('Aurora shop')
    await user.click(drawer.getByRole('button', { name: 'Delete this site' }))
    const question = await dialog('Delete Aurora shop?')
    await user.click(question.getByRole('button', { name: 'Delete' }))
    const used = await dialog('Aurora shop is in use')
    expect(used.getAllByRole('listitem').map(({ textContent }) => textContent)).toEqual([
      '12 links',
      '1 audience list',
    ])
    expect(used.getByRole('link', { name: '12 links' }).getAttribute('href')).toMatch(/site=3/)
    await user.click(used.getByRole('button', { name: 'Deactivate' }))
    await expect.poll(changes).toEqual([{ version: 1 }, { is_active: false, version: 1 }])
  })

  it('is deleted only by who may', async () => {
    drawn({ site: 3 }, { 'GET /api/site/3/': { ...shop, may_delete: false } })
    const drawer = await dialog('Aurora shop')
    expect(drawer.queryByRole('button', { name: 'Delete this site' })).toBeNull()
  })

  it('keeps both changes when somebody else has saved meanwhile', async () => {
    const newer = { ...shop, version: 2, platform: 'shopify' }
    const answers = [
      new Problem({ code: 'conflict', status: 409, body: { site: newer } }),
      { ...newer, version: 3 },
    ]
    const { changes } = drawn({ site: 3 }, { 'PATCH /api/site/3/': () => answers.shift() })
    const drawer = await dialog('Aurora shop')
    await user.type(drawer.getByRole('textbox', { name: 'Name' }), ' TW')
    await user.click(drawer.getByRole('button', { name: 'Save' }))
    await drawer.findByText('They changed: Platform.')
    await user.click(drawer.getByRole('button', { name: 'Keep my changes too' }))
    await user.click(drawer.getByRole('button', { name: 'Save' }))
    await expect.poll(changes).toEqual([
      { name: 'Aurora shop TW', version: 1 },
      { name: 'Aurora shop TW', version: 2 },
    ])
  })
})
