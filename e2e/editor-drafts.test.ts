import type { Page } from 'playwright-core'
import { beforeAll, describe, expect, it } from 'vitest'
import { dragOnto } from './drag-onto.ts'
import { callAs, enterAs, visit } from './test-product.ts'

const visited = visit('Mika Chen')
let page: Page
/** A report with a channel more than are open at first. */
let report = 0

beforeAll(async () => {
  ;({ page } = visited)
  // Closing the page with unsaved changes asks; everything here closes it on purpose.
  page.on('dialog', dialog => void dialog.accept())
  const { id } = await call<{ id: number }>('POST', PATH, {
    name: 'Drafts',
    channels: ['fb', 'aw', 'tt', 'ln'].map(channel => ({ channel, accounts: [], metrics: ['clicks'] })),
  })
  report = id
})

const PATH = '/api/gs-template-setting/'
const call = <Reply>(method: string, path: string, body?: object) =>
  callAs<Reply>(visited, method, path, body)
const name = () => page.getByLabel('Report name')
const open = async () => {
  await page.goto(`${visited.product.origin}/gs-template/template?id=${report}`)
  await name().waitFor()
}
const found = () => page.getByText(/^You have unsaved changes from /)
const stored = () =>
  page.evaluate(() => Object.keys(localStorage).filter(key => key.startsWith('sheetcast.draft.')))

describe('unsaved changes', () => {
  it('are offered after a reload, and discarded for good', async () => {
    await open()
    await name().fill('Typed and not saved')
    await expect.poll(stored).toHaveLength(1)
    await page.reload()
    await found().waitFor()
    await expect.poll(() => name().inputValue()).toBe('Drafts')
    await page.getByRole('button', { name: 'Discard' }).click()
    await expect.poll(stored).toEqual([])
    await page.reload()
    await name().waitFor()
    expect(await found().count()).toBe(0)
  })

  it('survive the end of the session, and are gone once they are saved', async () => {
    await name().fill('Survives the session')
    await expect.poll(stored).toHaveLength(1)
    await visited.context.clearCookies()
    await page.getByRole('button', { name: 'Save', exact: true }).click()
    await page.waitForURL(url => url.pathname === '/expired')
    await page.getByRole('link', { name: 'Sign in and go back' }).click()
    await page.getByRole('button', { name: 'Sign in as Mika Chen' }).click()
    await found().waitFor()
    await page.getByRole('button', { name: 'Restore' }).click()
    await expect.poll(() => name().inputValue()).toBe('Survives the session')
    await page.getByRole('button', { name: 'Save', exact: true }).click()
    await page.getByText('All changes saved').waitFor()
    await expect.poll(stored).toEqual([])
  })

  it('are merged with what somebody has saved meanwhile', async () => {
    await name().fill('Mine')
    await expect.poll(stored).toHaveLength(1)
    await page.goto('about:blank')
    const { version } = await call<{ version: number }>('GET', `${PATH}${report}/`)
    await call('PATCH', `${PATH}${report}/`, { version, fill_zero: true })
    await open()
    await found().waitFor()
    await page.getByRole('button', { name: 'Restore' }).click()
    await page.getByRole('dialog').getByRole('button', { name: 'Save selection' }).click()
    await page.getByText('All changes saved').waitFor()
    expect(await call('GET', `${PATH}${report}/`)).toMatchObject({ name: 'Mine', fill_zero: true })
  })

  it('of a new report are kept as well, and seen by nobody else', async () => {
    await page.goto(`${visited.product.origin}/gs-template/template`)
    await name().fill('A new one')
    await expect.poll(stored).toHaveLength(1)
    await page.reload()
    await page.getByText(/^You have an unsaved new report from .*“A new one”/).waitFor()
    await page.getByRole('button', { name: 'Restore' }).click()
    await expect.poll(() => name().inputValue()).toBe('A new one')
    const other = await enterAs(visited, 'Alice Aurora')
    const [entry] = await page.evaluate(() =>
      Object.entries(localStorage).filter(([key]) => key.includes('draft')),
    )
    await other.page.evaluate(([key, text]) => localStorage.setItem(key ?? '', text ?? ''), entry ?? [])
    await other.page.goto(`${visited.product.origin}/gs-template/template`)
    await other.page.getByLabel('Report name').waitFor()
    expect(await other.page.getByText(/unsaved new report/).count()).toBe(0)
    await other.context.close()
  })

  it('of new reports in two tabs are kept apart, and taken over from a tab that is closed', async () => {
    const tab = await visited.context.newPage()
    tab.on('dialog', dialog => void dialog.accept())
    await tab.goto(`${visited.product.origin}/gs-template/template`)
    const inTab = tab.getByLabel('Report name')
    const offered = tab.getByText(/^You have an unsaved new report from /)
    await inTab.fill('Typed in the second tab')
    await expect.poll(stored).toHaveLength(2)
    expect(await offered.count()).toBe(0)
    await tab.reload()
    await offered.filter({ hasText: '“Typed in the second tab”' }).waitFor()
    expect(await name().inputValue()).toBe('A new one')
    await tab.close()
    const openTabs = () =>
      page.evaluate(async () => {
        const { held = [] } = await navigator.locks.query()
        return held.filter(lock => lock.name?.startsWith('sheetcast-tab-')).length
      })
    await expect.poll(openTabs).toBe(1)
    const next = await visited.context.newPage()
    await next.goto(`${visited.product.origin}/gs-template/template`)
    await next.getByText(/“Typed in the second tab”/).waitFor()
    await next.getByRole('button', { name: 'Discard' }).click()
    await expect.poll(stored).toHaveLength(1)
    await next.reload()
    await next.getByLabel('Report name').waitFor()
    expect(await next.getByText(/unsaved new report/).count()).toBe(0)
    await next.close()
  })

  it('are removed when the person signs out, which asks first', async () => {
    const signOut = async () => {
      await page.getByRole('button', { name: /Mika Chen/ }).click()
      await page.getByRole('menuitem', { name: 'Sign out', exact: true }).click()
    }
    await signOut()
    const dialog = page.getByRole('dialog')
    await dialog.getByRole('button', { name: 'Cancel' }).click()
    await expect.poll(() => name().inputValue()).toBe('A new one')
    await signOut()
    await dialog.getByRole('button', { name: 'Leave' }).click()
    await page.waitForURL(url => url.pathname === '/sign-in')
    await expect.poll(stored).toEqual([])
    await page.getByRole('button', { name: 'Sign in as Mika Chen' }).click()
    await page.getByRole('navigation').first().waitFor()
  })
})

describe('many channels', () => {
  const header = (label: string) => page.getByRole('button', { name: `Settings of ${label}` })
  const isOpen = (label: string) => header(label).getAttribute('aria-expanded')

  it('are folded to a line each, and open one by one or all at once', async () => {
    await open()
    await expect.poll(() => isOpen('Meta ads')).toBe('false')
    await page
      .getByRole('button', { name: /^No accounts.*1 metric: Clicks/ })
      .first()
      .waitFor()
    await header('Meta ads').press('Enter')
    await expect.poll(() => isOpen('Meta ads')).toBe('true')
    await page.getByRole('button', { name: 'Move Meta ads down' }).click()
    await expect.poll(() => isOpen('Meta ads')).toBe('true')
    await expect.poll(() => isOpen('Google Ads')).toBe('false')
    await page.getByRole('button', { name: 'Collapse all' }).click()
    await expect.poll(() => isOpen('Meta ads')).toBe('false')
  })

  it('are moved while they are folded, by keys and by dragging, and saved in that order', async () => {
    const cards = page.getByRole('group', { name: /^Channel \d: / })
    const order = () =>
      cards.evaluateAll(all => all.map(card => card.getAttribute('aria-label')?.replace(/^Channel \d: /, '')))
    const handle = (label: string) =>
      page.getByRole('button', { name: new RegExp(`^Move ${label}, \\d of 4$`) })
    const folded = async () => await Promise.all((await order()).map(label => isOpen(label ?? '')))
    await page.setViewportSize({ width: 1440, height: 1600 })
    await open()
    await expect.poll(order).toEqual(['Meta ads', 'Google Ads', 'TikTok ads', 'LINE ads'])
    await expect.poll(folded).toEqual(['false', 'false', 'false', 'false'])
    await handle('LINE ads').press('ArrowUp')
    await expect.poll(order).toEqual(['Meta ads', 'Google Ads', 'LINE ads', 'TikTok ads'])
    await handle('LINE ads').press('Home')
    await expect.poll(order).toEqual(['LINE ads', 'Meta ads', 'Google Ads', 'TikTok ads'])
    await handle('TikTok ads').hover()
    await dragOnto(page, '#block-1')
    await expect.poll(order).toEqual(['LINE ads', 'TikTok ads', 'Meta ads', 'Google Ads'])
    expect(await folded()).toEqual(['false', 'false', 'false', 'false'])
    await page.getByRole('button', { name: 'Save', exact: true }).click()
    await page.getByText('All changes saved').waitFor()
    const { channels } = await call<{ channels: { channel: string }[] }>('GET', `${PATH}${report}/`)
    expect(channels.map(({ channel }) => channel)).toEqual(['ln', 'tt', 'fb', 'aw'])
  })

  it('open when saving finds an error in them', async () => {
    await header('TikTok ads').click()
    await page.getByRole('button', { name: 'Add filter' }).click()
    await header('TikTok ads').click()
    await page.getByRole('button', { name: 'Save', exact: true }).click()
    await page.getByText('Please enter a value.').waitFor()
    expect(await isOpen('TikTok ads')).toBe('true')
    expect(await isOpen('LINE ads')).toBe('false')
  })

  it('open when saving finds an error that was made in them at the last moment', async () => {
    await open()
    await page.getByRole('button', { name: 'Discard' }).click()
    await header('Google Ads').click()
    const elements = await Promise.all(
      [
        page.getByRole('button', { name: 'Add filter' }),
        header('Google Ads'),
        page.getByRole('button', { name: 'Save', exact: true }),
      ].map(button => button.elementHandle()),
    )
    // Before the page has had a moment to look at what was changed.
    await page.evaluate(async buttons => {
      for (const button of buttons) {
        ;(button as HTMLElement | null)?.click()
        await Promise.resolve()
      }
    }, elements)
    await page.getByText('Please enter a value.').waitFor()
    expect(await isOpen('Google Ads')).toBe('true')
    expect(await page.evaluate(() => document.activeElement?.getAttribute('aria-invalid'))).toBe('true')
  })
})

it('leads the agency’s people to what they do next with a report, and clients not', async () => {
  await page.setViewportSize({ width: 1440, height: 1000 })
  await open()
  const further = page.getByRole('navigation', { name: 'More about this report' })
  await expect
    .poll(() => further.getByRole('link').allInnerTexts())
    .toEqual(['Permission settings', 'Replace an account', 'Clone for another client', 'Report an issue'])
  await further.getByRole('link', { name: 'Clone for another client' }).click()
  await page.waitForURL(url => url.pathname === '/gs-template/care' && url.search.includes('clone'))
  const client = await enterAs(visited, 'Alice Aurora')
  const own = await callAs<{ id: number }>({ ...visited, context: client.context }, 'POST', PATH, {})
  await client.page.goto(`${visited.product.origin}/gs-template/template?id=${own.id}`)
  await client.page.getByLabel('Report name').waitFor()
  expect(await client.page.getByRole('navigation', { name: 'More about this report' }).count()).toBe(0)
  await client.context.close()
})

describe.each([
  { width: 390, height: 700 },
  { width: 1280, height: 720 },
])('in a window of $width × $height', viewport => {
  it('the focus is never below the bar with the buttons', async () => {
    await page.setViewportSize(viewport)
    await open()
    await page.getByRole('button', { name: 'Expand all' }).click()
    await name().focus()
    const covered: unknown[] = []
    for (let presses = 0; presses < 250; presses++) {
      await page.keyboard.press('Tab')
      const focus = await page.evaluate(focusBesideBar)
      if (focus.isInBar) break
      if (focus.isCovered) covered.push(focus)
    }
    expect(covered).toEqual([])
    expect((await page.evaluate(focusBesideBar)).isInBar).toBe(true)
  })
})

it('on a phone the preview is a tab beside the settings, which keep what was typed', async () => {
  await page.setViewportSize({ width: 390, height: 700 })
  await open()
  await name().fill('On a phone')
  const preview = page.getByRole('heading', { name: 'Preview', level: 2 })
  await expect.poll(() => preview.isVisible()).toBe(false)
  await page.getByText('Preview', { exact: true }).first().click()
  await expect.poll(() => preview.isVisible()).toBe(true)
  await expect.poll(() => name().isVisible()).toBe(false)
  await page.getByRole('link', { name: 'Channels not set' }).click()
  await expect.poll(() => name().inputValue()).toBe('On a phone')
  await expect.poll(() => name().isVisible()).toBe(true)
})

/** Runs in the page: where the focused element is, compared with the bar at the bottom. */
function focusBesideBar() {
  const bar = document.querySelector('[data-save-bar]')
  const focused = document.activeElement
  if (!bar || !focused) throw new Error('no bar, or no focus')
  const { top, bottom, height } = focused.getBoundingClientRect()
  const edge = bar.getBoundingClientRect().top
  return {
    name: focused.getAttribute('aria-label') ?? focused.textContent.slice(0, 40),
    isInBar: bar.contains(focused),
    // What is taller than the window can only begin above the bar.
    isCovered: !bar.contains(focused) && height > 0 && (height < edge ? bottom > edge + 1 : top > edge),
  }
}
