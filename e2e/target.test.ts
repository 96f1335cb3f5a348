import { describe, expect, it } from 'vitest'
import { zhTW } from '#web/i18n/zh-TW.ts'
import { findProblems } from './axe.ts'
import { callAs, signInAs, visit } from './test-product.ts'

const visited = visit('Mika Chen')
const call = <Reply>(method: string, path: string, body?: object) =>
  callAs<Reply>(visited, method, path, body)
const page = () => visited.page
const button = (name: string | RegExp) =>
  page().getByRole('button', { name, exact: typeof name === 'string' })
const field = (label: string) => page().getByLabel(label)
const create = () => button('Create a spreadsheet for me')
/** The field of that value. */
const fieldWith = (value: string) => page().locator(`input[value=${JSON.stringify(value)}]`)
const tab = (title: string) => page().getByRole('combobox', { name: 'Tab' }).and(fieldWith(title))
const newReport = async (name: string) => {
  await page().goto(`${visited.product.origin}/gs-template/template`)
  await field('Report name').fill(name)
}
/** A built-in spreadsheet of one's own that is shared with nobody. */
const ownFile = async (title: string) => (await call<{ id: string }>('POST', '/api/sheets/', { title })).id
const shareWithSystemUser = async (id: string) => {
  const { system_user } = await call<{ system_user: string }>(
    'GET',
    '/api/ad/gs_permission_check/?spreadsheet_url=x',
  )
  await call('POST', `/api/sheets/${id}/share/`, { email: system_user, role: 'writer' })
}

describe('the spreadsheet of a report', () => {
  it('is created with one button, ready to be written to', async () => {
    await newReport('Created with one button')
    await create().click()
    await page().getByText('“Created with one button” can be written to.').waitFor()
    await tab('Data').waitFor()
    expect(await field('Starting cell').inputValue()).toBe('A1')
    await create().waitFor({ state: 'detached' })
    // Whoever uses the keyboard goes on from the result.
    await page().keyboard.press('Tab')
    expect(await page().locator(':focus').innerText()).toBe('Open spreadsheet')
    await button('Save').first().click()
    await page().getByText('All changes saved').waitFor()
  })

  it('is chosen by its name, with the keyboard alone, and an empty tab with it', async () => {
    await newReport('Another in the same spreadsheet')
    await button('Choose a spreadsheet').focus()
    await page().keyboard.press('Enter')
    const search = page().getByRole('textbox', { name: 'Search your spreadsheets' })
    await search.fill('with one button')
    const option = page().getByRole('option', { name: /Created with one button/ })
    await option.waitFor()
    await page().getByRole('option').nth(1).waitFor({ state: 'detached' })
    await page().keyboard.press('ArrowDown')
    await page().keyboard.press('Enter')
    await page().getByText('“Created with one button” can be written to.').waitFor()
    // Its only tab is where the first report is going to write.
    await button('Create the tab “Another in the same spreadsheet”').click()
    await tab('Another in the same spreadsheet').waitFor()
  })

  it('is pasted as it was copied from somewhere, and gets its first empty tab', async () => {
    const id = await ownFile('Pasted')
    await shareWithSystemUser(id)
    await newReport('Pasted')
    await field('Spreadsheet address').fill(`<localhost-is-not-it>`)
    await page().getByText('This is not the address of a spreadsheet.').waitFor()
    await field('Spreadsheet address').fill(` “${visited.product.origin}/sheets/${id}?gid=0”, `)
    await page().getByText('“Pasted” can be written to.').waitFor()
    await page().getByText('Suggested because it is empty.').waitFor()
    await field('Report name').focus()
    await fieldWith(`${visited.product.origin}/spreadsheets/d/${id}/edit#gid=0`).waitFor()
  })

  it('opens where a bare id belongs, which the check knows', async () => {
    const id = await ownFile('By its id')
    await newReport('By its id')
    await field('Spreadsheet address').fill(id)
    await fieldWith(`${visited.product.origin}/spreadsheets/d/${id}/edit`).waitFor()
    const unknown = 'x'.repeat(44)
    await field('Spreadsheet address').fill(unknown)
    await fieldWith(`https://docs.google.com/spreadsheets/d/${unknown}/edit`).waitFor()
  })

  it('opens in the built-in viewer from the list, where a program has saved its bare id', async () => {
    const id = await ownFile('By its id alone')
    const name = 'Saved by a program'
    await call('POST', '/api/gs-template-setting/', { name, spreadsheet_url: id })
    await page().goto(`${visited.product.origin}/gs-template?search=${name}`)
    await button(`Actions for ${name}`).click()
    await page().getByRole('menuitem', { name: 'Open spreadsheet' }).click()
    await page().waitForURL(`${visited.product.origin}/sheets/${id}`)
    await page().getByRole('heading', { name: 'By its id alone' }).waitFor()
  })

  it('is shared by its owner with one button', async () => {
    const id = await ownFile('Shared with one button')
    await newReport('Shared')
    await field('Spreadsheet address').fill(`${visited.product.origin}/sheets/${id}`)
    await button('Share it now').click()
    await page().getByText('“Shared with one button” can be written to.').waitFor()
  })

  it('is checked again when the person comes back from sharing it', async () => {
    const id = await ownFile('Shared elsewhere')
    await newReport('Shared elsewhere')
    await field('Spreadsheet address').fill(`${visited.product.origin}/sheets/${id}`)
    await button('Share it now').waitFor()
    await shareWithSystemUser(id)
    // As often as it takes: a check that was a moment ago is not repeated.
    const done = page().getByText('“Shared elsewhere” can be written to.')
    while (!(await done.isVisible())) {
      await page().evaluate(() => void window.dispatchEvent(new Event('focus')))
      await page().waitForFunction(() => new Promise(resolve => requestAnimationFrame(() => resolve(true))))
    }
  })

  it('is created on a phone, in Traditional Chinese, too', async () => {
    const phone = await signInAs(visited, 'client-a', 'zh-TW')
    await phone.setViewportSize({ width: 390, height: 844 })
    await phone.goto(`${visited.product.origin}/gs-template/template`)
    await phone.getByRole('button', { name: zhTW.target.create.button }).click()
    await phone.getByText('可寫入「').waitFor()
    await phone.getByRole('button', { name: zhTW.target.recent.other }).click()
    await phone.getByRole('option').first().waitFor()
    const within = '[role="listbox"]'
    expect(await findProblems(phone, 'the list of spreadsheets', { within })).toEqual([])
    await phone.context().close()
  })
})
