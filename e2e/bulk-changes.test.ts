import type { Page } from 'playwright-core'
import { beforeAll, describe, expect, it } from 'vitest'
import { bulk_changes as bulkChangesEn } from '#web/i18n/en/bulk-changes.ts'
import { users as usersEn } from '#web/i18n/en/users.ts'
import { bulk_changes as bulkChangesZh } from '#web/i18n/zh-TW/bulk-changes.ts'
import { users as usersZh } from '#web/i18n/zh-TW/users.ts'
import { drawn } from '#server/testing/random.ts'
import { expectUsable } from './axe.ts'
import { waitForFocusIn } from './focus.ts'
import { callerOf as apiOf, signInAs, start } from './test-product.ts'

const started = start()
let page: Page

interface Row {
  id: number
  name: string
  channels: { accounts: number[] }[]
  spreadsheet_url: string
  version: number
  date_range: { end: string | null }
}

/** A client that repeats requests that the server is too busy for. */
async function callerOf(username: string) {
  const api = await apiOf(started, username)
  const call = async <Reply>(method: string, path: string, content?: object): Promise<Reply> => {
    const { status, body } = await api(method, path, content)
    expect(status, `${method} ${path}`).toBeLessThan(300)
    return body as Reply
  }
  return Object.assign(call, { user_id: api.user_id })
}

const reportsOf = async (username: string) =>
  (
    await (
      await callerOf(username)
    )<{ results: Row[] }>('GET', '/api/gs-template-setting/?limit=100&scope=mine')
  ).results

/** The text in one language; plural forms are chosen by the number before them. */
const filled = (text: string, values: Record<string, string | number>) =>
  text.replaceAll(/\{\{(\w+)\}\}/g, (_, name: string) => String(values[name] ?? ''))

async function choose(label: string, option: string) {
  const field = page.getByRole('combobox', { name: label, exact: true })
  await field.fill(option)
  await page.getByRole('option', { name: option }).filter({ visible: true }).first().click()
  await page.getByRole('listbox').filter({ visible: true }).waitFor({ state: 'hidden' })
}

const button = (name: string) => page.getByRole('button', { name, exact: true })
const day = (days: number) => Temporal.Now.plainDateISO('Asia/Taipei').add({ days }).toString()

const languages = [
  { language: 'en', texts: bulkChangesEn, users: usersEn, many: '_other' },
  { language: 'zh-TW', texts: bulkChangesZh, users: usersZh, many: '_other' },
] as const
const drawnLanguages = drawn(languages, 2, 'bulk changes')

describe.each(drawnLanguages)('changes of many reports in $language', ({ language, texts, users }) => {
  it('extends expiring reports, and undoes that', async () => {
    const api = await callerOf('manager')
    const like = (await reportsOf('manager')).find(({ name }) => name === 'Aurora, all channels by day')
    const made = await api<Row>('POST', '/api/gs-template-setting/', {
      name: `Ends in ${language}`,
      channels: like?.channels,
      spreadsheet_url: like?.spreadsheet_url,
      sheet_name: 'Ending',
      dimensions: ['date'],
      update_frequency: 2,
      date_range: { start: day(-60), end: day(-10), dynamic_range: 0 },
    })
    const endOf = async () => (await api<Row>('GET', `/api/gs-template-setting/${made.id}/`)).date_range.end
    page = await signInAs(started, 'manager', language)
    await page
      .getByRole('link', { name: language === 'en' ? 'Extend reports' : '延長報表' })
      .first()
      .click()
    const row = page.getByRole('row', { name: `Ends in ${language}` })
    await row.getByText(filled(texts.ending.in_other, { count: 5, day: day(5) })).waitFor()
    await expectUsable(page, 'ending', language)
    await button(filled(texts.ending.extend_1, { name: `Ends in ${language}` })).click()
    await page.getByText(language === 'en' ? '1 report extended.' : '已延長 1 份報表。').waitFor()
    expect((await endOf()) ?? '').toMatch(/^\d{4}-\d\d-\d\d$/)
    expect(await endOf()).not.toBe(day(-10))
    await button(texts.undo).click()
    await row.waitFor()
    expect(await endOf()).toBe(day(-10))
    await row.getByRole('checkbox').check()
    await button(texts.ending.moving).click()
    await page.getByRole('menuitem').first().click()
    await row.waitFor({ state: 'hidden' })
    expect(await endOf()).toBeNull()
    await api('DELETE', `/api/gs-template-setting/${made.id}/`)
  })

  it('replaces an account where that is possible, says why not elsewhere, and undoes it', async () => {
    const before = await reportsOf('manager')
    await page.goto(`${started.product.origin}/gs-template/care?do=replace`)
    await choose(texts.replace.from, 'Aurora Cosmetics Taiwan')
    await choose(texts.replace.to, 'Cedar Coffee Tokyo')
    await button(texts.next).click()
    const refused = page.getByRole('region', {
      name: language === 'en' ? /cannot be changed$/ : /無法變更$/,
    })
    await refused
      .getByText(/JPY(, |、)TWD/)
      .first()
      .waitFor()
    await expectUsable(page, 'replace', language)
    const boxes = page.getByRole('group', { name: texts.step.check }).getByRole('checkbox')
    const count = await boxes.count()
    expect(count).toBeGreaterThan(0)
    await boxes.first().focus()
    await page.keyboard.press('Space')
    await page.keyboard.press('Space')
    await button(
      filled(count === 1 ? bulkChangesEnOne(texts.replace) : texts.replace.act_other, { count }),
    ).click()
    await button(texts.undo).waitFor()
    const changed = (await reportsOf('manager')).filter(
      now => now.version !== before.find(({ id }) => id === now.id)?.version,
    )
    expect(changed).toHaveLength(count)
    await button(texts.undo).click()
    await page.getByText(filled(texts.replace.undone_other, { count })).waitFor()
    const accountsOf = (rows: Row[]) => rows.map(({ id, channels }) => [id, channels]).toSorted()
    expect(accountsOf(await reportsOf('manager'))).toEqual(accountsOf(before))
  })

  it('clones a client’s reports for another one with its accounts, and deletes the copies again', async () => {
    const before = await reportsOf('manager')
    await page.goto(`${started.product.origin}/gs-template?p=0`)
    await button(texts.menu.label).click()
    await page.getByRole('menuitem', { name: texts.menu.clone }).click()
    await choose(texts.clone.client, 'Aurora Cosmetics')
    await choose(texts.clone.for, 'Cedar Coffee')
    await button(texts.next).click()
    const counterpart = page.getByRole('combobox', {
      name: filled(texts.clone.instead_of, { name: 'Aurora Cosmetics Taiwan' }),
    })
    await expect.poll(() => counterpart.inputValue()).toMatch(/Cedar Coffee.*JPY/)
    await expectUsable(page, 'clone', language)
    await expect.poll(() => page.getByLabel(texts.clone.new_folder).inputValue()).toBe('Cedar Coffee')
    await button(texts.next).click()
    await page.getByText('→ Cedar Coffee / Cedar Coffee daily performance').waitFor()
    await page.getByText(texts.clone.check_hint).waitFor()
    await page
      .getByRole('button', { name: language === 'en' ? /^Create \d+ copies$/ : /^建立 \d+ 份副本$/ })
      .click()
    await button(texts.undo).waitFor()
    const made = (await reportsOf('manager')).filter(({ id }) => !before.some(old => old.id === id))
    expect(made.length).toBeGreaterThan(5)
    expect(made.every(({ spreadsheet_url }) => spreadsheet_url === '')).toBe(true)
    await button(texts.undo).click()
    await page.getByText(filled(texts.clone.undone_other, { count: made.length })).waitFor()
    expect((await reportsOf('manager')).length).toBe(before.length)
    await page.context().close()
  })

  it('transfers the reports of a person who leaves, after a preview of what the new owner could not use', async () => {
    page = await signInAs(started, 'superuser', language)
    await page.goto(`${started.product.origin}/setting/users`)
    const [from, to, leaver, heir] = ['Mika Chen', 'Sam Huang', 'manager', 'staff']
    const [moved, own] = [await reportsOf(leaver), await reportsOf(heir)]
    await button(filled(users.actions_of, { name: from })).waitFor()
    await expectUsable(page, 'users', language)
    await button(filled(users.actions_of, { name: from })).click()
    await page.getByRole('menuitem', { name: users.action.transfer }).click()
    await choose(users.transfer.to, to)
    await page.getByText(users.transfer.losses).waitFor()
    // What most reports would lose; the rest on demand, so that the reports stay in sight.
    const losses = page.getByRole('dialog').getByRole('listitem').filter({ visible: true })
    expect(await losses.count()).toBe(4)
    await page.getByRole('dialog').locator('summary').click()
    await expect.poll(() => losses.count()).toBeGreaterThan(4)
    const act = page.getByRole('button', { name: filled(users.transfer.act_other, { count: moved.length }) })
    await act.click()
    await page.getByRole('dialog').waitFor({ state: 'hidden' })
    expect(await reportsOf(leaver)).toEqual([])
    expect((await reportsOf(heir)).length).toBe(moved.length + own.length)
    // Back to the first owner, for the next language.
    const api = await callerOf('superuser')
    const { user_id } = await callerOf(leaver)
    await api('POST', `/api/user/${(await callerOf(heir)).user_id}/transfer-reports/`, {
      to: user_id,
      reports: moved.map(({ id }) => id),
      keep_folders: true,
    })
  })

  it('creates an account with its link, changes and closes it', async () => {
    const name = `newcomer-${language}`
    await button(users.create.title).click()
    const dialog = page.getByRole('dialog')
    await button(users.create.submit).click()
    await dialog
      .getByRole('alert')
      .or(dialog.getByText(/Please fill this in|必填|請填寫/))
      .first()
      .waitFor()
    await dialog.getByRole('textbox', { name: users.form.username }).fill(name)
    await dialog.getByRole('textbox', { name: users.form.full_name }).fill(name)
    await dialog.getByRole('combobox', { name: users.column.department }).click()
    await page.getByRole('option').filter({ visible: true }).first().click()
    await button(users.contact.add).click()
    await dialog
      .getByRole('textbox', { name: filled(users.contact.value, { number: 1 }) })
      .fill('0912-345-678')
    await button(users.create.submit).click()
    await button(users.link.make).click()
    const link = await dialog.getByRole('textbox', { name: users.link.label }).inputValue()
    expect(link).toMatch(/\/set-password#token=.{20,}/)
    await page.keyboard.press('Escape')
    const row = page.getByRole('row', { name })
    // Phones show some columns below the name, which wide windows have as well.
    const waitForText = (text: string | RegExp) => row.getByText(text).filter({ visible: true }).waitFor()
    await waitForText(/\+886 912 345 678/)
    const edit = async () => {
      await button(filled(users.actions_of, { name })).click()
      await page.getByRole('menuitem', { name: users.action.edit }).click()
      await dialog.getByRole('heading', { name: filled(users.edit.title, { name }) }).waitFor()
    }
    // The dialog can be closed while the network does not respond.
    await page.route(/\/api\/user\/\d+\/$/, () => undefined)
    await edit()
    await waitForFocusIn(page, '[role="dialog"]')
    await page.keyboard.press('Escape')
    await dialog.waitFor({ state: 'detached' })
    await page.unroute(/\/api\/user\/\d+\/$/)
    await edit()
    await dialog.getByRole('textbox', { name: users.form.position }).fill('Trainee')
    await button(users.edit.submit).click()
    await waitForText('Trainee')
    await button(filled(users.actions_of, { name })).click()
    await page.getByRole('menuitem', { name: users.action.close }).click()
    await dialog.getByRole('button', { name: users.action.close }).click()
    await waitForText(users.state.closed)
    await page.context().close()
  })
})

/** Chinese has no singular. */
const bulkChangesEnOne = (texts: { act_one?: string; act_other: string }) => texts.act_one ?? texts.act_other

describe('a busy time', () => {
  beforeAll(async () => {
    const api = await callerOf('client-b')
    const [like] = (
      await api<{ results: Row[] }>('GET', '/api/gs-template-setting/?scope=mine&search=Borealis')
    ).results
    for (let count = 0; count < 90; count += 1)
      await api('POST', '/api/gs-template-setting/', {
        name: `At nine ${count}`,
        channels: like?.channels,
        spreadsheet_url: like?.spreadsheet_url,
        sheet_name: `Nine ${count}`,
        dimensions: ['date'],
        update_frequency: 2,
        timezone: 'Asia/Taipei',
      })
  })

  it.each(languages)(
    'is shown in $language, with a quieter one to switch to',
    async ({ language, texts }) => {
      page = await signInAs(started, 'director', language)
      const [mine] = await reportsOf('director')
      await page.goto(`${started.product.origin}/gs-template/template?id=${mine?.id}`)
      const daily = language === 'en' ? 'Daily' : '每日'
      await page.getByRole('radiogroup').getByText(daily, { exact: true }).click()
      const [nine, before] = language === 'en' ? ['AM 09:00', 'AM 08:45'] : ['上午 09:00', '上午 08:45']
      await page.getByText(filled(texts.load.quieter, { time: before })).waitFor()
      await page
        .getByText(language === 'en' ? /AM 09:00 is busy \(\d+ reports\)\./ : /上午 09:00 是尖峰時段/)
        .waitFor()
      expect(nine).not.toBe(before)
      await button(filled(texts.load.take, { time: before })).click()
      await page.getByText(filled(texts.load.quieter, { time: before })).waitFor({ state: 'hidden' })
      await page.context().close()
    },
  )
})
