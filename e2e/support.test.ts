import type { Page } from 'playwright-core'
import { PNG } from 'pngjs'
import { describe, expect, it } from 'vitest'
import { notices, noticeActions } from '#shared/notices.ts'
import { app as appEn } from '#web/i18n/en/app.ts'
import { editor as editorEn } from '#web/i18n/en/editor.ts'
import { support as en } from '#web/i18n/en/support.ts'
import { app as appZh } from '#web/i18n/zh-TW/app.ts'
import { editor as editorZh } from '#web/i18n/zh-TW/editor.ts'
import { support as zh } from '#web/i18n/zh-TW/support.ts'
import { drawn } from '#server/testing/random.ts'
import { expectUsable } from './axe.ts'
import { callerOf, signInAs, start } from './test-product.ts'

const started = start()

// Somebody needs three years of data: from the hint under the calendar to the notification of the answer.

/** A picture on the clipboard, such as one of the screen. */
const paste = (page: Page, bytes: Buffer) =>
  page.evaluate(base64 => {
    const data = new DataTransfer()
    const content = Uint8Array.from(atob(base64), letter => letter.codePointAt(0) ?? 0)
    data.items.add(new File([content], 'screen.png', { type: 'image/png' }))
    document.body.dispatchEvent(new ClipboardEvent('paste', { clipboardData: data, bubbles: true }))
  }, bytes.toString('base64'))

const filled = (text: string, values: Record<string, string | number>) =>
  text.replaceAll(/\{\{(\w+)\}\}/g, (_, name: string) => String(values[name] ?? ''))
const today = () => Temporal.Now.plainDateISO('Asia/Taipei')

const languages = [
  {
    language: 'en' as const,
    t: en,
    app: appEn,
    editor: editorEn,
    title: notices.issue_answered.title.en,
    action: noticeActions.see_issue.en,
  },
  {
    language: 'zh-TW' as const,
    t: zh,
    app: appZh,
    editor: editorZh,
    title: notices.issue_answered.title['zh-TW'],
    action: noticeActions.see_issue['zh-TW'],
  },
]
const drawnLanguages = drawn(languages, 2, 'support')

describe.each(drawnLanguages)('an issue in $language', ({ language, t, app, editor, title, action }) => {
  it('leads from the hint of the calendar to a range of three years', async () => {
    const api = await callerOf(started, 'client-a')
    const name = `Three years ${language}`
    const { body: report } = await api('POST', '/api/gs-template-setting/', { name })
    const saveThreeYears = async () =>
      (
        await api('PATCH', `/api/gs-template-setting/${report.id}/`, {
          version: report.version,
          date_range: {
            start: today().subtract({ days: 1095 }).toString(),
            end: today().toString(),
            dynamic_range: 0,
          },
        })
      ).status
    expect(await saveThreeYears()).toBe(400)

    const page = await signInAs(started, 'client-a', language)
    await page.goto(`${started.product.origin}/gs-template/template?id=${report.id}`)
    await page.getByRole('button', { name: new RegExp(`^${editor.dates.range}`) }).click()
    await page.getByRole('button', { name: editor.dates.ask }).click()
    const form = page.getByRole('dialog', { name: t.new.title })
    await form.waitFor()
    const picker = form.getByRole('combobox', { name: t.field.report })
    await expect.poll(() => picker.inputValue()).toBe(name)
    await form.getByRole('button', { name: t.new.submit }).click()
    const description = form.getByRole('textbox', { name: t.field.description })
    await expect.poll(() => description.getAttribute('aria-invalid')).toBe('true')
    await expectUsable(page, 'new issue', language)
    await description.fill(`The yearly comparison needs three years (${language}).`)
    const picture = form.getByRole('group', { name: t.field.image })
    await picture
      .locator('input[type=file]')
      .setInputFiles({ name: 'page.png', mimeType: 'image/png', buffer: Buffer.from('<html>') })
    await form
      .getByRole('alert')
      .getByText(/page\.png/)
      .waitFor()
    await paste(page, PNG.sync.write(new PNG({ width: 640, height: 400 })))
    await form.getByRole('listitem').getByText('screen.png').waitFor()
    await expectUsable(page, 'new issue with a picture', language)
    await form.getByRole('button', { name: t.new.submit }).click()
    await form.waitFor({ state: 'hidden' })
    // Over the editor, which is still there; clients have no page of issues.
    expect(new URL(page.url()).pathname).toBe('/gs-template/template')
    await expect.poll(() => page.getByRole('link', { name: app.nav.support }).count()).toBe(0)
    const { body: list } = await api('GET', '/api/support/')
    const { id } = list.results[0]

    const support = await signInAs(started, 'superuser', language)
    await support.getByRole('link', { name: app.nav.support }).click()
    const link = support.getByRole('link', { name: `three years (${language})` })
    await link.waitFor()
    await expectUsable(support, 'issues', language)
    await link.click()
    const issue = support.getByRole('dialog', { name: filled(t.issue, { id }) })
    const image = issue.getByRole('img', { name: filled(t.image_of, { id }) })
    await expect.poll(() => image.evaluate((img: HTMLImageElement) => img.naturalWidth)).toBe(640)
    const large = support.context().waitForEvent('page')
    await issue.getByRole('button', { name: filled(t.image_of, { id }) }).click()
    await expect.poll(async () => (await large).locator('img').count()).toBe(1)
    await (await large).close()
    await issue.getByRole('textbox', { name: t.answer, exact: true }).fill('Three years are open to you.')
    await issue.getByRole('checkbox', { name: t.grant }).check()
    await expectUsable(support, 'answer', language)
    await issue.getByRole('button', { name: t.save, exact: true }).click()
    await issue.waitFor({ state: 'hidden' })
    await support.context().close()
    expect(await saveThreeYears()).toBe(200)

    await page.getByRole('button', { name: /^(1 unread|1 則未讀)/ }).click()
    const bell = page.getByRole('dialog', { name: app.bell.label })
    const notice = bell.getByRole('listitem').filter({ hasText: filled(title, { issue: id }) })
    await notice.getByRole('link', { name: action }).click()
    const answer = page.getByRole('dialog', { name: filled(t.issue, { id }) })
    await answer.getByText('Three years are open to you.').waitFor()
    await answer.getByText(t.granted).waitFor()
    expect(new URL(page.url()).pathname).toBe('/gs-template/template')
    await expectUsable(page, 'answered issue', language)
    await answer.getByRole('textbox', { name: t.add.label }).fill('And the year before?')
    await answer.getByRole('button', { name: t.add.submit, exact: true }).click()
    await answer.getByText('And the year before?').waitFor()
    await answer.getByText(t.state.open, { exact: true }).waitFor()
    // The address in the e-mail.
    await page.goto(`${started.product.origin}/?issue=${id}`)
    await answer.getByText('And the year before?').waitFor()
    await page.keyboard.press('Escape')
    await answer.waitFor({ state: 'detached' })
    await expect.poll(() => new URL(page.url()).search).toBe('')
    await page.context().close()
  })
})
