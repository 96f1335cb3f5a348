import type { Page } from 'playwright-core'
import { describe, expect, it } from 'vitest'
import { expectUsable } from './axe.ts'
import { createPerson, signInAs, start } from './test-product.ts'
import { wordsOf } from './user-window.ts'

const started = start()

const filled = (text: string, values: Record<string, string | number>) =>
  text.replaceAll(/\{\{(\w+)\}\}/g, (_, name: string) => String(values[name] ?? ''))

describe.each(['en', 'zh-TW'] as const)('a person who leaves, in %s', language => {
  const { users } = wordsOf(language)
  const account = `leaver-${language.toLowerCase()}`

  it('hands their reports over, is signed out, and can be deleted, which leaves the changes', async () => {
    const leaver = await createPerson(started, {
      username: account,
      full_name: 'Lee Aver',
      password: 'correct battery horse 9',
    })
    await leaver('POST', '/api/gs-template-setting/', { name: 'Left behind' })
    const page = await signInAs(started, 'superuser', language)
    await page.goto(`${started.product.origin}/setting/users?user=${leaver.user_id}`)
    const dialog = (name: string) => page.getByRole('dialog', { name })
    const person = dialog('Lee Aver')
    await person.getByText(users.history.title).waitFor()
    await expectUsable(page, 'a person', language)

    await person.getByRole('button', { name: users.action.resign }).click()
    const resign = dialog(filled(users.change.resign.title, { name: 'Lee Aver' }))
    const stops = language === 'en' ? /They own 1 report/ : /此人擁有 1 份報表/
    await resign.getByText(stops).waitFor()
    await resign.getByRole('button', { name: users.action.resign }).click()
    const transfer = dialog(filled(users.transfer.title, { name: 'Lee Aver' }))
    await transfer.getByText('Left behind').waitFor()
    expect((await leaver('GET', '/users/identity/')).status).toBe(401)
    await page.keyboard.press('Escape')
    await transfer.waitFor({ state: 'detached' })

    // What they still own stays in sight.
    await person.getByText(users.employment.resigned).first().waitFor()
    await person.getByText(language === 'en' ? '1 report to transfer' : '1 份報表待移轉').waitFor()
    await person.getByRole('button', { name: users.action.delete, exact: true }).click()
    const deletion = dialog(filled(users.change.delete.title, { name: 'Lee Aver' }))
    const confirm = deletion.getByRole('button', { name: users.action.delete, exact: true })
    expect(await confirm.isDisabled()).toBe(true)
    await deletion.getByRole('textbox').fill(account)
    await confirm.click()
    const gone = dialog(filled(users.deleted_user, { id: leaver.user_id }))
    await gone.getByText(/→/).first().waitFor()
    expect(await gone.getByRole('button', { name: users.action.edit }).count()).toBe(0)
    await page.context().close()
  })

  it('finds the instructions on paper without what is around them', async () => {
    const page = await signInAs(started, 'staff', language)
    await page.goto(`${started.product.origin}/setting/instructions`)
    await page.getByRole('heading', { level: 2 }).nth(6).waitFor()
    await page.emulateMedia({ media: 'print' })
    const visibleOn = async (within: Page) => ({
      navigation: await within.getByRole('navigation').filter({ visible: true }).count(),
      buttons: await within.getByRole('button').filter({ visible: true }).count(),
      parts: await within.getByRole('heading', { level: 2 }).filter({ visible: true }).count(),
    })
    await expect.poll(() => visibleOn(page)).toEqual({ navigation: 0, buttons: 0, parts: 7 })
    await page.emulateMedia({ media: 'screen' })
    await page.context().close()
  })
})
