import { readFile } from 'node:fs/promises'
import type { Download, Page } from 'playwright-core'
import { describe, expect, it } from 'vitest'
import { en } from '#web/i18n/en.ts'
import { zhTW } from '#web/i18n/zh-TW.ts'
import { openWindow } from './browser.ts'
import { control } from './product.ts'
import { callAs, callerOf, signInAs, visit } from './test-product.ts'

const visited = visit('Mika Chen')
const REPORTS = '/api/gs-template-setting/'
interface Listed {
  count: number
  results: { id: number; name: string; owner_name: string }[]
}
const call = <Reply>(method: string, path: string, body?: object) =>
  callAs<Reply>(visited, method, path, body)
const open = (path: string) => visited.page.goto(`${visited.product.origin}${path}`)
const row = (name: string) => visited.page.getByRole('row', { name })
const button = (name: string) => visited.page.getByRole('button', { name, exact: true })
const dialog = () => visited.page.getByRole('dialog')
const sure = (name: string) => dialog().getByRole('button', { name, exact: true }).click()
const toast = (text: string) =>
  visited.page.getByRole('status').getByText(text, { exact: true }).last().waitFor()
const menu = async (label: string, entry: string) => {
  await button(label).click()
  // One that was open before may still be fading out.
  await visited.page
    .getByRole('menu', { name: label })
    .getByRole('menuitem', { name: entry, exact: true })
    .click()
}
const choose = async (label: string, option: string | RegExp) => {
  await visited.page.getByRole('combobox', { name: label }).click()
  await visited.page.getByRole('option', { name: option, exact: true }).click()
}
/** Undoes the change that the newest toast with this text is about. */
const undoOf = (text: string) => undoIn(visited.page, text)
const undoIn = async (
  page: Page,
  text: string,
  { undo, undone }: { undo: string; undone: string } = en.actions,
) => {
  const notice = page.getByRole('status').filter({ hasText: text }).last()
  await notice.getByRole('button', { name: undo, exact: true }).click()
  await page.getByRole('status').getByText(undone, { exact: true }).last().waitFor()
}
const found = (search: string, more = '') => call<Listed>('GET', `${REPORTS}?search=${search}${more}`)
const textOf = async (download: Download) => await readFile(await download.path(), 'utf8')

describe('the list', () => {
  it('keeps its filters in the URL, so that going back restores them', async () => {
    const { page } = visited
    await choose('Channel', 'TikTok ads')
    await page.waitForURL(/channel=tt/)
    await row('Aurora, all channels by day').waitFor()
    await row('Fjord campaigns').waitFor({ state: 'detached' })
    await choose('Status', 'Scheduled')
    await page.waitForURL(/status=1/)
    await page.goBack()
    await page.waitForURL(url => !url.searchParams.has('status') && url.searchParams.get('channel') === 'tt')
    await page.goBack()
    await row('Fjord campaigns').waitFor()
  })

  it('selects over all pages, moves them all, and undoes that', async () => {
    const { page } = visited
    for (let n = 0; n < 14; n++) await call('POST', REPORTS, { name: `Bulk ${String(n).padStart(2, '0')}` })
    const { id } = await call<{ id: number }>('POST', '/api/gs-template-folder/', { name: 'Quarter' })
    await open('/gs-template?search=Bulk&ordering=name')
    await page.getByRole('checkbox', { name: 'Select all on this page' }).check()
    await button('Select all 14 that match').click()
    await page.getByText('14 selected').waitFor()
    const saving = page.waitForEvent('download')
    await button('Export the list as CSV').click()
    expect((await textOf(await saving)).trimEnd().split('\r\n')).toHaveLength(15)
    await page.getByRole('toolbar').getByRole('button', { name: 'Move' }).click()
    await dialog().getByRole('combobox', { name: 'Folder' }).click()
    await page.getByRole('option', { name: 'Quarter' }).click()
    await sure('Move')
    await toast('14 reports moved')
    expect((await call<Listed>('GET', `${REPORTS}?folder=${id}`)).count).toBe(14)
    await button('Undo').click()
    await toast('Undone')
    expect((await call<Listed>('GET', `${REPORTS}?folder=${id}`)).count).toBe(0)
  })

  it('says which of many were left as they are, and why', async () => {
    const { page } = visited
    await open('/gs-template?search=Bulk&ordering=name')
    for (const name of ['Bulk 00', 'Bulk 01'])
      await page.getByRole('checkbox', { name: `Select ${name}` }).check()
    const [gone] = (await found('Bulk 00')).results
    await call('DELETE', `${REPORTS}${gone?.id}/`)
    await page.getByRole('toolbar').getByRole('button', { name: 'Delete' }).click()
    await sure('Delete')
    await toast('Report deleted')
    await page.getByRole('alert').getByText('Bulk 00: This does not exist.').waitFor()
    await button('Undo').click()
    await row('Bulk 01').waitFor()
  })
})

describe('with other people', () => {
  it('a report is shared, the role changed and the sharing ended, but not with somebody who would see another client', async () => {
    const { page } = visited
    await open('/gs-template?search=Fjord+campaigns')
    await menu('Actions for Fjord campaigns', 'Share')
    await sure('Share')
    await dialog().getByText('Please choose a person.').waitFor()
    await choose('Person', /Bo Borealis/)
    await sure('Share')
    await dialog().getByRole('alert').getByText('accounts of an advertiser they do not belong to').waitFor()
    await page.getByRole('combobox', { name: 'Person' }).fill('sam')
    await page.getByRole('option', { name: /Sam Huang/ }).click()
    await sure('Share')
    await toast('Report shared with Sam Huang')
    await choose('Access of Sam Huang', 'Can edit')
    await toast('Access of Sam Huang changed')
    const [report] = (await found('Fjord campaigns')).results
    expect(await call('GET', `${REPORTS}${report?.id}/share/`)).toMatchObject([{ access: 'editor' }])
    const shares = () => call<{ access: string }[]>('GET', `${REPORTS}${report?.id}/share/`)
    const before = await shares()
    await button('Stop sharing with Sam Huang').click()
    await dialog().getByText('Not shared yet').waitFor()
    await undoOf('No longer shared with Sam Huang')
    await button('Stop sharing with Sam Huang').waitFor()
    expect(await shares()).toEqual(before)
    // The toast of the earlier change has the same words, and an undo of its own.
    await page
      .getByText('Access of Sam Huang changed', { exact: true })
      .first()
      .waitFor({ state: 'detached' })
    await choose('Access of Sam Huang', 'Can view')
    await undoOf('Access of Sam Huang changed')
    await expect.poll(shares).toMatchObject([{ access: 'editor' }])
    await button('Stop sharing with Sam Huang').click()
    await dialog().getByText('Not shared yet').waitFor()
    await page.keyboard.press('Escape')
    await dialog().waitFor({ state: 'detached' })
  })

  it('a copy is sent, and a superuser transfers a report', async () => {
    await menu('Actions for Fjord campaigns', 'Send a copy')
    await choose('Person', /Sam Huang/)
    await sure('Send')
    await toast('Copy sent to Sam Huang')
    await expect
      .poll(() => visited.page.getByRole('menuitem', { name: 'Transfer ownership' }).count())
      .toBe(0)

    const context = await openWindow(visited.browser, {
      locale: 'en-US',
      viewport: { width: 1440, height: 1000 },
    })
    const page = await context.newPage()
    await page.goto(`${visited.product.origin}/gs-template`)
    await page.getByRole('button', { name: 'Sign in as Sasha Lin' }).click()
    await page.getByRole('heading', { name: 'Auto-update reports' }).waitFor()
    await page.goto(`${visited.product.origin}/gs-template?scope=all&search=Bulk+02`)
    await page.getByRole('button', { name: 'Actions for Bulk 02' }).click()
    await page.getByRole('menuitem', { name: 'Transfer ownership' }).click()
    await page.getByRole('combobox', { name: 'Person' }).click()
    await page.getByRole('option', { name: /Sam Huang/ }).click()
    await page.getByRole('button', { name: 'Transfer', exact: true }).click()
    await page.getByText('Report transferred to Sam Huang').waitFor()
    await page.getByRole('row', { name: 'Bulk 02' }).getByText('Owner: Sam Huang').waitFor()
    expect((await found('Bulk 02')).count).toBe(0)
    await undoIn(page, 'Report transferred to Sam Huang')
    await page.getByRole('row', { name: 'Bulk 02' }).getByText('Owner: Mika Chen').waitFor()
    expect((await found('Bulk 02')).count).toBe(1)
    await context.close()
  })

  it('many are shared and that is undone in Chinese, and earlier shares stay as they were', async () => {
    const page = await signInAs(visited, 'manager', 'zh-TW')
    const { actions: t } = zhTW
    const [edited, untouched] = [(await found('Bulk 03')).results[0], (await found('Bulk 04')).results[0]]
    const sam = (await callerOf(visited, 'staff')).user_id
    await call('POST', `${REPORTS}${edited?.id}/share/`, { user: sam, access: 'editor' })
    await page.goto(`${visited.product.origin}/gs-template?search=Bulk&ordering=name`)
    for (const name of ['Bulk 03', 'Bulk 04'])
      await page.getByRole('checkbox', { name: new RegExp(name) }).check()
    await page.getByRole('button', { name: t.more, exact: true }).click()
    await page.getByRole('menuitem', { name: t.action.share, exact: true }).click()
    await page.getByRole('combobox', { name: t.person.label }).fill('sam')
    await page.getByRole('option', { name: /Sam Huang/ }).click()
    const send = page.getByRole('dialog').getByRole('button', { name: t.share.submit, exact: true })
    await send.click()
    const shares = (id = 0) => call<{ access: string }[]>('GET', `${REPORTS}${id}/share/`)
    await send.waitFor({ state: 'detached' })
    expect(await shares(edited?.id)).toMatchObject([{ access: 'viewer' }])
    await undoIn(page, '已與 Sam Huang 共用 2 份報表', t)
    expect(await shares(edited?.id)).toMatchObject([{ access: 'editor' }])
    expect(await shares(untouched?.id)).toEqual([])
    await page.context().close()
    await call('PATCH', `/users/${(await call<{ user_id: number }>('GET', '/users/identity/')).user_id}/`, {
      language: 'en',
    })
  })

  it('reports of a closed account are transferred for good, after a warning', async () => {
    const boss = await callerOf(visited, 'superuser')
    const staff = await callerOf(visited, 'staff')
    const made = await staff('POST', REPORTS, { name: 'Left behind' })
    expect(made.status).toBe(201)
    await boss('PATCH', `/api/user/${staff.user_id}/`, { is_active: 0 })
    const page = await signInAs(visited, 'superuser', 'en')
    await page.goto(`${visited.product.origin}/gs-template?scope=all&search=Left+behind`)
    await page.getByRole('button', { name: 'Actions for Left behind' }).click()
    await page.getByRole('menuitem', { name: 'Transfer ownership' }).click()
    await page.getByRole('note').getByText(en.actions.transfer.for_good).waitFor()
    await page.getByRole('combobox', { name: 'Person' }).fill('mika')
    await page.getByRole('option', { name: /Mika Chen/ }).click()
    await page.getByRole('button', { name: 'Transfer', exact: true }).click()
    const notice = page.getByRole('status').filter({ hasText: 'Report transferred to Mika Chen' })
    await notice.waitFor()
    await expect.poll(() => notice.getByRole('button', { name: 'Undo' }).count()).toBe(0)
    await boss('PATCH', `/api/user/${staff.user_id}/`, { is_active: 1 })
    await page.context().close()
  })
})

describe('as files', () => {
  it('reports are exported together, and imported again after a preview of what is missing', async () => {
    const { page } = visited
    await open('/gs-template?search=Fjord+campaigns')
    await row('Fjord campaigns').waitFor()
    await page.getByRole('checkbox', { name: 'Select all on this page' }).check()
    const saving = page.waitForEvent('download')
    await menu('More actions for selected reports', 'Export as YAML')
    const text = await textOf(await saving)
    expect(text).toContain('name: Fjord campaigns')

    await button('Import').click()
    const broken = 'name: Broken\ndimensions: [galaxy]\n'
    const unknown = 'name: Strange\nchannels: [{channel: fb, accounts: [Nobody], metrics: [cost]}]\n'
    await dialog()
      .locator('input[type=file]')
      .setInputFiles([
        {
          name: 'a.yaml',
          mimeType: 'application/yaml',
          buffer: Buffer.from(text.replace('name: Fjord', 'name: Imported')),
        },
        { name: 'b.yaml', mimeType: 'application/yaml', buffer: Buffer.from(broken) },
        { name: 'c.yaml', mimeType: 'application/yaml', buffer: Buffer.from(unknown) },
      ])
    await dialog().getByText('2 reports will be created:').waitFor()
    await dialog().getByText('dimensions.0: This value is not valid.').waitFor()
    await dialog().getByText('Without “Nobody” (Meta ads)').waitFor()
    expect((await found('Imported')).count).toBe(0)
    await sure('Import 2 reports')
    await toast('2 reports imported')
    expect((await found('Imported')).count).toBe(1)
    expect((await found('Strange')).count).toBe(1)
    expect((await found('Broken')).count).toBe(0)
  })
})

describe('one click', () => {
  const panel = () => visited.page.getByRole('heading', { name: 'One-click execution' })
  const counts = (text: RegExp) => visited.page.getByText(text).waitFor({ state: 'attached' })

  it('runs a folder, stays visible over pages and a reload, can be reopened, and is not retried where that cannot help', async () => {
    const { page } = visited
    await faults([{ platform: 'meta', action: 'latency', delay_ms: 1500 }])
    await open('/gs-template')
    await page.getByRole('treeitem', { name: /^Cedar Coffee/ }).hover()
    await menu('Actions for folder Cedar Coffee', 'Run all in this folder')
    await toast('2 reports started')
    await counts(/^\d completed, \d failed, \d waiting, of 2$/)
    await page.reload()
    await panel().waitFor()
    await page
      .getByRole('navigation', { name: 'Folders' })
      .getByRole('link', { name: /^Fjord Travel/ })
      .click()
    await page.getByRole('heading', { name: 'Fjord Travel', level: 1 }).waitFor()
    await panel().waitFor()
    await faults([])
    await counts(/^2 completed, 0 failed, 0 waiting, of 2$/)
    await button('Close this panel').click()
    await panel().waitFor({ state: 'detached' })
    await button('Recent runs').click()
    await page
      .getByRole('dialog')
      .getByRole('button', { name: /2 completed, 0 failed/ })
      .click()
    await panel().waitFor()

    await open('/gs-template?search=Fjord+Japan')
    await menu('Actions for Fjord Japan (access was revoked)', 'Run now')
    await counts(/^0 completed, 1 failed, 0 waiting, of 1$/)
    expect(await button('Run the failed report again').count()).toBe(0)
  })

  it('starts what is set up, and lists the others with the way to what is missing', async () => {
    const { page } = visited
    await open('/gs-template?search=campaigns')
    for (const name of ['Aurora brand campaigns (not set up yet)', 'Fjord campaigns'])
      await row(name).getByRole('checkbox').check()
    await button('Run').click()
    await page
      .getByRole('alert')
      .getByText('1 report is not set up and was not started.', { exact: true })
      .waitFor()
    await page.getByRole('heading', { name: '1 report was not started:' }).waitFor()
    await counts(/^\d completed, 0 failed, \d waiting, of 1 1 report is not set up/)
    await page.locator('section').getByRole('link', { name: 'Set up: tab' }).first().click()
    await page.waitForURL(/\/gs-template\/setting\?id=\d+$/)
    await open('/gs-template?search=campaigns')
    await menu('Actions for Aurora brand campaigns (not set up yet)', 'Run now')
    await page.waitForURL(/\/gs-template\/setting\?id=\d+$/)
    await page
      .getByRole('alert')
      .getByText(/^Cannot run\. Not set: tab/)
      .waitFor()
  })

  it('says so when the server cannot be reached', async () => {
    const { page } = visited
    await open('/gs-template?search=Fjord+campaigns')
    await row('Fjord campaigns').waitFor()
    await page.route(/\/api\/gs-template-execution\//, route => route.abort('connectionfailed'))
    await menu('Actions for Fjord campaigns', 'Run now')
    await page.getByRole('alert').getByText('The server cannot be reached.').waitFor()
    await page.unroute(/\/api\/gs-template-execution\//)
  })
})

const faults = (armed: object[]) => control(visited.product, 'faults', { body: armed })
