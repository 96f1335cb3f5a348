import type { Locator, Page } from 'playwright-core'
import { describe, expect, it } from 'vitest'
import { findProblems } from './axe.ts'
import { waitForFocusIn } from './focus.ts'
import { enter, runsIn, openPage, changeLook, wordsOf } from './user-window.ts'
import { start } from './test-product.ts'

const started = start()

const WIDE = 1440
const PHONE = 360

// Every dialog and popover is opened and checked in both themes, wide and on a phone; each in one of the
// languages, drawn anew for each run, and in both in the long form.

describe.each(['en', 'zh-TW'] as const)('every dialog in %s', language => {
  const words = wordsOf(language)
  const filled = (text: string, name: string) => text.replace('{{name}}', name)
  const { action } = words.reports
  /** What a menu of a report has that opens no dialog. */
  const reportMenu = [
    action.run,
    action.open,
    action.history,
    action.versions,
    action.settings,
    words.reports.favourite.add,
    words.reports.favourite.remove,
    words.actions.action.export,
    action.edit,
    action.view,
  ]

  it('of the list of reports passes the checks of WCAG 2.2 AA, and returns the focus', async () => {
    const { page, judge, judgeMenu, button, end } = await visitAs('manager')
    const { folders } = words.reports
    await openPage(page, `${started.product.origin}/gs-template?p=0`)
    await judgeMenu(page.locator('tbody [aria-haspopup="menu"]').first(), reportMenu, 5)
    const tree = page.getByRole('tree')
    await tree.getByRole('treeitem').nth(1).hover()
    const folder = tree.locator('[aria-haspopup="menu"]').first()
    // On a phone the tree is a dropdown, which has no such menu.
    await judgeMenu(folder, [words.actions.run_folder], 4, WIDE)
    await judge(folders.create, button(folders.create), WIDE)
    for (const name of [words.actions.import.open, words.actions.executions.open])
      await judge(name, button(name))
    await judge(words.app.header.search, button(words.app.header.search))
    await judge('bell', page.getByRole('banner').locator('[aria-haspopup="dialog"]').last())
    const { sheets } = words
    await openPage(page, `${started.product.origin}/sheets`)
    await judge(sheets.create, button(sheets.create))
    await page.getByRole('table').getByRole('link').first().click()
    await judge(sheets.share, button(sheets.share))
    await openPage(page, `${started.product.origin}/gs-template/template?id=1`)
    await page.getByRole('textbox', { name: words.editor.name }).fill('Another name')
    await judge(
      words.editor.leave.title,
      page.getByRole('link', { name: words.app.nav.spreadsheets, exact: true }).first(),
    )
    await end()
  })

  it('of superusers and of all does so too', async () => {
    const { page, judge, judgeMenu, button, end } = await visitAs('superuser')
    const { public_accounts, users, support, app } = words
    await openPage(page, `${started.product.origin}/gs-template?scope=all`)
    await judgeMenu(page.locator('tbody [aria-haspopup="menu"]').first(), reportMenu, 5)
    await openPage(page, `${started.product.origin}/setting/public-account`)
    await judge(public_accounts.connect.title, button(public_accounts.connect.title))
    await judgeMenu(
      page.locator('tbody [aria-haspopup="menu"]').first(),
      [public_accounts.action.test, public_accounts.action.import],
      3,
    )
    await openPage(page, `${started.product.origin}/setting/users`)
    await judge(users.create.title, button(users.create.title))
    await judgeMenu(page.locator('tbody [aria-haspopup="menu"]').last(), [users.action.open], 3)
    await openPage(page, `${started.product.origin}/support`)
    await judge(support.new.title, button(support.new.title))
    await judgeMenu(
      button(filled(app.header.account, 'Sasha Lin')),
      [app.header.profile, app.header.sign_out],
      1,
    )
    await end()
  })

  /** A window, and how to judge what opens in it. */
  async function visitAs(person: string) {
    const light = { language, colorScheme: 'light', width: WIDE } as const
    const { context, page } = await enter(started, light, person)
    const problems: string[] = []
    const looks = (narrow: number) =>
      [
        { colorScheme: 'light', width: WIDE },
        { colorScheme: 'dark', width: narrow },
      ] as const
    let count = 0
    /** Both languages reach the same dialogs in the same order. */
    const isNextDrawn = () => runsIn(language, `a dialog of the ${person}: ${count++}`)
    const button = (name: string) => page.getByRole('button', { name, exact: true }).first()

    async function judge(what: string, opener: Locator, narrow = PHONE) {
      if (isNextDrawn()) await judgeNow(what, () => opener.click(), narrow)
    }

    /** All dialogs that the menu's entries open, except the named ones; at least this many. */
    async function judgeMenu(opener: Locator, without: readonly string[], least: number, narrow = PHONE) {
      await opener.click()
      const menu = page.getByRole('menu')
      await menu.waitFor()
      const entries = menu.getByRole('menuitem', { disabled: false })
      const names = await entries.allInnerTexts()
      const chosen = names.map(name => name.trim()).filter(name => !without.includes(name))
      expect(chosen.length).toBeGreaterThanOrEqual(least)
      await close(page, menu)
      for (const name of chosen) if (isNextDrawn()) await judgeNow(name, () => choose(opener, name), narrow)
    }

    async function choose(opener: Locator, name: string) {
      await opener.click()
      await page.getByRole('menuitem', { name, exact: true }).click()
    }

    /** Opens it, checks it for accessibility, and closes it by Escape. */
    async function judgeNow(what: string, open: () => Promise<void>, narrow: number) {
      await open()
      const dialog = page.getByRole('dialog').last()
      await dialog.waitFor()
      for (const look of looks(narrow)) {
        await changeLook(page, look)
        const where = `${what}, ${look.colorScheme}, ${look.width} px`
        problems.push(...(await findProblems(page, where, { within: '[role="dialog"]' })))
      }
      await changeLook(page, light)
      await close(page, dialog)
      await expect.poll(() => hasFocus(page), { message: what }).toBe(true)
    }

    async function end() {
      await context.close()
      expect(problems).toEqual([])
    }
    return { page, judge, judgeMenu, button, end }
  }
})

async function close(page: Page, opened: Locator) {
  await waitForFocusIn(page, '[role="menu"], [role="dialog"]')
  // A select to search in opens its list with the focus, perhaps only now: an Escape closes that alone.
  await expect
    .poll(async () => {
      if ((await opened.count()) > 0) await page.keyboard.press('Escape')
      return await opened.count()
    })
    .toBe(0)
}

/** The focus must not fall back to the top of the page. */
const hasFocus = (page: Page) => page.evaluate(() => document.activeElement !== document.body)
