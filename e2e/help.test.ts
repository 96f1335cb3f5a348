import { expect, describe, it } from 'vitest'
import { expectUsable } from './axe.ts'
import { signInAs, start } from './test-product.ts'

const started = start()
const nothing = { count: 0, next: null, previous: null, results: [] }

describe('the keys', () => {
  it('lead to pages and to what is done most, except while somebody types or has switched them off', async () => {
    const page = await signInAs(started, 'manager', 'en')
    const open = (path: string) => page.goto(`${started.product.origin}${path}`)
    const pathIs = async (path: string) => await expect.poll(() => new URL(page.url()).pathname).toBe(path)
    // They are there together with the menu that lists them.
    const help = page.getByRole('button', { name: 'Help', exact: true })
    await open('/gs-template')
    await help.waitFor()
    await page.keyboard.press('?')
    const list = page.getByRole('dialog', { name: 'Keyboard shortcuts' })
    await list.getByText('Search reports, folders and pages').waitFor()
    await expectUsable(page, 'shortcuts', 'en')
    // What is open has the keys.
    await page.keyboard.press('n')
    await page.keyboard.press('Escape')
    await list.waitFor({ state: 'detached' })
    await pathIs('/gs-template')
    await page.keyboard.press('/')
    const search = page.getByRole('searchbox', { name: 'Search all folders' })
    await expect.poll(() => search.evaluate(each => each === document.activeElement)).toBe(true)
    await page.keyboard.type('gs?n/')
    await expect.poll(() => search.inputValue()).toBe('gs?n/')
    await pathIs('/gs-template')
    await search.fill('')
    await page.getByRole('heading', { level: 1 }).click()
    await page.keyboard.press('g')
    await page.keyboard.press('s')
    await pathIs('/sheets')
    await help.waitFor()
    await page.keyboard.press('n')
    await pathIs('/gs-template/template')

    await open('/profile')
    await page.getByRole('switch', { name: 'Single-key shortcuts' }).click()
    await page.getByRole('heading', { level: 1 }).click()
    await page.keyboard.press('n')
    await page.keyboard.press('?')
    await page.keyboard.press('Control+k')
    await page.getByRole('dialog', { name: 'Search' }).waitFor()
    await pathIs('/profile')
    expect(await list.count()).toBe(0)
    await page.context().close()
  })
})

describe.each(['en', 'zh-TW'] as const)('help in %s', language => {
  const words =
    language === 'en'
      ? {
          help: 'Help',
          about: 'About this page',
          sharing: 'How to share a spreadsheet',
          copy: 'Copy',
          news: 'What’s new',
          accounts: 'How to authorise accounts',
          partner: 'Give a partner access to your assets',
          title: 'Instructions',
        }
      : {
          help: '說明',
          about: '關於此頁',
          sharing: '如何共用試算表',
          copy: '複製',
          news: '新功能',
          accounts: '帳戶授權說明',
          partner: '允許合作夥伴存取你的資產',
          title: '授權說明',
        }

  it('says what a page is for, and which address a spreadsheet is shared with', async () => {
    const page = await signInAs(started, 'client-a', language)
    await page.goto(`${started.product.origin}/gs-template`)
    const choose = async (name: string) => {
      await page.getByRole('button', { name: words.help, exact: true }).click()
      await page.getByRole('menuitem', { name, exact: true }).click()
      return page.getByRole('dialog', { name })
    }
    const about = await choose(words.about)
    await about.getByText(language === 'en' ? 'All reports in their folders.' : '所有報表與資料夾').waitFor()
    await page.keyboard.press('Escape')
    await about.waitFor({ state: 'detached' })
    const sharing = await choose(words.sharing)
    await sharing.getByText(/@.*\./).waitFor()
    await sharing.getByRole('button', { name: words.copy }).waitFor()
    await expectUsable(page, 'sharing', language)
    await page.keyboard.press('Escape')
    await sharing.waitFor({ state: 'detached' })
    const news = await choose(words.news)
    await news.getByText(/\d+\.\d+\.\d+/).waitFor()
    expect(await news.getByRole('listitem').count()).toBeGreaterThan(0)
    await page.keyboard.press('Escape')
    await news.waitFor({ state: 'detached' })
    await page.setViewportSize({ width: 360, height: 800 })
    await page.getByRole('button', { name: words.help, exact: true }).click()
    const menu = await page.getByRole('menu').boundingBox()
    expect(menu?.x).toBeGreaterThanOrEqual(8)
    // Clients ask their specialist.
    expect(await page.getByRole('menuitem', { name: words.accounts }).count()).toBe(0)
    await page.context().close()
  })

  it('leads from a channel without accounts to its instructions, and from everywhere to all of them', async () => {
    const page = await signInAs(started, 'staff', language)
    const opened = async (act: () => Promise<void>) => {
      const [tab] = await Promise.all([page.waitForEvent('popup'), act()])
      await tab.getByRole('heading', { name: words.title, level: 1 }).waitFor()
      return tab
    }
    await page.route(/\/api\/ad\/account\/\?/, route => route.fulfill({ json: nothing }))
    // With it the server would read the accounts for the page itself.
    await page.context().clearCookies({ name: 'look' })
    await page.goto(`${started.product.origin}/gs-template/template`)
    await page.getByRole('button', { name: /Meta/ }).click()
    const atMeta = await opened(() => page.getByRole('link', { name: words.accounts }).click())
    expect(new URL(atMeta.url()).hash).toBe('#meta')
    await atMeta.getByText(words.partner).waitFor()
    await atMeta.close()

    await page.goto(`${started.product.origin}/gs-template`)
    await page.getByRole('button', { name: words.help, exact: true }).click()
    const all = await opened(() => page.getByRole('menuitem', { name: words.accounts }).click())
    await all.close()
    const fromMenu = await opened(() => page.getByRole('link', { name: words.title }).click())
    await expectUsable(fromMenu, 'instructions', language)
    await page.context().close()
  })

  it('of a person is offered to clients by name', async () => {
    const page = await signInAs(started, 'client-a', language)
    await page.goto(`${started.product.origin}/gs-template/template`)
    const whom =
      language === 'en'
        ? 'please contact your service specialist Sam Huang (staff@sheetcast.demo)'
        : '請聯絡您的服務專員Sam Huang（staff@sheetcast.demo）'
    await page.getByText(whom).first().waitFor()
    await page.context().close()
  })
})
