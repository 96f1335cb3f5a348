// @vitest-environment happy-dom
import { screen, within } from '@testing-library/react'
import { userEvent } from '@testing-library/user-event'
import { describe, expect, it } from 'vitest'
import { Problem } from '#web/client/problem.ts'
import { listOf } from '#web/testing/fake-server.ts'
import { AUTUMN, linkOf, presetOf } from './testing/samples.ts'
import { choose, drawLinks, fieldIn, region } from './testing/draw-links.tsx'

const user = userEvent
type Form = Awaited<ReturnType<typeof region>>

async function drawn(drawing: Parameters<typeof drawLinks>[0] = {}) {
  const page = drawLinks(drawing)
  const form = await region('New link')
  const live = within(form.getByRole('group', { name: 'Link' }))
  await user.click(form.getByText('More parameters'))
  return { ...page, form, live }
}

async function fill(form: Form, values: Record<string, string>) {
  for (const [name, value] of Object.entries(values)) {
    await user.clear(fieldIn(form, name))
    await user.paste(value)
  }
}

const usual = { 'Landing page': AUTUMN, Source: 'facebook', Medium: 'paid_social', Campaign: 'autumn_2026' }
const linkIn = (live: Form) => live.getByText(/^https?:/).textContent
const submit = (form: Form) => user.click(form.getByRole('button', { name: 'Create link' }))

describe('the live link', () => {
  it('follows what is written, and says how GA4 will count it and what was replaced', async () => {
    const { form, live } = await drawn()
    expect(live.getByText('Enter a landing page, and the link appears here.').isConnected).toBe(true)
    await fill(form, {
      ...usual,
      'Landing page': `${AUTUMN}?ref=hp&utm_source=old#top`,
      'Campaign ID': 'AU-2026-11',
    })
    expect(linkIn(live)).toBe(
      `${AUTUMN}?ref=hp&utm_source=facebook&utm_medium=paid_social&utm_campaign=autumn_2026&utm_id=AU-2026-11#top`,
    )
    expect(live.getByText('GA4 will count it as Paid Social').isConnected).toBe(true)
    expect(live.getByText('Ads on social networks.').isConnected).toBe(true)
    expect(live.getByText(/Landing page: its own parameters .* are replaced/).isConnected).toBe(true)
    expect(live.getByText('128 / 2,048').isConnected).toBe(true)
  })

  it('has gaps for what is still missing, and cannot be copied before', async () => {
    const { form, live } = await drawn()
    await fill(form, { 'Landing page': AUTUMN, Source: 'facebook' })
    expect(linkIn(live)).toBe(`${AUTUMN}?utm_source=facebook&utm_medium=…&utm_campaign=…`)
    expect(live.getByText('Still missing: Medium, Campaign').isConnected).toBe(true)
    expect(live.queryByRole('button', { name: 'Copy link' })).toBeNull()
  })

  it('says which fields are in the way', async () => {
    const { form, live } = await drawn()
    await fill(form, { ...usual, 'Landing page': 'javascript:alert(1)', Content: 'amy@mail.demo' })
    expect(live.getByText('Something is wrong with: Landing page, Content').isConnected).toBe(true)
  })

  it('warns of capitals, of spaces and of a channel that GA4 does not know', async () => {
    const { form, live } = await drawn()
    await fill(form, { ...usual, Source: 'Leaflet', Medium: 'paper', Campaign: 'big sale' })
    expect(live.getByText(/^Source has capitals/).isConnected).toBe(true)
    expect(live.getByText(/^Campaign has spaces/).isConnected).toBe(true)
    expect(live.getByText(/^Medium: GA4 knows no channel/).isConnected).toBe(true)
  })

  it('is copied, which is confirmed', async () => {
    const { form, live } = await drawn()
    await fill(form, usual)
    await user.click(live.getByRole('button', { name: 'Copy link' }))
    expect((await live.findByRole('button', { name: 'Copied' })).isConnected).toBe(true)
  })

  it('has a QR code, which one with placeholders has not', async () => {
    const { form, live } = await drawn()
    await fill(form, usual)
    await user.click(live.getByRole('button', { name: 'QR code' }))
    const code = within(await screen.findByRole('dialog', { name: 'QR code' }))
    expect(code.getByRole<HTMLImageElement>('img').alt).toMatch(/^QR code of https:/)
    expect(code.getByText(/at least \d+ mm wide/).isConnected).toBe(true)
    await user.click(code.getByRole('button', { name: 'Close' }))
    await choose(form, 'Ad platform', 'Meta')
    await fill(form, { Campaign: '{{campaign.name}}' })
    expect(live.getByRole<HTMLButtonElement>('button', { name: 'QR code' }).disabled).toBe(true)
    expect(live.getByText(/nobody fills in the placeholders/).isConnected).toBe(true)
  })
})

describe('a new link', () => {
  it('is created, and the form stays filled in for the next one', async () => {
    const { form, bodies } = await drawn({ answers: { 'POST /api/ad/': linkOf() } })
    await choose(form, 'Advertiser', 'Aurora')
    await fill(form, { ...usual, Source: ' facebook ' })
    await submit(form)
    await expect.poll(bodies).toMatchObject([
      {
        advertiser: 1,
        preset: null,
        landing_url: AUTUMN,
        utm_source: 'facebook',
        utm_campaign: 'autumn_2026',
        utm_term: '',
        extra: [],
      },
    ])
    expect(bodies()[0]).not.toHaveProperty('name')
    await form.findByText(/^This link is in the list now/)
    expect(fieldIn(form, 'Campaign').value).toBe('autumn_2026')
    const button = form.getByRole<HTMLButtonElement>('button', { name: 'Create link' })
    expect(button.disabled).toBe(true)
    await fill(form, { Campaign: 'winter_2026' })
    expect(button.disabled).toBe(false)
  })

  it('changes what images and files say of the links that have them', async () => {
    const { form, calls } = await drawn({ search: { advertiser: 1 }, answers: { 'POST /api/ad/': linkOf() } })
    const reads = () => calls.filter(({ path }) => path === '/api/image/').length
    await user.click(form.getByText('Name, site and creative'))
    await expect.poll(reads).toBe(2)
    await fill(form, usual)
    await submit(form)
    await expect.poll(reads).toBe(4)
  })

  it('leaves what is written while it is being created', async () => {
    const { promise, resolve } = Promise.withResolvers()
    const { form } = await drawn({ search: { advertiser: 1 }, answers: { 'POST /api/ad/': () => promise } })
    await fill(form, usual)
    await submit(form)
    await fill(form, { Campaign: 'winter_2026' })
    resolve(linkOf())
    const button = form.getByRole<HTMLButtonElement>('button', { name: 'Create link' })
    await expect.poll(() => button.disabled).toBe(false)
    expect(fieldIn(form, 'Campaign').value).toBe('winter_2026')
  })

  it('marks what is missing after the first try, and not before', async () => {
    const { form, bodies } = await drawn()
    expect(form.queryByText('Please fill this in.')).toBeNull()
    await submit(form)
    expect(form.getAllByText('Please fill this in.')).toHaveLength(5)
    expect(bodies()).toEqual([])
  })

  it('opens what is folded where something in it is wrong', async () => {
    const { form } = await drawn()
    await fill(form, { ...usual, Content: 'amy@mail.demo' })
    await user.click(form.getByText('More parameters'))
    const fold = form.getByText('More parameters').closest('details')
    expect(fold?.open).toBe(false)
    await submit(form)
    expect(form.getByText(/looks like an e-mail address/).isConnected).toBe(true)
    expect(fold?.open).toBe(true)
  })

  it('says at its field what the server refuses', async () => {
    const refused = new Problem({ code: 'invalid', status: 400, fields: { site: ['field_not_available'] } })
    const { form } = await drawn({ search: { advertiser: 1 }, answers: { 'POST /api/ad/': refused } })
    await fill(form, usual)
    await submit(form)
    expect((await form.findByText('This is not available to you.')).isConnected).toBe(true)
  })

  it('begins with the advertiser by which the list is filtered', async () => {
    const { form } = await drawn({ search: { advertiser: 2 } })
    const picker = form.getByRole<HTMLInputElement>('combobox', { name: 'Advertiser' })
    await expect.poll(() => picker.value).toBe('Fjord Travel')
  })

  it('has parameters of the page, those that were left empty left out', async () => {
    const { form, bodies, live } = await drawn({
      search: { advertiser: 1 },
      answers: { 'POST /api/ad/': linkOf() },
    })
    await fill(form, usual)
    await user.click(form.getByRole('button', { name: 'Add parameter' }))
    const first = within(form.getByRole('group', { name: 'Parameter 1' }))
    await user.type(fieldIn(first, 'Name'), 'coupon')
    await user.type(fieldIn(first, 'Value'), 'AUTUMN10')
    await user.click(form.getByRole('button', { name: 'Add parameter' }))
    expect(linkIn(live)).toMatch(/&coupon=AUTUMN10$/)
    await submit(form)
    await expect.poll(bodies).toMatchObject([{ extra: [{ key: 'coupon', value: 'AUTUMN10' }] }])
  })
})

describe('what could not be read', () => {
  it('is not taken for nothing, and is read again', async () => {
    const answers = [new Problem({ code: 'forbidden', status: 403 }), listOf([presetOf()])]
    const { form } = await drawn({ answers: { 'GET /api/ad/preset/': () => answers.shift() } })
    await form.findByText('The options could not be loaded.', { exact: false })
    await user.click(form.getByRole('button', { name: 'Try again' }))
    await expect.poll(() => form.queryByText(/could not be loaded/)).toBeNull()
    await choose(form, 'Preset', 'Meta Ads')
  })

  it('is said of sites, publishers, images and files', async () => {
    const none = new Problem({ code: 'forbidden', status: 403 })
    const paths = ['site', 'publisher', 'image', 'file'].map(name => [`GET /api/${name}/`, none])
    const { form } = await drawn({ search: { advertiser: 1 }, answers: Object.fromEntries(paths) })
    await user.click(form.getByText('Name, site and creative'))
    await expect.poll(() => form.queryAllByText(/could not be loaded/)).toHaveLength(4)
  })
})

describe('a preset', () => {
  it('fills in its values, fixes some of them and offers others', async () => {
    const { form, live, bodies } = await drawn({
      search: { advertiser: 1 },
      answers: { 'POST /api/ad/': linkOf() },
    })
    await choose(form, 'Preset', 'Meta Ads')
    await fill(form, { 'Landing page': AUTUMN })
    expect(linkIn(live)).toBe(
      `${AUTUMN}?utm_source=facebook&utm_medium=paid_social&utm_campaign={{campaign.name}}&utm_content={{ad.id}}&utm_source_platform=Meta%20Ads`,
    )
    const locked = fieldIn(form, 'Source platform')
    expect([locked.value, locked.readOnly]).toEqual(['Meta Ads', true])
    expect(form.getByText('Fixed by the preset Meta Ads').isConnected).toBe(true)
    await choose(form, 'Source', 'instagram')
    await submit(form)
    await expect
      .poll(bodies)
      .toMatchObject([{ preset: 3, platform: 'meta', utm_source: 'instagram', utm_content: '{{ad.id}}' }])
  })

  it('stands under the name of whose it is, the agency’s first', async () => {
    const { form } = await drawn({ search: { advertiser: 1 } })
    await user.click(form.getByRole('combobox', { name: 'Preset' }))
    const names = (await screen.findAllByRole('option')).map(({ textContent }) => textContent)
    expect(names).toEqual(['No preset', 'Meta Ads', 'Newsletter'])
    expect(screen.getByText('Agency').isConnected).toBe(true)
  })

  it('of another advertiser goes with the advertiser', async () => {
    const { form } = await drawn({ search: { advertiser: 1 } })
    await choose(form, 'Preset', 'Newsletter')
    expect(fieldIn(form, 'Medium').readOnly).toBe(true)
    await choose(form, 'Advertiser', 'Fjord Travel')
    expect(fieldIn(form, 'Medium').readOnly).toBe(false)
    expect(form.getByRole<HTMLInputElement>('combobox', { name: 'Preset' }).value).toBe('No preset')
  })
})

describe('the placeholders of a platform', () => {
  it('are put where the cursor is', async () => {
    const { form } = await drawn()
    await choose(form, 'Ad platform', 'TikTok')
    const content = fieldIn(form, 'Content')
    await user.type(content, 'ad__eu')
    content.setSelectionRange(3, 3)
    await user.click(form.getByRole('button', { name: 'Insert __CID__ into Content' }))
    expect(content.value).toBe('ad___CID___eu')
    expect(document.activeElement).toBe(content)
    expect(content.selectionStart).toBe(10)
  })

  it('go into the campaign before any field has been used', async () => {
    const { form } = await drawn()
    await choose(form, 'Ad platform', 'Meta')
    await user.click(form.getByRole('button', { name: 'Insert {{campaign.name}} into Campaign' }))
    expect(fieldIn(form, 'Campaign').value).toBe('{{campaign.name}}')
  })

  it('of another one are refused', async () => {
    const { form } = await drawn()
    await choose(form, 'Ad platform', 'Meta')
    await fill(form, { ...usual, Content: '__CID__' })
    await submit(form)
    expect(form.getByText('This platform does not fill in this placeholder.').isConnected).toBe(true)
  })

  it('may not be known', async () => {
    const { form } = await drawn()
    await choose(form, 'Ad platform', 'LINE Ads')
    expect(form.getByText('No placeholders of LINE Ads are known.').isConnected).toBe(true)
  })

  it('of Google Ads come with a word about auto-tagging', async () => {
    const { form, live } = await drawn()
    await choose(form, 'Ad platform', 'Google Ads')
    await fill(form, usual)
    expect(live.getByText(/auto-tagging/).isConnected).toBe(true)
  })
})
