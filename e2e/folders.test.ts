import type { Route } from 'playwright-core'
import { describe, expect, it } from 'vitest'
import { en } from '#web/i18n/en.ts'
import { zhTW } from '#web/i18n/zh-TW.ts'
import { waitForFocusIn } from './focus.ts'
import { callAs, visit } from './test-product.ts'

const visited = visit('Mika Chen')
const FOLDERS = '/api/gs-template-folder/'
const call = <Reply>(method: string, path: string, body?: object) =>
  callAs<Reply>(visited, method, path, body)

const open = (path: string) => visited.page.goto(`${visited.product.origin}${path}`)
const dialog = () => visited.page.getByRole('dialog')
/** The dialog over the form that says what is wrong; closing it returns to the form. */
const message = () => dialog().filter({ has: visited.page.getByRole('alert') })
const alert = (text: string) => message().getByText(text, { exact: true })
const fill = (text: string, name: string) => text.replace('{{name}}', name)
const line = (name: string) => visited.page.getByRole('treeitem', { name: new RegExp(`^${name}[,，]`) })
/** The focus follows a key with the next picture. */
const focusComesTo = (name: RegExp) =>
  visited.page.waitForFunction(
    pattern => new RegExp(pattern).test(document.activeElement?.getAttribute('aria-label') ?? ''),
    name.source,
  )

/** Responds to the next requests of one kind like this instead of sending them to the server. */
async function instead(method: string, how: (route: Route) => Promise<void>, meanwhile: () => Promise<void>) {
  const path = /\/api\/gs-template-folder\//
  await visited.page.route(path, route =>
    route.request().method() === method ? how(route) : route.fallback(),
  )
  await meanwhile()
  await visited.page.unroute(path)
}
const cutOff = (route: Route) => route.abort('connectionfailed')
const unreadable = (route: Route) => route.fulfill({ status: 200, body: 'no JSON at all' })
const failing = (route: Route) => route.fulfill({ status: 500, body: 'no JSON at all' })

describe.each([
  ['en', en],
  ['zh-TW', zhTW],
] as const)('the messages of folders in %s', (language, { reports: { folders: t }, actions, errors, ui }) => {
  const button = (name: string) => visited.page.getByRole('button', { name, exact: true })
  const confirm = async (name: string) => {
    const sent = dialog().getByRole('button', { name, exact: true })
    await sent.click()
    return sent
  }
  const menu = async (folder: string, entry: string) => {
    await line(folder).hover()
    await button(fill(t.actions_of, folder)).click()
    // One that was open before may still be fading out.
    const opened = visited.page.getByRole('menu', { name: fill(t.actions_of, folder) })
    await opened.getByRole('menuitem', { name: entry, exact: true }).click()
  }
  const says = async (text: string) => {
    await alert(text).waitFor()
    await message().getByRole('button', { name: ui.understood }).click()
    await message().waitFor({ state: 'detached' })
  }
  const cancel = () => dialog().getByRole('button', { name: ui.cancel }).click()
  const toastOf = (text: string) =>
    visited.page.getByRole('status').getByText(text, { exact: true }).first().waitFor()
  const [outer, other, inner] = [`Outer ${language}`, `Other ${language}`, `Inner ${language}`]

  it('say what is wrong with a name, a target folder or a connection, and let it be tried again', async () => {
    await call('PATCH', `/users/${(await call<{ user_id: number }>('GET', '/users/identity/')).user_id}/`, {
      language,
    })
    await open('/gs-template')
    const name = dialog().getByLabel(t.name)
    await button(t.create).click()
    await confirm(t.create_confirm)
    await says(t.problem_name)
    await name.fill(outer)
    await instead('POST', cutOff, async () => {
      await confirm(t.create_confirm)
      await says(errors.unreachable)
    })
    await instead('POST', failing, async () => {
      const sent = await confirm(t.create_confirm)
      await says(t.problem)
      await expect.poll(() => sent.isEnabled()).toBe(true)
      // What was entered is still there.
      await expect.poll(() => name.inputValue()).toBe(outer)
    })
    await confirm(t.create_confirm)
    await toastOf(t.created)
    await visited.page.getByRole('heading', { name: outer, level: 1 }).waitFor()
    await call('POST', FOLDERS, { name: other })
    await visited.page.reload()

    await menu(outer, t.create_in)
    await name.fill(inner)
    await confirm(t.create_confirm)
    await toastOf(t.created)
    await line(inner).hover()
    await button(fill(t.actions_of, inner)).click()
    const deeper = visited.page.getByRole('menuitem', { name: t.create_in })
    await expect.poll(() => deeper.isDisabled()).toBe(true)
    await visited.page.reload()
  })

  it('refuse a move that would be too deep, and rename only to a free name', async () => {
    await menu(outer, t.move)
    await dialog().getByRole('combobox', { name: t.move_to }).click()
    await visited.page.getByRole('option', { name: other }).click()
    await confirm(t.move_confirm)
    await says(t.problem_has_folders)
    await instead('PATCH', cutOff, async () => {
      await confirm(t.move_confirm)
      await says(errors.unreachable)
    })
    await instead('PATCH', unreadable, async () => {
      await confirm(t.move_confirm)
      await says(t.problem_unknown)
    })
    const tooDeep = (route: Route) =>
      route.fulfill({ status: 400, json: { status: 400, code: 'invalid', layer: ['…'] } })
    await instead('PATCH', tooDeep, async () => {
      await confirm(t.move_confirm)
      await says(t.problem_too_deep)
    })
    await cancel()

    await menu(other, t.rename)
    await dialog().getByLabel(t.name).fill(outer)
    await confirm(t.rename_confirm)
    await says(t.problem_duplicate)
    await instead('PATCH', cutOff, async () => {
      await confirm(t.rename_confirm)
      await says(errors.unreachable)
    })
    await dialog().getByLabel(t.name).fill(`${other} II`)
    await confirm(t.rename_confirm)
    await toastOf(t.renamed)
    await line(`${other} II`).waitFor()
    await button(actions.undo).click()
    await toastOf(actions.undone)
    await line(other).waitFor()
    await line(`${other} II`).waitFor({ state: 'detached' })
  })

  it('say when a renaming cannot be undone any more', async () => {
    await visited.page.reload()
    await menu(other, t.rename)
    await dialog().getByLabel(t.name).fill(`${other} III`)
    await confirm(t.rename_confirm)
    await line(`${other} III`).waitFor()
    await call('POST', FOLDERS, { name: other })
    await button(actions.undo).click()
    await visited.page.getByRole('alert').getByText(actions.undo_failed, { exact: true }).waitFor()
    await line(`${other} III`).waitFor()
  })

  it('warn before contents are deleted, and restore them', async () => {
    const { id } = await call<{ id: number }>('POST', '/api/gs-template-setting/', {
      name: `Inside ${language}`,
      folder: Number(new URL(visited.page.url()).searchParams.get('p')),
    })
    await menu(outer, t.delete)
    await dialog().getByText(t.delete_detail).waitFor()
    await instead('DELETE', failing, async () => {
      await confirm(t.delete_confirm)
      await says(t.problem)
    })
    await confirm(t.delete_confirm)
    await toastOf(t.deleted)
    await line(outer).waitFor({ state: 'detached' })
    await button(actions.undo).click()
    await toastOf(actions.undone)
    await line(inner).waitFor()
    expect((await call<{ folder: number }>('GET', `/api/gs-template-setting/${id}/`)).folder).toBeGreaterThan(
      0,
    )
    await call('PATCH', `/users/${(await call<{ user_id: number }>('GET', '/users/identity/')).user_id}/`, {
      language: 'en',
    })
  })
})

describe('the tree', () => {
  const tree = () => visited.page.getByRole('tree', { name: 'Folders' })
  const press = (key: string) => visited.page.keyboard.press(key)

  it('can be used by keyboard alone', async () => {
    await open('/gs-template')
    await line('Outer en').waitFor()
    await tree().getByRole('treeitem', { name: 'Top level' }).focus()
    await press('o')
    await press('ArrowRight')
    await focusComesTo(/^(Inner|Other|Outer)/)
    await line('Outer en').focus()
    await press('ArrowLeft')
    await line('Inner en').waitFor({ state: 'detached' })
    await expect.poll(() => line('Outer en').getAttribute('aria-expanded')).toBe('false')
    await press('ArrowRight')
    await press('ArrowRight')
    await focusComesTo(/^Inner en/)
    await press('ArrowLeft')
    await focusComesTo(/^Outer en/)
    await press('Home')
    await focusComesTo(/^Top level$/)

    await line('Outer en').focus()
    await press('F2')
    await visited.page.waitForFunction(() => document.activeElement?.tagName === 'INPUT')
    await press('Escape')
    await dialog().waitFor({ state: 'detached' })
    await visited.page.waitForFunction(() => document.activeElement?.getAttribute('role') === 'treeitem')
    await focusComesTo(/^Outer en/)
    await press('Delete')
    await dialog().getByText('Delete “Outer en”?').waitFor()
    await waitForFocusIn(visited.page, '[role="dialog"]')
    await press('Escape')
    await dialog().waitFor({ state: 'detached' })
    await focusComesTo(/^Outer en/)
    await press('Shift+F10')
    await visited.page.getByRole('menuitem', { name: 'Run all in this folder' }).waitFor()
    await waitForFocusIn(visited.page, '[role="menu"]')
    await press('Escape')
    await line('Outer en').focus()
    await press('Enter')
    await visited.page.getByRole('heading', { name: 'Outer en', level: 1 }).waitFor()
  })

  it('accepts what is dropped on a line, and undoes the move', async () => {
    const { page } = visited
    const done = (text: string) => page.getByRole('status').getByText(text, { exact: true }).last().waitFor()
    await call('POST', FOLDERS, { name: 'Dragged' })
    await open('/gs-template')
    await line('Dragged').getByRole('link').dragTo(line('Outer en').getByRole('link'))
    await done('Folder moved')
    await expect.poll(() => line('Dragged').getAttribute('aria-level')).toBe('2')
    await page.getByRole('button', { name: 'Undo' }).click()
    await done('Undone')
    await page.locator('[role="treeitem"][aria-level="1"][aria-label^="Dragged"]').waitFor()

    await page.getByRole('checkbox', { name: 'Select Aurora campaigns by week' }).check()
    await page.getByRole('checkbox', { name: 'Select Fjord campaigns' }).check()
    await page
      .getByRole('link', { name: 'Fjord campaigns', exact: true })
      .dragTo(line('Dragged').getByRole('link'))
    await done('2 reports moved')
    await visited.page.getByRole('treeitem', { name: 'Dragged, 2 reports' }).waitFor()
  })

  it('of thousands draws only the visible lines, reaches the last one and finds any', async () => {
    const { page } = visited
    const folders = Array.from({ length: 5000 }, (_, n) => ({
      id: n + 1,
      name: `Client ${n + 1}`,
      layer: 1,
      parent: null,
      reports: 1,
      last_modified_at: null,
    }))
    const withRoot = [
      { id: null, name: '', layer: 0, parent: null, reports: 0, last_modified_at: null },
      ...folders,
    ]
    await page.route(/\/api\/gs-template-folder\//, route => route.fulfill({ json: withRoot }))
    // A page that the server draws brings its folders along.
    await page.context().clearCookies({ name: 'look' })
    await open('/gs-template')
    await line('Client 1').waitFor()
    await expect.poll(() => page.getByRole('treeitem').count()).toBeLessThan(100)
    await tree().getByRole('treeitem', { name: 'Top level' }).focus()
    await press('End')
    await page.waitForFunction(() =>
      document.activeElement?.getAttribute('aria-label')?.startsWith('Client 5000'),
    )
    await expect.poll(() => page.getByRole('treeitem').count()).toBeLessThan(120)
    await expect.poll(() => line('Client 5000').getAttribute('aria-posinset')).toBe('5001')
    await page.getByRole('searchbox', { name: 'Find a folder' }).fill('client 4321')
    await line('Client 4321').waitFor()
    await expect.poll(() => page.getByRole('treeitem').count()).toBe(2)
    await page.unroute(/\/api\/gs-template-folder\//)
  })
})

describe('the address', () => {
  it('leads to the top level when it names no folder, and says so when it is gone', async () => {
    const { page } = visited
    await open('/gs-template?p=')
    await page.waitForURL(/[?&]p=0(&|$)/)
    await open('/gs-template?p=999999')
    await page.getByText('This folder does not exist').waitFor()
    await page.getByRole('link', { name: 'Go to the top level' }).click()
    await page.waitForURL(/[?&]p=0(&|$)/)
  })
})
