import type { Browser, Locator, Page } from 'playwright-core'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { drawn } from '#server/testing/random.ts'
import { findProblems, type Rules } from './axe.ts'
import { closeWindows, openWindow, sharedBrowser } from './browser.ts'
import { waitForFocusIn } from './focus.ts'
import { startGallery, type RunningGallery } from './gallery.ts'

let gallery: RunningGallery
let browser: Browser
/** For all tests, each of which opens its own part anew: a window costs more than a page. */
let page: Page
beforeAll(async () => {
  ;[gallery, browser] = await Promise.all([startGallery(), sharedBrowser()])
  page = await (await openWindow(browser)).newPage()
})
afterAll(async () => {
  await closeWindows(browser)
  await gallery?.stop()
})

interface Look {
  width: number
  language: 'en' | 'zh-TW'
  theme: 'light' | 'dark'
}

/** Opens a part of the gallery; `still` without animations, during which colours are pale. */
async function open(part: string, { width, language, theme }: Look, { still = false } = {}) {
  await page.setViewportSize({ width, height: 900 })
  await page.emulateMedia({ reducedMotion: still ? 'reduce' : 'no-preference' })
  await page.mouse.move(0, 0)
  await page.goto(`${gallery.origin}?part=${part}&language=${language}&theme=${theme}`)
  await page.getByRole('heading', { level: 1 }).waitFor()
}
async function focused(control: Locator) {
  await expect.poll(() => control.evaluate(each => each === document.activeElement)).toBe(true)
}
const sizeOf = async (role: 'listbox' | 'dialog') => {
  const box = await page.getByRole(role).evaluate(each => each.getBoundingClientRect().toJSON())
  return { width: Math.round(box.width), height: Math.round(box.height) }
}

const narrow: Look = { width: 360, language: 'en', theme: 'light' }
const wide: Look = { width: 1440, language: 'en', theme: 'light' }
const parts = [
  'fields',
  'choices',
  'money',
  'dates',
  'files',
  'menus',
  'tables',
  'charts',
  'messages',
  'notices',
  'dialogs',
  'page',
]

describe.each([narrow, wide])('at $width px', look => {
  it('a multi-select collapses its chips after three, and its list is 230 px high', async () => {
    await open('choices', look)
    const removers = page.getByRole('button', { name: /^Remove Aurora/ })
    await expect.poll(() => removers.allInnerTexts()).toHaveLength(6)
    await page.getByText('+2', { exact: true }).waitFor()
    await expect.poll(() => page.getByText(/^\+\d/).count()).toBe(1)
    await page.getByRole('button', { name: 'Five chosen' }).press('Enter')
    await expect.poll(async () => (await sizeOf('listbox')).height).toBe(230)
  })

  it('a dropdown is at most 14 rem high', async () => {
    await open('choices', look)
    await page.getByRole('combobox', { name: 'Searchable' }).click()
    await page.getByRole('option').first().waitFor()
    const rem = await page.evaluate(() =>
      Number.parseFloat(getComputedStyle(document.documentElement).fontSize),
    )
    const heightInRem = async () => (await sizeOf('listbox')).height / rem
    await expect.poll(heightInRem).toSatisfy((height: number) => height > 13 && height <= 14)
  })

  it('the calendar is 300 px wide', async () => {
    await open('dates', look)
    await page.getByRole('button', { name: 'Two days' }).click()
    await expect.poll(() => sizeOf('dialog')).toMatchObject({ width: 300 })
  })
})

describe('by keyboard', () => {
  it('options are found, chosen and removed, and the focus returns to the field', async () => {
    await open('choices', wide)
    const field = page.getByRole('button', { name: 'Three chosen' })
    await field.press('Enter')
    await focused(page.getByRole('combobox', { name: 'Search', exact: true }))
    await page.keyboard.type('0099')
    await page.getByRole('option', { name: 'Aurora 0099' }).waitFor()
    await page.keyboard.press('Enter')
    await expect
      .poll(() => page.getByRole('option', { name: 'Aurora 0099' }).getAttribute('aria-selected'))
      .toBe('true')
    await page.keyboard.press('Enter')
    await expect
      .poll(() => page.getByRole('option', { name: 'Aurora 0099' }).getAttribute('aria-selected'))
      .toBe('false')
    await page.keyboard.press('Escape')
    await page.getByRole('listbox').waitFor({ state: 'detached' })
    await focused(field)
  })

  it('one option of a hundred is searched for and chosen', async () => {
    await open('choices', wide)
    const field = page.getByRole('combobox', { name: 'Searchable' })
    await field.fill('Sheet 77')
    await page.getByRole('option', { name: 'Sheet 77' }).waitFor()
    await page.keyboard.press('ArrowDown')
    await page.keyboard.press('Enter')
    await expect.poll(() => field.inputValue()).toBe('Sheet 77')
  })

  it('chips are moved and removed', async () => {
    await open('choices', wide)
    await page.getByRole('button', { name: 'Campaign, 2 of 3' }).press('ArrowLeft')
    await page.getByRole('button', { name: 'Campaign, 1 of 3' }).press('Delete')
    await expect
      .poll(() => page.getByRole('button', { name: /of 2$/ }).allInnerTexts())
      .toEqual(expect.arrayContaining(['Date', 'Ad']))
  })

  it('a menu opens on its first entry, wraps around, and returns the focus', async () => {
    await open('menus', wide)
    for (const name of ['A small menu', 'Actions for Aurora']) {
      const button = page.getByRole('button', { name })
      await button.press('Enter')
      await waitForFocusIn(page, '[role="menu"]')
      await page.keyboard.press('ArrowDown')
      await page.keyboard.press('Escape')
      await focused(button)
    }
  })
})

describe('a drop zone', () => {
  const PNG =
    'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg=='
  const picture = (name: string) => ({ name, mimeType: 'image/png', buffer: Buffer.from(PNG, 'base64') })
  const zone = () => page.getByRole('group', { name: 'A picture', exact: true })
  /** Files that come with a drop or a paste. */
  const hand = (kind: 'drop' | 'paste') =>
    zone().evaluate(
      (element, { base64, event }) => {
        const bytes = Uint8Array.from(atob(base64), letter => letter.charCodeAt(0))
        const data = new DataTransfer()
        data.items.add(new File([bytes], `${event}.png`, { type: 'image/png' }))
        element.dispatchEvent(
          event === 'drop'
            ? new DragEvent('drop', { bubbles: true, cancelable: true, dataTransfer: data })
            : new ClipboardEvent('paste', { bubbles: true, cancelable: true, clipboardData: data }),
        )
      },
      { base64: PNG, event: kind },
    )

  it('accepts a picture by keyboard, shows it, and returns the focus when it is removed', async () => {
    await open('files', wide)
    const button = zone().getByRole('button', { name: 'Choose a file' })
    const [chooser] = await Promise.all([page.waitForEvent('filechooser'), button.press('Enter')])
    await chooser.setFiles(picture('chosen.png'))
    const listItem = page.getByRole('listitem').filter({ hasText: 'chosen.png' })
    await expect
      .poll(() => listItem.locator('img').evaluate(img => (img as HTMLImageElement).naturalWidth))
      .toBe(1)
    await listItem.getByRole('button', { name: 'Remove chosen.png' }).press('Enter')
    await listItem.waitFor({ state: 'detached' })
    await focused(button)
  })

  it('accepts what is dropped or pasted; where one is allowed, the newer one stays', async () => {
    await open('files', wide)
    await hand('drop')
    await page.getByText('drop.png').waitFor()
    await hand('paste')
    await page.getByText('paste.png').waitFor()
    await expect.poll(() => page.getByText('drop.png').count()).toBe(0)
  })

  it('says of each file why it was left out', async () => {
    await open('files', wide)
    const choose = async (name: string, files: { name: string; mimeType: string; buffer: Buffer }[]) => {
      const button = page.getByRole('group', { name, exact: true }).getByRole('button', { name: /^Choose/ })
      const [chooser] = await Promise.all([page.waitForEvent('filechooser'), button.click()])
      await chooser.setFiles(files)
    }
    const script = { name: 'page.png', mimeType: 'image/png', buffer: Buffer.from('<script>') }
    await choose('A picture', [script])
    await page.getByRole('alert').getByText('“page.png” is not a supported file type.').waitFor()
    const large = {
      ...picture('large.png'),
      buffer: Buffer.concat([Buffer.from(PNG, 'base64'), Buffer.alloc(200_000)]),
    }
    await choose('A picture', [large])
    await page.getByRole('alert').getByText('“large.png” is larger than 100 kB.').waitFor()
    const table = (name: string) => ({ name, mimeType: 'text/csv', buffer: Buffer.from('a,b') })
    await choose('Up to three tables', ['1.csv', '2.csv', '3.csv'].map(table))
    await page.getByRole('alert').getByText('“3.csv” was not added. You can choose up to 3 files.').waitFor()
  })
})

describe('a dialog or a popover', () => {
  const sent = () => page.getByText(/^Sent \d+ times$/).innerText()

  it('sends nothing when it is closed, by whichever way', async () => {
    await open('dialogs', wide)
    for (const opener of ['Question', 'Dangerous question', 'Form', 'Delete a folder', 'Update a folder']) {
      for (const way of ['Escape', 'Cancel', 'outside']) {
        const button = page.getByRole('button', { name: opener, exact: true })
        await button.click()
        const dialog = page.getByRole('dialog')
        await waitForFocusIn(page, '[role="dialog"]')
        if (way === 'Escape') await page.keyboard.press('Escape')
        else if (way === 'Cancel') await dialog.getByRole('button', { name: 'Cancel' }).click()
        else await page.mouse.click(1200, 850)
        await dialog.waitFor({ state: 'detached' })
        if (way === 'Escape') await focused(button)
      }
    }
    await expect.poll(sent).toBe('Sent 0 times')
  })

  it('cannot be sent or closed while the request is under way', async () => {
    await open('dialogs', wide)
    for (const [opener, submit] of [
      ['Question, under way', 'Delete'],
      ['Move a folder', 'Move'],
    ] as const) {
      await page.getByRole('button', { name: opener, exact: true }).click()
      const dialog = page.getByRole('dialog')
      await expect
        .poll(() => dialog.getByRole('button', { name: submit, exact: true }).isDisabled())
        .toBe(true)
      await expect.poll(() => dialog.getByRole('button', { name: 'Cancel' }).isDisabled()).toBe(true)
      await page.keyboard.press('Escape')
      await page.keyboard.press('Enter')
      await expect.poll(() => dialog.isVisible()).toBe(true)
      await expect.poll(sent).toBe('Sent 0 times')
      await page.reload()
    }
  })

  it('sends once with Enter in its field', async () => {
    await open('dialogs', wide)
    await page.getByRole('button', { name: 'Form', exact: true }).click()
    await page.getByRole('dialog').getByLabel('Name').press('Enter')
    await expect.poll(sent).toBe('Sent 1 times')
  })
})

it('an inline alert without severity is not there', async () => {
  await open('messages', wide)
  await expect.poll(() => page.getByText('Never seen').count()).toBe(0)
  expect(await page.getByTestId('without-severity').innerHTML()).toBe('')
})

const looks: (Look & { rules: Rules })[] = [
  { width: 1280, language: 'en', theme: 'light', rules: 'all' },
  { width: 1280, language: 'zh-TW', theme: 'dark', rules: 'colours' },
  { width: 360, language: 'zh-TW', theme: 'light', rules: 'all but colours' },
  { width: 320, language: 'en', theme: 'dark', rules: 'none' },
]

describe.each(looks)('every widget, $width px wide, in $language, $theme', look => {
  it('passes the checks of WCAG 2.2 AA, fits, and can be hit', async () => {
    const problems: string[] = []
    // Colours are judged of every widget each time.
    const judgesColours = look.rules === 'all' || look.rules === 'colours'
    const chosenParts = judgesColours ? parts : drawn(parts, 2, `widgets at ${look.width} px`)
    for (const part of chosenParts) {
      await open(part, look, { still: true })
      // Its code comes later; nothing else does.
      if (part === 'charts') await page.waitForLoadState('networkidle')
      problems.push(...(await findProblems(page, part, { rules: look.rules })))
    }
    expect(problems).toEqual([])
  })
})
