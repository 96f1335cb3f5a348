import type { Page } from 'playwright-core'
import { beforeAll, describe, expect, it } from 'vitest'
import { waitForFocusIn } from './focus.ts'
import { enterAs, visit } from './test-product.ts'

const visited = visit('Mika Chen')
let page: Page

beforeAll(async () => {
  ;({ page } = visited)
  // One of the demo's reports fails whenever it is due, and its toast stays, over whatever it covers, until
  // it is closed.
  const notice = page.getByRole('alert').filter({ hasText: 'Fjord Japan' })
  // Without a pointer, which would close what is open below it.
  await page.addLocatorHandler(notice, () => notice.getByRole('button').last().dispatchEvent('click'))
})

const button = (name: string | RegExp) => page.getByRole('button', { name, exact: true })
const openNew = async (search = '') => {
  await page.goto(`${visited.product.origin}/gs-template/template${search}`)
  await page.getByLabel('Report name').waitFor()
}
const openReport = async (id: number, on = page) => {
  await on.goto(`${visited.product.origin}/gs-template/template?id=${id}`)
  await on.getByLabel(/Report name|報表名稱/).waitFor()
}
const choose = async (field: string, option: string) => {
  await page.getByRole('combobox', { name: field, exact: true }).first().click()
  await page.getByRole('option', { name: option, exact: true }).click()
}

describe('the date range', () => {
  const dates = () => page.getByRole('button', { name: /^Date range / })
  const day = (text: string) =>
    page.getByRole('dialog').getByRole('button', { name: inWords(text), exact: true })
  const echo = (start: string, end: string) =>
    page.getByText(`A run today covers ${start} to ${end}`).waitFor()
  const dateText = () => dates().innerText()
  const today = () => Temporal.Now.plainDateISO('Asia/Taipei')
  const inWords = (text: string) =>
    new Intl.DateTimeFormat('en-GB', {
      day: 'numeric',
      month: 'long',
      year: 'numeric',
      timeZone: 'UTC',
    }).format(new Date(text))
  const firstOfMonth = () => today().with({ day: 1 }).toString()
  const fifthOfMonth = () => today().with({ day: 5 }).toString()

  it('starts with a dynamic range, and shows its days', async () => {
    await openNew()
    await echo(firstOfMonth(), today().toString())
    await expect.poll(() => page.locator('#dates label').first().innerText()).toBe('Date range *')
  })

  it('has its specified width, and begins the week on Sunday', async () => {
    await dates().click()
    await page.getByRole('dialog').getByRole('table').waitFor()
    const box = await page.getByRole('dialog').boundingBox()
    expect(box?.width).toBe(300)
    await expect.poll(() => page.getByRole('dialog').getByRole('columnheader').first().innerText()).toBe('Su')
    await page.getByText(/Select two dates after \d{4}-\d\d-\d\d\./).waitFor()
  })

  it('leaves a dynamic range alone when nothing is picked', async () => {
    await waitForFocusIn(page, '[role="dialog"]')
    await page.keyboard.press('Escape')
    await page.getByRole('dialog').waitFor({ state: 'detached' })
    await page.getByText('Not saved yet').waitFor()
    await dates().click()
    await page.getByRole('heading', { name: 'New report', level: 1 }).click()
    await page.getByRole('dialog').waitFor({ state: 'detached' })
    await page.getByText('Not saved yet').waitFor()
  })

  it('turns dynamic mode off when a full range is picked, and closes', async () => {
    await dates().click()
    await day(fifthOfMonth()).click()
    await day(firstOfMonth()).click()
    await page.getByRole('dialog').waitFor({ state: 'detached' })
    await expect.poll(dateText).toBe(`${firstOfMonth()} – ${fifthOfMonth()}`)
    await expect.poll(() => page.getByRole('combobox', { name: 'Dynamic range' }).inputValue()).toBe('None')
  })

  it('keeps the dates when dynamic mode is turned on, and brings them back', async () => {
    await choose('Dynamic range', 'This year')
    await echo(today().with({ month: 1, day: 1 }).toString(), today().toString())
    await choose('Dynamic range', 'None')
    await expect.poll(dateText).toBe(`${firstOfMonth()} – ${fifthOfMonth()}`)
  })

  it('ends on the day after its start when it is closed without an end', async () => {
    await dates().click()
    await day(fifthOfMonth()).click()
    await page.keyboard.press('Escape')
    await page.getByRole('dialog').waitFor({ state: 'detached' })
    await expect.poll(dateText).toBe(`${fifthOfMonth()} – ${today().with({ day: 6 })}`)
  })

  it('ends on the day after today when somebody clicks outside', async () => {
    await dates().click()
    await day(firstOfMonth()).click()
    await page.getByRole('heading', { name: 'New report', level: 1 }).click()
    await page.getByRole('dialog').waitFor({ state: 'detached' })
    await expect.poll(dateText).toBe(`${firstOfMonth()} – ${today().add({ days: 1 })}`)
  })

  it('is picked by keys as well', async () => {
    await dates().focus()
    await page.keyboard.press('Enter')
    await page.waitForFunction(
      text => document.activeElement?.getAttribute('aria-label') === text,
      inWords(firstOfMonth()),
    )
    await page.keyboard.press('ArrowRight')
    await page.keyboard.press('Enter')
    await page.keyboard.press('Enter')
    await page.getByRole('dialog').waitFor({ state: 'detached' })
    const second = today().with({ day: 2 })
    await expect.poll(dateText).toBe(`${second} – ${second}`)
    await expect.poll(() => dates().evaluate(each => each === document.activeElement)).toBe(true)
  })

  it('is typed, and says what is incomplete or out of reach', async () => {
    const type = async (start: string, end: string) => {
      await page.getByRole('dialog').getByLabel('Start').fill(start)
      await page.getByRole('dialog').getByLabel('End').fill(end)
      await page.keyboard.press('Enter')
    }
    await dates().click()
    await type('2026-1', '2026-02-30')
    await page.getByText('Please enter a complete date: yyyy-MM-dd.').waitFor()
    await page.getByText('This date does not exist.').waitFor()
    await type('2019-01-01', today().toString())
    await page.getByText(/^The earliest date is \d{4}-\d\d-\d\d\.$/).waitFor()
    const start = today().subtract({ days: 700 }).toString()
    await type(start, today().add({ days: 90 }).toString())
    await page.getByText(`The latest date is ${today().add({ days: 30 })}.`).waitFor()
    await type(start, today().subtract({ days: 701 }).toString())
    await page.getByText('The end date must not be before the start date.').waitFor()
    await type(start, today().toString())
    await page.getByRole('dialog').waitFor({ state: 'detached' })
    await expect.poll(dateText).toBe(`${start} – ${today()}`)
  })

  it('does not offer days before the earliest one', async () => {
    await dates().click()
    const earliest = today().subtract({ days: 730 })
    const type = page.getByRole('dialog').getByLabel('Start')
    await type.waitFor()
    for (let month = 0; month < 24; month++) {
      if (await day(earliest.toString()).isVisible()) break
      const earlier = page.getByRole('dialog').getByRole('button', { name: 'Previous month' })
      if (await earlier.isDisabled()) break
      await earlier.click()
    }
    await expect.poll(() => day(earliest.toString()).isEnabled()).toBe(true)
    const before = day(earliest.subtract({ days: 1 }).toString())
    expect((await before.count()) === 0 || (await before.isDisabled())).toBe(true)
    await page.keyboard.press('Escape')
  })

  it('begins the week on Monday in Traditional Chinese, and says the rest in it', async () => {
    await setLanguage(page, '語言', '繁體中文')
    await page.getByRole('button', { name: /^日期區間 / }).click()
    const dialog = page.getByRole('dialog')
    await dialog.getByText(/請選擇 \d{4}-\d\d-\d\d 之後的兩個日期。/).waitFor()
    await expect.poll(() => dialog.getByRole('columnheader').first().innerText()).toBe('一')
    await dialog.getByLabel('開始').fill('2026-1')
    await page.keyboard.press('Enter')
    await dialog.getByText('請輸入完整的日期：yyyy-MM-dd。').waitFor()
    await page.keyboard.press('Escape')
    await setLanguage(page, 'Language', 'English')
  })
})

describe('the schedule', () => {
  const frequency = (name: string) => page.getByText(name, { exact: true }).click()
  const cycle = () => page.getByRole('combobox', { name: 'On', exact: true })

  it('is not set at first', async () => {
    await openNew()
    await page.getByText('No schedule is set').waitFor()
  })

  it('has nothing to choose for every day', async () => {
    await frequency('Daily')
    await expect.poll(() => cycle().isDisabled()).toBe(true)
    await page.getByText('Every day AM 09:00').waitFor()
    await expect.poll(() => page.locator('#schedule time').count()).toBe(3)
  })

  it('begins on Monday for a week, and offers seven days', async () => {
    await frequency('Weekly')
    await expect.poll(() => cycle().inputValue()).toBe('Monday')
    await cycle().click()
    await page.getByRole('option', { name: 'Sunday' }).waitFor()
    await expect.poll(() => page.getByRole('option').count()).toBe(7)
    await page.getByRole('option', { name: 'Sunday' }).click()
    await page.getByText('Every Sunday AM 09:00').waitFor()
  })

  it('begins on the 1st for a month, and offers 31 days', async () => {
    await frequency('Monthly')
    await expect.poll(() => cycle().inputValue()).toBe('Day 1')
    await cycle().click()
    await page.getByRole('option', { name: 'Day 31' }).waitFor()
    await expect.poll(() => page.getByRole('option').count()).toBe(31)
    await page.getByRole('option', { name: 'Day 31' }).click()
    await page.getByText('In months without that day, the report runs on the last day.').waitFor()
  })

  it('takes AM or PM, a quarter hour and a time zone', async () => {
    await choose('AM or PM', 'PM')
    await choose('Time', '11:45')
    await page.getByRole('combobox', { name: 'Time zone' }).fill('new york')
    await page.getByRole('option', { name: 'America/New York' }).click()
    await page.getByText('Monthly, day 31 PM 11:45').waitFor()
  })

  it('says that it has ended by itself, and restarts with one click', async () => {
    const { id } = await call('POST', {
      name: 'Ended by itself',
      date_range: { start: ago(60), end: ago(40), dynamic_range: 0 },
      update_frequency: 2,
    })
    await openReport(id)
    await page.locator('#schedule').getByText('the schedule has ended automatically').waitFor()
    await expect.poll(() => page.locator('#schedule time').count()).toBe(0)
    await button(/^Extend to /).click()
    await page.getByText('Every day AM 09:00').waitFor()
    await expect.poll(() => page.locator('#schedule time').count()).toBe(3)
    await page.keyboard.press('Control+s')
    await page.getByText('The report has been saved.').waitFor()
    expect(await call('GET', id)).toMatchObject({ update_frequency: 2 })
  })

  const ago = (days: number) => Temporal.Now.plainDateISO('Asia/Taipei').subtract({ days }).toString()
})

describe('undoing', () => {
  it('undoes typing in one step, choices in their order, and redoes them', async () => {
    await openNew()
    const name = page.getByLabel('Report name')
    await expect.poll(() => button('Undo').isDisabled()).toBe(true)
    await name.press('End')
    await name.pressSequentially(' of today')
    await choose('Dynamic range', 'This year')
    await page.keyboard.press('Control+z')
    await expect
      .poll(() => page.getByRole('combobox', { name: 'Dynamic range' }).inputValue())
      .toBe('This month')
    await page.getByText('Undone: Date range').waitFor({ state: 'attached' })
    await page.keyboard.press('Control+z')
    await expect.poll(() => name.inputValue()).toBe('Unnamed report')
    await expect.poll(() => button('Undo').isDisabled()).toBe(true)
    await page.keyboard.press('Control+Shift+z')
    await expect.poll(() => name.inputValue()).toBe('Unnamed report of today')
    await button('Redo').click()
    await expect
      .poll(() => page.getByRole('combobox', { name: 'Dynamic range' }).inputValue())
      .toBe('This year')
    await page.keyboard.press('Control+z')
    await page.keyboard.press('Control+y')
    await page.getByText('Redone: Date range').waitFor({ state: 'attached' })
  })
})

describe('navigating the editor', () => {
  it('marks the current section', async () => {
    await openNew()
    const nav = page.getByRole('navigation', { name: 'Sections' })
    await page.locator('#schedule').scrollIntoViewIfNeeded()
    await nav.getByRole('link', { name: 'Spreadsheet' }).click()
    await page.waitForFunction(() => document.querySelector('nav a[href="#spreadsheet"][aria-current]'))
    await nav.getByRole('link', { name: 'Name' }).click()
    await page.waitForFunction(() => document.querySelector('nav a[href="#name"][aria-current]'))
  })

  it('leads to the first wrong field when it cannot be saved', async () => {
    await openNew()
    const name = page.getByLabel('Report name')
    const cell = page.getByLabel('Starting cell')
    // Faster than anybody types, or as on a machine that is slow to draw: fields are not validated yet when
    // the report is to be saved.
    await page.evaluate(
      async ([first, second]) => {
        const setValue = Object.getOwnPropertyDescriptor(HTMLInputElement.prototype, 'value')?.set
        for (const [field, value] of [
          [first, ''],
          [second, 'A0'],
        ] as const) {
          setValue?.call(field, value)
          field?.dispatchEvent(new Event('input', { bubbles: true }))
          for (let ticks = 0; ticks < 10; ticks++) await Promise.resolve()
        }
        second?.dispatchEvent(
          new KeyboardEvent('keydown', {
            key: 's',
            code: 'KeyS',
            ctrlKey: true,
            bubbles: true,
            cancelable: true,
          }),
        )
      },
      [await name.elementHandle(), await cell.elementHandle()] as const,
    )
    await page.getByText('2 fields need your attention').waitFor()
    await page.waitForFunction(() => document.activeElement?.getAttribute('aria-invalid') === 'true')
    await expect.poll(() => name.evaluate(each => each === document.activeElement)).toBe(true)
    await name.fill('Named')
    await button('1 field needs your attention').click()
    await expect.poll(() => cell.evaluate(each => each === document.activeElement)).toBe(true)
  })

  it('asks for confirmation before unsaved settings are lost by going back, and by closing the tab', async () => {
    await call('POST', { name: 'Not to be lost' })
    await page.goto(`${visited.product.origin}/gs-template`)
    await page.getByRole('link', { name: 'Not to be lost' }).click()
    await page.getByLabel('Report name').fill('Not to be lost, changed')
    await page.evaluate(() => history.back())
    await page.getByText('The settings are not saved. Are you sure you want to exit?').waitFor()
    await button('Cancel').click()
    const dialog = page.waitForEvent('dialog')
    const closing = page.close({ runBeforeUnload: true })
    const confirmation = await dialog
    expect(confirmation.type()).toBe('beforeunload')
    await confirmation.dismiss()
    await closing
    await expect.poll(() => page.getByLabel('Report name').inputValue()).toBe('Not to be lost, changed')
    await page.keyboard.press('Control+s')
    await page.getByText('The report has been saved.').waitFor()
  })
})

describe('two people in one report', () => {
  it('see each other’s changes, and neither loses what the other has not touched', async () => {
    const { id } = await call('POST', { name: 'Shared', channels: [], dimensions: ['date'] })
    const other = await enterAs(visited, 'Sasha Lin')
    await openReport(id, other.page)
    await openReport(id)
    await page.getByLabel('Report name').fill('Shared, mine')
    await page.getByLabel('Fill with 0').check({ force: true })
    await other.page.getByLabel('Report name').fill('Shared, theirs')
    await other.page.getByText('Weekly', { exact: true }).click()
    await other.page.keyboard.press('Control+s')
    await other.page.getByText('The report has been saved.').waitFor()
    await page.keyboard.press('Control+s')
    const dialog = page.getByRole('dialog', { name: 'Somebody else has changed this report' })
    await dialog.getByText(/^Sasha Lin saved it at \d{4}-\d\d-\d\d [AP]M \d\d:\d\d/).waitFor()
    const row = (name: RegExp) => dialog.getByRole('row', { name })
    await row(/^Name changed by both/).waitFor()
    await row(/^Fill with 0 changed by you/).waitFor()
    await row(/^Schedule changed by them/)
      .getByText('Every Monday AM 09:00')
      .waitFor()
    await expect.poll(() => row(/^Name/).getByRole('radio', { name: /^Mine/ }).isChecked()).toBe(true)
    expect(
      await row(/^Schedule/)
        .getByRole('radio', { name: /^Theirs/ })
        .isChecked(),
    ).toBe(true)
    await row(/^Name/)
      .getByRole('radio', { name: /^Theirs/ })
      .check()
    // The other window goes on: with unsaved changes it does not adopt what is saved here.
    await setLanguage(other.page, '語言', '繁體中文')
    await other.page.getByLabel('報表名稱').fill('過期')
    await dialog.getByRole('button', { name: 'Save selection' }).click()
    await page.getByText('All changes saved').waitFor()
    expect(await call('GET', id)).toMatchObject({
      name: 'Shared, theirs',
      fill_zero: true,
      update_frequency: 3,
      update_day_of_week: 1,
    })

    // Once more, in the other language, and their version is chosen.
    await other.page.keyboard.press('Control+s')
    const conflict = other.page.getByRole('dialog', { name: '此報表已被其他人更新' })
    await conflict.getByText(/Mika Chen 已於 \d{4}-\d\d-\d\d (凌晨|上午|下午) \d\d:\d\d 儲存此報表/).waitFor()
    await conflict.getByRole('row', { name: /^名稱 您已變更/ }).waitFor()
    await conflict.getByRole('button', { name: '保留對方的版本' }).click()
    await other.page.getByText('所有變更皆已儲存').waitFor()
    await expect.poll(() => other.page.getByLabel('報表名稱').inputValue()).toBe('Shared, theirs')
    await other.context.close()
  })
})

interface Saved {
  id: number
  channels: { accounts: number[] }[]
}

/** A client of the same person's API: creates a report, or reads one. */
async function call(...[method, what]: ['POST', object] | ['GET', number]): Promise<Saved> {
  return method === 'POST'
    ? await callPath('/api/gs-template-setting/', what)
    : await callPath(`/api/gs-template-setting/${what}/`)
}

async function callPath<Body = Saved>(path: string, body?: object): Promise<Body> {
  const token = (await visited.context.cookies()).find(each => each.name === 'access_token')?.value
  const response = await fetch(`${visited.product.origin}${path}`, {
    method: body ? 'POST' : 'GET',
    headers: { authorization: `Bearer ${token}`, 'content-type': 'application/json' },
    ...(body && { body: JSON.stringify(body) }),
  })
  if (!response.ok) throw new Error(await response.text())
  return (await response.json()) as Body
}

async function setLanguage(on: Page, label: string, entry: string) {
  await on.getByRole('button', { name: /^(Language|語言)$/ }).click()
  await on.getByRole('menuitemradio', { name: entry }).click()
  await on.getByRole('button', { name: label, exact: true }).waitFor()
}
