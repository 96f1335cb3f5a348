// @vitest-environment happy-dom
import { screen, within } from '@testing-library/react'
import { userEvent } from '@testing-library/user-event'
import { describe, expect, it } from 'vitest'
import { Problem } from '#web/client/problem.ts'
import { toasts } from '#web/client/toasts.ts'
import { listOf } from '#web/testing/fake-server.ts'
import { dialog, drawLinks, fieldIn, region } from './testing/draw-links.tsx'
import { AUTUMN, linkOf } from './testing/samples.ts'

const user = userEvent
const row = async (name: RegExp) => within(await screen.findByRole('row', { name }))
async function chooseAction(name: string | RegExp) {
  await user.click(await screen.findByRole('button', { name: 'Actions for facebook · autumn_2026' }))
  await user.click(await screen.findByRole('menuitem', { name }))
}

describe('the list of links', () => {
  it('shows each with its advertiser, its channel and who made it', async () => {
    drawLinks()
    const line = await row(/^facebook · autumn_2026/)
    expect(line.getByText('facebook / paid_social').isConnected).toBe(true)
    expect(line.getAllByText('Aurora').length).toBeGreaterThan(0)
    expect(line.getByText('Paid Social').isConnected).toBe(true)
    expect(line.getByText('Created by Sam Huang').isConnected).toBe(true)
    expect(line.getAllByTitle(linkOf().link)[0]?.textContent).toMatch(/^shop\.aurora\.demo.*…/)
  })

  it('copies a link from its row', async () => {
    drawLinks()
    const line = await row(/^facebook · autumn_2026/)
    const [copy] = line.getAllByRole('button', { name: 'Copy the link facebook · autumn_2026' })
    if (copy) await user.click(copy)
    expect((await line.findAllByRole('button', { name: 'Copied' })).length).toBeGreaterThan(0)
  })

  it('is filtered by the channel, and by nothing that no channel is called', async () => {
    const { calls } = drawLinks({ search: { ga4_channel: 'Paid Social', platform: 'myspace' } })
    await row(/^facebook · autumn_2026/)
    const list = calls.find(({ path }) => path === '/api/ad/')
    expect(list?.query).toMatchObject({ ga4_channel: 'Paid Social', ordering: '-id' })
    expect(list?.query?.['platform']).toBeUndefined()
  })

  it('teaches how to begin, and leads back from filters that match nothing', async () => {
    drawLinks({ answers: { 'GET /api/ad/': listOf([]) } })
    expect((await screen.findByText('No links yet')).isConnected).toBe(true)
  })

  it('leads back from filters that match nothing', async () => {
    const { went } = drawLinks({ search: { platform: 'tiktok' }, answers: { 'GET /api/ad/': listOf([]) } })
    await screen.findByText('No link found')
    const [button] = screen.getAllByRole('button', { name: 'Clear filters' }).toReversed()
    if (button) await user.click(button)
    expect(went).toMatchObject([{ search: { search: '', page: 1 } }])
  })

  it('has no checks where the installation makes none', async () => {
    drawLinks()
    await row(/^facebook · autumn_2026/)
    expect(screen.queryByRole('columnheader', { name: 'Link check' })).toBeNull()
    await user.click(screen.getByRole('button', { name: 'Actions for facebook · autumn_2026' }))
    await screen.findByRole('menuitem', { name: 'Edit' })
    expect(screen.queryByRole('menuitem', { name: 'Check link' })).toBeNull()
  })

  it('checks a link', async () => {
    const check = { outcome: 'utm_lost' as const, hops: [], checked_at: '2026-11-01T08:00:00.000Z' }
    const { changes } = drawLinks({
      has_link_checks: true,
      answers: { 'POST /api/ad/8/check/': linkOf({ check }) },
    })
    expect((await screen.findByText('Not checked')).isConnected).toBe(true)
    await chooseAction('Check link')
    await expect.poll(changes).toEqual([['POST', '/api/ad/8/check/', undefined]])
  })

  it('says what came of each of several checks, and meanwhile that they are made', async () => {
    const { promise, resolve } = Promise.withResolvers()
    const check = { outcome: 'ok' as const, hops: [], checked_at: '2026-11-01T08:00:00.000Z' }
    drawLinks({
      has_link_checks: true,
      answers: {
        'GET /api/ad/': listOf([linkOf(), linkOf({ id: 9, name: 'Two' })]),
        'POST /api/ad/8/check/': () => promise,
        'POST /api/ad/9/check/': linkOf({ id: 9, check: { ...check, outcome: 'tls_error' } }),
      },
    })
    toasts.set([])
    await chooseAction('Check link')
    expect((await screen.findByText('Checking')).isConnected).toBe(true)
    await user.click(screen.getByRole('button', { name: 'Actions for Two' }))
    await user.click(await screen.findByRole('menuitem', { name: 'Check link' }))
    await expect.poll(() => toasts.get()).toHaveLength(1)
    resolve(linkOf({ check }))
    const messages = ['Two: Certificate error', 'facebook · autumn_2026: OK']
    await expect.poll(() => toasts.get().map(({ message }) => message)).toEqual(messages)
    await expect.poll(() => screen.queryByText('Checking')).toBeNull()
  })

  it('finds those that use something, until that is removed', async () => {
    const { calls, went } = drawLinks({
      search: { image: 5 },
      answers: { 'GET /api/image/5/': { id: 5, name: 'banner.png' } },
    })
    await screen.findByText('Links with an image: banner.png')
    expect(calls.find(({ path }) => path === '/api/ad/')?.query).toMatchObject({ image: 5 })
    await user.click(
      screen.getByRole('button', { name: 'Remove the filter Links with an image: banner.png' }),
    )
    expect(went).toMatchObject([{ search: { search: '', page: 1 } }])
  })

  it('deletes one, where one may', async () => {
    const { changes } = drawLinks({ answers: { 'DELETE /api/ad/8/': null } })
    await chooseAction('Delete')
    const question = await dialog('Delete facebook · autumn_2026?')
    await user.click(question.getByRole('button', { name: 'Delete' }))
    await expect.poll(changes).toEqual([['DELETE', '/api/ad/8/', { version: 1 }]])
  })

  it('offers no deleting of what somebody else made', async () => {
    drawLinks({ answers: { 'GET /api/ad/': listOf([linkOf({ may_delete: false })]) } })
    await user.click(await screen.findByRole('button', { name: 'Actions for facebook · autumn_2026' }))
    await screen.findByRole('menuitem', { name: 'Edit' })
    expect(screen.queryByRole('menuitem', { name: 'Delete' })).toBeNull()
  })

  it('offers no QR code of one with placeholders', async () => {
    const meta = linkOf({ platform: 'meta', utm_content: '{{ad.id}}' })
    drawLinks({ answers: { 'GET /api/ad/': listOf([meta]) } })
    await user.click(await screen.findByRole('button', { name: 'Actions for facebook · autumn_2026' }))
    const entry = await screen.findByRole<HTMLButtonElement>('menuitem', { name: /^QR code/ })
    expect([entry.textContent, entry.disabled]).toEqual(['QR code (not with placeholders)', true])
  })

  it('fills the form in with one that is taken as a template', async () => {
    drawLinks()
    await chooseAction('Use as template')
    const form = await region('New link')
    expect(fieldIn(form, 'Landing page').value).toBe(AUTUMN)
    expect(fieldIn(form, 'Campaign').value).toBe('autumn_2026')
    expect(form.getByText('Filled in from facebook · autumn_2026.').isConnected).toBe(true)
    await expect.poll(() => document.activeElement).toBe(fieldIn(form, 'Landing page'))
  })

  it('asks before a template replaces what has been written', async () => {
    drawLinks()
    const form = await region('New link')
    await user.type(fieldIn(form, 'Campaign'), 'mine')
    await chooseAction('Use as template')
    const question = await dialog('Discard your changes?')
    await user.click(question.getByRole('button', { name: 'Keep editing' }))
    expect(fieldIn(form, 'Campaign').value).toBe('mine')
    await chooseAction('Use as template')
    await user.click((await dialog('Discard your changes?')).getByRole('button', { name: 'Discard' }))
    await expect.poll(() => fieldIn(form, 'Campaign').value).toBe('autumn_2026')
  })
})

describe('the open link', () => {
  const open = (drawing: Parameters<typeof drawLinks>[0] = {}) =>
    drawLinks({ ...drawing, search: { link: 8 } })

  it('sends what was changed, with the version that was read', async () => {
    const { bodies } = open({ answers: { 'PATCH /api/ad/8/': linkOf({ version: 2 }) } })
    const drawer = await dialog('facebook · autumn_2026')
    const campaign = fieldIn(drawer, 'Campaign')
    await user.clear(campaign)
    await user.type(campaign, 'winter')
    expect(drawer.getByText(/utm_campaign=/).parentElement?.textContent).toMatch(/utm_campaign=winter$/)
    await user.click(drawer.getByRole('button', { name: 'Save' }))
    await expect.poll(bodies).toEqual([{ utm_campaign: 'winter', version: 1 }])
  })

  it('of a preset that has been changed since keeps its values until another link is made of it', async () => {
    const link = linkOf({ preset: 3, preset_name: 'Meta Ads', utm_source_platform: 'Meta' })
    const { bodies } = open({
      answers: { 'GET /api/ad/8/': link, 'PATCH /api/ad/8/': linkOf({ version: 2 }) },
    })
    const drawer = await dialog('facebook · autumn_2026')
    await user.type(fieldIn(drawer, 'Name'), ' b')
    await user.click(drawer.getByRole('button', { name: 'Save' }))
    await expect.poll(bodies).toEqual([{ name: 'facebook · autumn_2026 b', version: 1 }])
  })

  it('takes the value that its preset fixes now', async () => {
    const link = linkOf({ preset: 3, preset_name: 'Meta Ads', utm_source_platform: 'Meta' })
    const { bodies } = open({
      answers: { 'GET /api/ad/8/': link, 'PATCH /api/ad/8/': linkOf({ version: 2 }) },
    })
    const drawer = await dialog('facebook · autumn_2026')
    await user.type(fieldIn(drawer, 'Campaign'), '_b')
    await user.click(drawer.getByRole('button', { name: 'Save' }))
    expect(bodies()).toEqual([])
    await drawer.findByText('The preset now says Meta Ads.', { exact: false })
    await user.click(drawer.getByRole('button', { name: 'Use this value' }))
    await user.click(drawer.getByRole('button', { name: 'Save' }))
    await expect
      .poll(bodies)
      .toEqual([{ utm_campaign: 'autumn_2026_b', utm_source_platform: 'Meta Ads', version: 1 }])
  })

  it('goes on with both changes when somebody else has saved meanwhile', async () => {
    const newer = linkOf({ version: 2, utm_term: 'shoes' })
    const answers = [
      new Problem({ code: 'conflict', status: 409, body: { link: newer } }),
      linkOf({ version: 3 }),
    ]
    const { bodies } = open({ answers: { 'PATCH /api/ad/8/': () => answers.shift() } })
    const drawer = await dialog('facebook · autumn_2026')
    await user.type(fieldIn(drawer, 'Campaign'), '_b')
    await user.click(drawer.getByRole('button', { name: 'Save' }))
    await drawer.findByText('They changed: Term.')
    await user.click(drawer.getByRole('button', { name: 'Keep my changes too' }))
    await user.click(drawer.getByRole('button', { name: 'Save' }))
    await expect.poll(bodies).toEqual([
      { utm_campaign: 'autumn_2026_b', version: 1 },
      { utm_campaign: 'autumn_2026_b', version: 2 },
    ])
  })

  it('waits for its preset before another link is made of it', async () => {
    const link = linkOf({ preset: 3, preset_name: 'Meta Ads' })
    const none = new Problem({ code: 'forbidden', status: 403 })
    open({ answers: { 'GET /api/ad/8/': link, 'GET /api/ad/preset/': none } })
    const drawer = await dialog('facebook · autumn_2026')
    await drawer.findByText('Presets could not be loaded.', { exact: false })
    const save = drawer.getByRole<HTMLButtonElement>('button', { name: 'Save' })
    expect(save.disabled).toBe(false)
    await user.type(fieldIn(drawer, 'Campaign'), '_b')
    expect(save.disabled).toBe(true)
  })

  it('is a template as it is being changed', async () => {
    open()
    const drawer = await dialog('facebook · autumn_2026')
    await user.type(fieldIn(drawer, 'Campaign'), '_b')
    await user.click(drawer.getByRole('button', { name: 'Use as template' }))
    const form = within(screen.getByRole('region', { name: 'New link', hidden: true }))
    const campaign = form.getByRole<HTMLInputElement>('textbox', { name: 'Campaign', hidden: true })
    await expect.poll(() => campaign.value).toBe('autumn_2026_b')
  })

  it('shows each address on the way of its check', async () => {
    const check = {
      outcome: 'blocked_address' as const,
      hops: [
        { url: AUTUMN, status: 302 },
        { url: 'http://127.0.0.1/', status: null },
      ],
      checked_at: '2026-11-01T08:00:00.000Z',
    }
    open({ has_link_checks: true, answers: { 'GET /api/ad/8/': linkOf({ check }) } })
    const drawer = await dialog('facebook · autumn_2026')
    expect(drawer.getByText('Private address').isConnected).toBe(true)
    const hops = within(drawer.getByRole('list', { name: 'Addresses on the way' }))
    expect(hops.getAllByRole('listitem').map(({ textContent }) => textContent)).toEqual([
      `302${AUTUMN}`,
      '–http://127.0.0.1/',
    ])
  })

  it('is checked as it is saved, not as it is being changed', async () => {
    open({ has_link_checks: true })
    const drawer = await dialog('facebook · autumn_2026')
    const button = drawer.getByRole<HTMLButtonElement>('button', { name: 'Check link' })
    expect(button.disabled).toBe(false)
    await user.type(fieldIn(drawer, 'Campaign'), '_b')
    expect(button.disabled).toBe(true)
    expect(drawer.getByText(/^Save your changes first/).isConnected).toBe(true)
  })

  it('says so when there is none', async () => {
    open({ answers: { 'GET /api/ad/8/': new Problem({ code: 'not_found', status: 404 }) } })
    const drawer = await dialog('Link')
    expect((await drawer.findByText('This does not exist.')).isConnected).toBe(true)
  })
})
