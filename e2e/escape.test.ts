import type { Locator } from 'playwright-core'
import { describe, expect, it } from 'vitest'
import { waitForFocusIn } from './focus.ts'
import { callAs, visit } from './test-product.ts'

// What is open inside of something else: one press of Escape closes the innermost alone.

const visited = visit('Sasha Lin')
const open = (path: string) => visited.page.goto(`${visited.product.origin}${path}`)
const button = (name: string | RegExp) => visited.page.getByRole('button', { name }).first()
const dialog = (name: string | RegExp) => visited.page.getByRole('dialog', { name })

/** Closes the inner one by a press, and the outer one, which is still there, by another. */
async function closesInnerFirst(inner: Locator, outer: Locator, focusIn = '[role="dialog"]') {
  await inner.waitFor()
  await waitForFocusIn(visited.page, focusIn)
  await visited.page.keyboard.press('Escape')
  await inner.waitFor({ state: 'detached' })
  expect(await outer.count()).toBe(1)
  await visited.page.keyboard.press('Escape')
  await outer.waitFor({ state: 'detached' })
}

describe('Escape', () => {
  const form = () => dialog('Report an issue')
  const newIssue = async () => {
    await open('/support')
    await button('Report an issue').click()
    await form().waitFor()
  }

  it('closes a calendar, and then the form that it is in', async () => {
    await newIssue()
    await form().getByRole('button', { name: 'Calendar' }).click()
    const calendar = dialog('Calendar')
    await expect.poll(() => calendar.locator('[aria-current="date"]').count()).toBe(1)
    await closesInnerFirst(calendar, form())
  })

  it('closes the list of a select, and then the form that it is in', async () => {
    await newIssue()
    await form().getByRole('combobox', { name: 'Report' }).click()
    const list = visited.page.getByRole('listbox')
    await list.waitFor()
    await closesInnerFirst(list, form())
  })

  it('closes the list of a multi-select, and then the form that it is in', async () => {
    await open('/setting/users')
    await button('New user').click()
    const user = dialog('New user')
    await user.getByRole('button', { name: 'Clients' }).click()
    await closesInnerFirst(visited.page.getByRole('listbox'), user)
  })

  it('asks before it closes a form with text, keeps the text, and discards it only on request', async () => {
    await newIssue()
    const text = form().getByRole('textbox', { name: 'Description' })
    await text.fill('The numbers are odd.')
    await visited.page.keyboard.press('Escape')
    const question = dialog('Discard your changes?')
    await question.waitFor()
    await waitForFocusIn(visited.page, '[role="dialog"]')
    await visited.page.keyboard.press('Escape')
    await question.waitFor({ state: 'detached' })
    expect(await text.inputValue()).toBe('The numbers are odd.')
    await form().getByRole('button', { name: 'Close' }).click()
    await question.getByRole('button', { name: 'Keep editing' }).click()
    await question.waitFor({ state: 'detached' })
    await text.fill('')
    await visited.page.keyboard.press('Escape')
    await form().waitFor({ state: 'detached' })
    await newIssue()
    await text.fill('Something else.')
    await visited.page.keyboard.press('Escape')
    await question.getByRole('button', { name: 'Discard', exact: true }).click()
    await form().waitFor({ state: 'detached' })
  })

  it('closes the list of a select in a form beside a folder, and then that form', async () => {
    await callAs(visited, 'POST', '/api/gs-template-folder/', { name: 'Spring' })
    await open('/gs-template')
    const folder = visited.page.getByRole('treeitem').nth(1)
    await folder.hover()
    await folder.locator('[aria-haspopup="menu"]').click()
    await visited.page.getByRole('menuitem', { name: 'Move', exact: true }).click()
    const move = visited.page.getByRole('dialog')
    await move.getByRole('combobox').click()
    await closesInnerFirst(visited.page.getByRole('listbox'), move)
  })

  it('closes a menu over the page, and leaves the page', async () => {
    await open('/gs-template')
    const opener = visited.page.locator('tbody [aria-haspopup="menu"]').first()
    await opener.click()
    const menu = visited.page.getByRole('menu').filter({ visible: true })
    await menu.waitFor()
    await waitForFocusIn(visited.page, '[role="menu"]')
    await visited.page.keyboard.press('Escape')
    await expect.poll(() => menu.count()).toBe(0)
    await expect.poll(() => opener.evaluate(each => each === document.activeElement)).toBe(true)
  })
})

describe('a calendar', () => {
  it.each([
    [320, 640],
    [900, 900],
    [1440, 560],
  ])('is whole in a window of %d × %d px, and marks today', async (width, height) => {
    await visited.page.setViewportSize({ width, height })
    await open('/gs-template/template?id=1')
    const field = button(/^Dates|^Date range/)
    await field.scrollIntoViewIfNeeded()
    await field.click()
    const calendar = visited.page.getByRole('dialog').filter({ has: visited.page.locator('table') })
    await calendar.waitFor()
    await expect
      .poll(async () => {
        const box = await calendar.boundingBox()
        return box && [box.width, box.x >= 0, box.y >= 0, box.x + 300 <= width, box.y + box.height <= height]
      })
      .toEqual([300, true, true, true, true])
    await visited.page.keyboard.press('Escape')
    await calendar.waitFor({ state: 'detached' })
    await visited.page.setViewportSize({ width: 1440, height: 1000 })
  })
})
