import type { Page } from 'playwright-core'
import { beforeAll, describe, expect, it } from 'vitest'
import { dragOnto } from './drag-onto.ts'
import { waitForFocusIn } from './focus.ts'
import { enterAs, visit } from './test-product.ts'

const visited = visit('Mika Chen')
let page: Page

beforeAll(async () => {
  ;({ page } = visited)
})

const button = (name: string | RegExp) => page.getByRole('button', { name, exact: true })
const openNew = async (search = '') => {
  await page.goto(`${visited.product.origin}/gs-template/template${search}`)
  await page.getByLabel('Report name').waitFor()
}
const cards = () => page.getByRole('group', { name: /^Channel \d: / })
const cardNames = () =>
  cards().evaluateAll(all => all.map(card => card.getAttribute('aria-label')?.replace(/^Channel \d: /, '')))
const addChannel = async (name: string) => {
  const more = button('Add channel')
  await button(`Add ${name}`).or(more).first().waitFor()
  if (!(await button(`Add ${name}`).isVisible())) await more.click()
  await button(`Add ${name}`).click()
}

describe('the channels', () => {
  it('are reordered by keys and by buttons, and say where they are', async () => {
    await openNew()
    for (const name of ['Meta ads', 'Google Ads', 'GA4']) await addChannel(name)
    await button('Move GA4, 3 of 3').focus()
    await page.keyboard.press('ArrowUp')
    await page.getByText('GA4 is now 2 of 3.').waitFor({ state: 'attached' })
    await expect.poll(cardNames).toEqual(['Meta ads', 'GA4', 'Google Ads'])
    await expect
      .poll(() => button('Move GA4, 2 of 3').evaluate(each => each === document.activeElement))
      .toBe(true)
    await page.keyboard.press('Home')
    await button('Move Google Ads up').click()
    await expect.poll(cardNames).toEqual(['GA4', 'Google Ads', 'Meta ads'])
  })

  it('are dragged by their headers', async () => {
    // All of them in view: a pointer does not scroll.
    await page.setViewportSize({ width: 1440, height: 2200 })
    await openNew()
    for (const name of ['GA4', 'Google Ads', 'Meta ads']) await addChannel(name)
    // The fields of a new card are drawn a moment after its header.
    await expect.poll(() => cards().locator('[aria-busy]').count()).toBe(0)
    // And what is added receives the focus, which opens its list.
    await waitForFocusIn(page, '#block-2')
    await cards().nth(2).getByText('Meta ads', { exact: true }).hover()
    await dragOnto(page, '#block-0')
    await expect.poll(cardNames).toEqual(['Meta ads', 'GA4', 'Google Ads'])
  })

  it('are duplicated with everything but their name, and removed', async () => {
    await button('Duplicate Meta ads').click()
    await expect.poll(cardNames).toEqual(['Meta ads', 'Meta ads 2', 'GA4', 'Google Ads'])
    await button('Remove GA4').click()
    await page.getByText('GA4 removed. Press Undo to bring it back.').waitFor({ state: 'attached' })
    await page.keyboard.press('Control+z')
    await expect.poll(cardNames).toEqual(['Meta ads', 'Meta ads 2', 'GA4', 'Google Ads'])
  })

  it('are ten at most', async () => {
    for (let count = 4; count < 10; count++) await button('Duplicate Google Ads').click()
    await page.setViewportSize({ width: 1440, height: 1000 })
    await page.getByText('A report has at most 10 channels.').waitFor()
    await expect.poll(() => button('Add channel').isDisabled()).toBe(true)
    await expect.poll(() => button('Duplicate Google Ads').isDisabled()).toBe(true)
  })

  it('offer accounts by advertiser, and collapse what is chosen after three', async () => {
    await openNew()
    await addChannel('Meta ads')
    await button('Accounts').click()
    const list = page.getByRole('listbox', { name: 'Accounts' })
    const { results } = await read<{ results: { name: string; advertiser_name: string | null }[] }>(
      '/api/ad/account/?channel=fb&limit=100',
    )
    const advertisers = new Set(results.map(each => each.advertiser_name ?? 'No advertiser'))
    // The list is open before its accounts have loaded.
    await list.getByRole('option').first().waitFor()
    const lines = await list.evaluate(each =>
      [...each.querySelectorAll('[role="option"], [role="presentation"]')].map(line => line.textContent),
    )
    const groups = lines.filter(line => advertisers.has(line ?? ''))
    expect(groups.length).toBeGreaterThan(1)
    expect(lines[0]).toBe(groups[0])
    // Between the name of an advertiser and the next one are its own accounts.
    const misplaced = lines.filter((line, index) => {
      const group = lines.slice(0, index + 1).findLast(each => advertisers.has(each ?? ''))
      const account = results.find(each => line?.startsWith(each.name))
      return line !== group && (account?.advertiser_name ?? 'No advertiser') !== group
    })
    expect(misplaced).toEqual([])
    await expect.poll(async () => (await list.boundingBox())?.height).toBeLessThanOrEqual(230)
    await waitForFocusIn(page, '[role="listbox"]')
    // On a phone the long id of an account has a line to itself, beside no button.
    const viewport = page.viewportSize()
    await page.setViewportSize({ width: 360, height: 740 })
    const explanation = page.locator('[id$="-explanation"]')
    await expect.poll(() => explanation.evaluate(each => each.scrollWidth - each.clientWidth)).toBe(0)
    await page.setViewportSize(viewport ?? { width: 1440, height: 1000 })
    for (let pick = 0; pick < 4; pick++) {
      await page.keyboard.press('Enter')
      await page.keyboard.press('ArrowDown')
    }
    await page.keyboard.press('Escape')
    await page.getByText('1 more selected').waitFor({ state: 'attached' })
  })

  it('explain their metrics, and store favourites for the person', async () => {
    await button('Metrics').click()
    const search = page.getByRole('combobox', { name: 'Search' })
    await search.fill('cpm')
    await page.getByRole('option', { name: 'CPM', exact: true }).hover()
    const explained = async () =>
      await page.locator(`[id="${await search.getAttribute('aria-describedby')}"]`).allInnerTexts()
    await expect.poll(explained).toEqual([expect.stringMatching(/.{10}/)])
    await page.keyboard.press('Tab')
    await button('Favourite: CPM').press('Enter')
    await search.fill('')
    await page.getByText('Favourites', { exact: true }).waitFor()
    await page.keyboard.press('Escape')
    await button('Add favourites').click()
    await button('Remove CPM').waitFor()
    await button('Add common metrics').click()
    await button('Remove Impressions').waitFor()
    await openNew()
    await addChannel('Meta ads')
    await button('Add favourites').waitFor()
  })
})

describe('an example', () => {
  it.each([
    ['daily', 'Daily performance'],
    ['campaigns', 'Campaign overview'],
    ['keywords', 'Keyword detail'],
    ['traffic', 'GA4 traffic sources'],
    ['funnel', 'E-commerce funnel'],
    ['monthly', 'Client monthly'],
  ])('"%s" fills the editor with accounts, and can be saved at once', async (example, name) => {
    await openNew(`?example=${example}`)
    await expect.poll(() => page.getByLabel('Report name').inputValue()).toBe(name)
    await page.getByText(/^Filled in with the accounts of /).waitFor()
    await button('Save').click()
    await page.getByText('The report has been saved.').waitFor()
    const id = Number(new URL(page.url()).searchParams.get('id'))
    const { channels } = await read(`/api/gs-template-setting/${id}/`)
    expect(channels.length).toBeGreaterThan(0)
    for (const block of channels) expect(block.accounts.length).toBeGreaterThan(0)
  })

  it('is chosen for a client, whose channels, accounts, schedule and name it fills in', async () => {
    await page.goto(`${visited.product.origin}/gs-template/new`)
    const example = page.getByRole('button', { name: /Daily performance/ })
    await example.waitFor()
    await expect.poll(() => example.isDisabled()).toBe(true)
    const { results } = await read<{ results: { id: number; name: string }[] }>(
      '/api/ad/account/advertisers/',
    )
    const [client] = results
    await page.getByRole('radio', { name: client?.name ?? '' }).check()
    await page.getByRole('link', { name: /Daily performance/ }).click()
    await page.getByText(`Filled in with the accounts of ${client?.name}`).waitFor()
    await expect
      .poll(() => page.getByLabel('Report name').inputValue())
      .toBe(`${client?.name} · Daily performance`)
    await page.getByText('Every day AM 09:00').waitFor()
    await button('Save').click()
    await page.getByText('The report has been saved.').waitFor()
    const id = Number(new URL(page.url()).searchParams.get('id'))
    const { channels } = await read(`/api/gs-template-setting/${id}/`)
    for (const { channel, accounts } of channels) {
      const all = await read<{ results: { id: number; status: string }[] }>(
        `/api/ad/account/?channel=${channel}&advertiser=${client?.id}&limit=100`,
      )
      const isOpen = all.results.filter(({ status }) => status !== 'disabled').map(each => each.id)
      expect(accounts.toSorted()).toEqual(isOpen.toSorted())
    }
    // The client is remembered; a report to copy is found by its name, and opens.
    await page.goto(`${visited.product.origin}/gs-template/new`)
    await page.getByRole('link', { name: `All channels of ${client?.name}` }).waitFor()
    await button(`Copy ${client?.name} · Daily performance`).click()
    await page.getByRole('dialog').getByRole('button', { name: 'Copy', exact: true }).click()
    await expect
      .poll(() => page.getByLabel('Report name').inputValue())
      .toBe(`${client?.name} · Daily performance (copy)`)
  })

  it('says to a client what is not available, in words meant for clients', async () => {
    const client = await enterAs(visited, 'Bo Borealis')
    await client.page.goto(`${visited.product.origin}/gs-template/template?example=monthly`)
    const leftOut = client.page.getByText('Left out, since you have no available accounts: ')
    const channel = (await leftOut.innerText()).replace(/^.*: /, '').split(/, |\./)[0]
    await client.page.goto(`${visited.product.origin}/gs-template/template`)
    await client.page.getByText('please contact your service specialist').waitFor()
    await client.page.getByRole('button', { name: `Add ${channel}`, exact: true }).click()
    await client.page
      .getByText(`No ${channel} account is available to you yet. Usually the permission has not been granted`)
      .waitFor()
    await client.context.close()
  })
})

interface Saved {
  id: number
  channels: { channel: string; accounts: number[] }[]
}

/** A client of the same person's API. */
async function read<Body = Saved>(path: string): Promise<Body> {
  const token = (await visited.context.cookies()).find(each => each.name === 'access_token')?.value
  const response = await fetch(`${visited.product.origin}${path}`, {
    headers: { authorization: `Bearer ${token}` },
  })
  if (!response.ok) throw new Error(await response.text())
  return (await response.json()) as Body
}
