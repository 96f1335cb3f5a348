// @vitest-environment happy-dom
import { fireEvent, screen, within } from '@testing-library/react'
import { userEvent } from '@testing-library/user-event'
import { describe, expect, it, vi } from 'vitest'
import type { Image } from '#shared/api/materials.ts'
import { Problem } from '#web/client/problem.ts'
import { drawImages } from '#web/pages/materials/testing/draw-materials.tsx'
import { imageOf } from '#web/pages/materials/testing/samples.ts'
import { listOf } from '#web/testing/fake-server.ts'

const grid = async () => within(await screen.findByRole('list', { name: 'Images' }))

describe('the list of images', () => {
  it('shows each in a box of one shape, with what it is and who takes it', async () => {
    drawImages({
      answers: {
        'GET /api/image/': listOf([
          imageOf({ formats: ['google_landscape', 'line_card', 'ly'] }),
          imageOf({ id: 8, name: 'tiny.gif', mime: 'image/gif', is_animated: true, formats: ['ly'] }),
          imageOf({ id: 9, name: 'logo.webp', advertiser: null, advertiser_name: null, formats: [] }),
        ]),
      },
    })
    const cards = (await grid()).getAllByRole('button')
    expect(cards.map(card => card.textContent)).toEqual([
      'banner.png1200×627 · PNGAuroraFits Google, LINE, LYautumn',
      'tiny.gif1200×627 · GIF · animatedAuroraFits LYautumn',
      'logo.webp1200×627 · PNGAgencyFits no ad formatautumn',
    ])
    const [picture] = document.querySelectorAll('img')
    expect(picture?.getAttribute('src')).toBe(imageOf().previews[320])
    expect([picture?.getAttribute('width'), picture?.getAttribute('height')]).toEqual(['1200', '627'])
  })

  it('is asked for as its address says, without what it does not know', async () => {
    const search = { format: 'line_card', tag: 'sale', is_used: false, is_agency: true, page: 2 }
    const { calls } = drawImages({ search })
    await grid()
    expect(calls.find(({ path }) => path === '/api/image/')?.query).toEqual({
      search: '',
      meets: 'line_card',
      tag: 'sale',
      is_used: false,
      is_agency: true,
      ordering: '-id',
      limit: 24,
      offset: 24,
    })
    const other = drawImages({ search: { format: 'tv', layout: 'table' } })
    await screen.findByRole('table')
    expect(other.calls.find(({ path }) => path === '/api/image/')?.query).toEqual({
      search: '',
      meets: undefined,
      ordering: '-id',
      limit: 24,
      offset: 0,
    })
  })

  it.each([
    ['Advertiser', 'Aurora', { advertiser: 1 }],
    ['Advertiser', 'Agency', { is_agency: true }],
    ['Format', 'LINE card', { format: 'line_card' }],
    ['Tag', 'autumn (4)', { tag: 'autumn' }],
    ['Use', 'Unused', { is_used: false }],
    ['Sort by', 'Name, A–Z', { ordering: 'name' }],
  ])('is filtered by %s %s in the address', async (field, option, found) => {
    const { searches } = drawImages({ search: { page: 3 } })
    await userEvent.click(await screen.findByRole('combobox', { name: field }))
    await userEvent.click(await screen.findByRole('option', { name: option }))
    await expect.poll(searches).toEqual([{ search: '', page: 1, ...found }])
  })

  it('is drawn as it was chosen last in this browser, without leaving its page', async () => {
    const { searches } = drawImages({ search: { page: 3 } })
    await userEvent.click(await screen.findByRole('button', { name: 'Table' }))
    await expect.poll(searches).toEqual([{ search: '', page: 3, layout: 'table' }])
    drawImages()
    const table = await screen.findByRole('table', { name: 'Images' })
    expect(within(table).getByRole('button', { name: 'banner.png' }).isConnected).toBe(true)
  })

  it('says what it is for while it is empty, and leads back where nothing is found', async () => {
    drawImages({ answers: { 'GET /api/image/': listOf([]) } })
    expect((await screen.findByText('No images yet')).isConnected).toBe(true)
    const { searches } = drawImages({
      search: { tag: 'sale', format: 'ly' },
      answers: { 'GET /api/image/': listOf([]) },
    })
    await userEvent.click(await screen.findByRole('button', { name: 'Clear filters' }))
    await expect.poll(searches).toEqual([{ search: '', page: 1 }])
  })

  it('asks for new links once when a picture does not load on a page that was open for long', async () => {
    const now = vi.spyOn(Date, 'now')
    const start = Date.now()
    const newer = imageOf({ previews: { 320: '/new', 1280: '/new' } })
    const answers = [listOf([imageOf()]), listOf([newer])]
    const { calls } = drawImages({ answers: { 'GET /api/image/': () => answers.shift() } })
    const lists = () => calls.filter(({ path }) => path === '/api/image/').length
    await grid()
    const picture = () => document.querySelector('img')
    now.mockReturnValue(start + 16 * 60_000)
    if (picture()) fireEvent.error(picture() ?? document.body)
    await expect.poll(() => picture()?.getAttribute('src')).toBe('/new')
    // A link that is new and does not work either will not by asking again.
    fireEvent.error(picture() ?? document.body)
    await expect.poll(picture).toBeNull()
    expect(lists()).toBe(2)
    now.mockRestore()
  })

  it('says how much room is left', async () => {
    drawImages({ search: { advertiser: 1 } })
    expect((await screen.findByText('1.5 GB of 2 GB used')).isConnected).toBe(true)
    expect(screen.getByRole('meter', { name: 'Storage of the advertiser' }).isConnected).toBe(true)
  })
})

describe('the open image', () => {
  const drawer = async () => within(await screen.findByRole('dialog', { name: 'banner.png' }))

  it('says what it is, and goes on to those beside it', async () => {
    const { searches, calls } = drawImages({
      search: { image: 5, page: 2 },
      answers: {
        'GET /api/image/': listOf([imageOf({ id: 4 }), imageOf({ in_use: 2 }), imageOf({ id: 8 })]),
        'GET /api/image/5/': imageOf({ in_use: 2 }),
        'GET /api/ad/': listOf([{ id: 31, name: 'facebook · autumn' }]),
      },
    })
    const open = await drawer()
    const facts = open.getAllByRole('definition').map(({ textContent }) => textContent)
    expect(facts).toEqual([
      'Aurora',
      'PNG',
      '1,200 × 627 px',
      '342 kB',
      expect.stringMatching(/^Sam Huang, /),
      expect.stringMatching(/^Used in 2 links/),
    ])
    const link = await open.findByRole('link', { name: 'facebook · autumn' })
    expect(link.getAttribute('href')).toMatch(/\/advertisement\/create-link\?.*link=31/)
    const all = open.getByRole('link', { name: 'Show all 2 links' })
    expect(all.getAttribute('href')).toMatch(/\/advertisement\/create-link\?.*image=5/)
    expect(calls.find(({ path }) => path === '/api/ad/')?.query).toEqual({ image: 5, limit: 5 })
    await userEvent.click(open.getByRole('button', { name: 'Next image' }))
    await userEvent.click(open.getByRole('button', { name: 'Previous image' }))
    await expect.poll(searches).toEqual([
      { search: '', page: 2, image: 8 },
      { search: '', page: 2, image: 4 },
    ])
  })

  it('moves, and stops when somebody wants it', async () => {
    const image = imageOf({ is_animated: true })
    drawImages({ search: { image: 5 }, answers: { 'GET /api/image/5/': image } })
    const open = await drawer()
    const picture = () => open.getByRole('img', { name: 'Preview of banner.png' }).getAttribute('src')
    await expect.poll(picture).toBe(image.url)
    await userEvent.click(open.getByRole('button', { name: 'Stop the animation' }))
    expect(picture()).toBe(image.previews[1280])
    expect(open.getByRole('button', { name: 'Play the animation' }).isConnected).toBe(true)
  })

  it('is renamed and tagged, and only what has changed is sent', async () => {
    const { changes } = drawImages({
      search: { image: 5 },
      answers: { 'PATCH /api/image/5/': imageOf({ version: 3, name: 'card.png' }) },
    })
    const open = await drawer()
    const name = open.getByRole('textbox', { name: 'Name' })
    await userEvent.clear(name)
    await userEvent.type(name, 'card.png')
    expect(open.getByRole<HTMLButtonElement>('button', { name: 'Next image' }).disabled).toBe(true)
    await userEvent.click(open.getByRole('button', { name: 'Save' }))
    await expect.poll(changes).toEqual([['PATCH', '/api/image/5/', { name: 'card.png', version: 2 }]])
    await expect.poll(() => open.queryByRole('button', { name: 'Save' })).toBeNull()
  })

  it('is saved while the lists are still being read, and keeps what was written meanwhile', async () => {
    const response = Promise.withResolvers<Image>()
    const lists = [listOf([imageOf()]), Promise.withResolvers().promise]
    drawImages({
      search: { image: 5 },
      answers: {
        'GET /api/image/': () => lists.shift(),
        'PATCH /api/image/5/': () => response.promise,
      },
    })
    const open = await drawer()
    const name = open.getByRole<HTMLInputElement>('textbox', { name: 'Name' })
    await userEvent.type(name, '!')
    await userEvent.click(open.getByRole('button', { name: 'Save' }))
    await userEvent.type(open.getByRole('combobox', { name: 'Tags' }), 'new{Enter}')
    response.resolve(imageOf({ version: 3, name: 'banner.png!' }))
    const save = open.getByRole<HTMLButtonElement>('button', { name: 'Save' })
    await expect.poll(() => save.disabled).toBe(false)
    expect([name.value, open.getByText('new').isConnected]).toEqual(['banner.png!', true])
  })

  it('loses nothing that was written to what can be done beside it', async () => {
    const copy = imageOf({ id: 9, name: 'banner 600×314.png' })
    const { went, searches } = drawImages({
      search: { image: 5 },
      answers: {
        'GET /api/image/5/': imageOf({ in_use: 1 }),
        'GET /api/ad/': listOf([{ id: 31, name: 'facebook · autumn' }]),
        'POST /api/image/5/fit/': copy,
      },
    })
    const open = await drawer()
    await userEvent.type(open.getByRole('combobox', { name: 'Tags' }), 'new{Enter}')
    const link = await open.findByRole('link', { name: 'facebook · autumn' })
    expect(link.getAttribute('target')).toBe('_blank')
    await userEvent.click(open.getByRole('button', { name: 'Make it fit LINE small image' }))
    await userEvent.click(await screen.findByRole('button', { name: 'Create image' }))
    await expect.poll(() => screen.queryByRole('button', { name: 'Create image' })).toBeNull()
    await userEvent.keyboard('{Escape}')
    await screen.findByRole('dialog', { name: 'Discard your changes?' })
    expect(went).toEqual([])
    await userEvent.click(screen.getByRole('button', { name: 'Discard' }))
    await expect.poll(searches).toEqual([{ search: '', page: 1 }])
  })

  it('puts both together when somebody else has saved meanwhile', async () => {
    const newer = imageOf({ version: 3, tags: ['autumn', 'theirs'] })
    const answers = [
      new Problem({ code: 'conflict', status: 409, body: { image: newer } }),
      { ...newer, version: 4 },
    ]
    const { changes } = drawImages({
      search: { image: 5 },
      answers: { 'PATCH /api/image/5/': () => answers.shift() },
    })
    const open = await drawer()
    await userEvent.type(open.getByRole('textbox', { name: 'Name' }), '!')
    await userEvent.click(open.getByRole('button', { name: 'Save' }))
    await open.findByText('They changed: Tags.')
    await userEvent.click(open.getByRole('button', { name: 'Keep my changes too' }))
    await userEvent.click(open.getByRole('button', { name: 'Save' }))
    await expect
      .poll(() => changes().map(([, , body]) => body))
      .toEqual([
        { name: 'banner.png!', version: 2 },
        { name: 'banner.png!', version: 3 },
      ])
  })

  it('is deleted by who may, unless a link has it', async () => {
    const inUse = new Problem({ code: 'in_use', status: 409, body: { by: { links: 2 } } })
    drawImages({ search: { image: 5 }, answers: { 'DELETE /api/image/5/': inUse } })
    await userEvent.click((await drawer()).getByRole('button', { name: 'Delete' }))
    const question = within(await screen.findByRole('dialog', { name: 'Delete banner.png?' }))
    await userEvent.click(question.getByRole('button', { name: 'Delete' }))
    const refused = within(await screen.findByRole('dialog', { name: 'banner.png is in use' }))
    const links = refused.getByRole('link', { name: '2 links' })
    expect(links.getAttribute('href')).toMatch(/\/advertisement\/create-link\?.*image=5/)
  })

  it('is not deleted by others', async () => {
    drawImages({ search: { image: 5 }, answers: { 'GET /api/image/5/': imageOf({ may_delete: false }) } })
    const open = await drawer()
    await expect.poll(() => open.queryByRole('button', { name: 'Delete' })).toBeNull()
  })

  it('is downloaded by a link that is new', async () => {
    const clicked: string[] = []
    const click = vi.spyOn(HTMLAnchorElement.prototype, 'click').mockImplementation(function (
      this: HTMLAnchorElement,
    ) {
      clicked.push(`${this.getAttribute('href')} ${this.download}`)
    })
    drawImages({ search: { image: 5 } })
    await userEvent.click((await drawer()).getByRole('button', { name: 'Download' }))
    await expect.poll(() => clicked).toEqual([`${imageOf().url} banner.png`])
    click.mockRestore()
  })

  it('says so when there is none', async () => {
    const none = new Problem({ code: 'not_found', status: 404 })
    drawImages({
      search: { image: 9 },
      answers: { 'GET /api/image/9/': none },
    })
    const open = within(await screen.findByRole('dialog', { name: 'Image' }))
    expect((await open.findByText(/does not exist/)).isConnected).toBe(true)
  })
})
