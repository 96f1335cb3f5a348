import type { Page } from 'playwright-core'
import { wordsOf } from './user-window.ts'

export const AUDIENCES = '/lta-audience/audience-list'

/** A file as somebody chooses it in a browser. */
export const fileOf = (name: string, content: string | Uint8Array) => ({
  name,
  mimeType: 'text/csv',
  buffer: Buffer.from(content),
})

/** A file of the sandbox's people from a number on, each with e-mail and phone. */
export const peopleFile = (from: number, count: number) =>
  fileOf(
    'people.csv',
    ['email,phone', ...Array.from({ length: count }, (_, at) => rowOf(from + at))].join('\n'),
  )

const rowOf = (person: number) => `person.${person}@mail.demo,091${String(person).padStart(7, '0')}`

export const filled = (text: string, values: Record<string, string | number>) =>
  text.replaceAll(/\{\{(\w+)\}\}/g, (_, name: string) => String(values[name] ?? ''))

/** What somebody does with audiences, in the words of their language. */
export function audiencePage(page: Page, language: 'en' | 'zh-TW') {
  const { audiences: t } = wordsOf(language)
  const dialog = (name: string) => page.getByRole('dialog', { name, exact: true })
  const click = (scope: Pick<Page, 'getByRole'>, name: string) =>
    scope.getByRole('button', { name, exact: true }).click()
  const uploading = (name: string) => dialog(filled(t.upload.title, { name }))
  const next = (name: string) => click(uploading(name), t.upload.next)

  /** Up to what there is in the file. */
  async function count(name: string, file: ReturnType<typeof fileOf>) {
    await click(dialog(name), t.actions.upload)
    await uploading(name).locator('input[type=file]').setInputFiles(file)
    await next(name)
    await next(name)
    await uploading(name).getByText(t.counts.valid, { exact: true }).waitFor()
  }
  /** From there up to the accounts. */
  async function confirm(name: string) {
    await next(name)
    await uploading(name).getByRole('textbox', { name: t.upload.basis }).fill('Newsletter form of the shop')
    await uploading(name).getByRole('checkbox', { name: t.upload.confirm }).check()
    await next(name)
  }
  return {
    t,
    dialog,
    click,
    uploading,
    next,
    count,
    confirm,
    /** What is counted of a file under a name. */
    counted: (name: string, what: keyof typeof t.counts) =>
      uploading(name).getByText(t.counts[what], { exact: true }).locator('xpath=following-sibling::dd[1]'),
    account: (scope: Pick<Page, 'getByRole'>, name: string) =>
      scope.getByRole('listitem').filter({ hasText: name }),
    async create(name: string) {
      await page.getByRole('button', { name: t.create, exact: true }).click()
      const form = dialog(t.create_dialog.title)
      await form.getByRole('textbox', { name: t.field.name, exact: true }).fill(name)
      return form
    },
    async upload(name: string, file: ReturnType<typeof fileOf>) {
      await count(name, file)
      await confirm(name)
      await click(uploading(name), t.upload.send)
    },
    async tab(name: string, tab: keyof typeof t.tab) {
      const tabs = dialog(name).getByRole('radiogroup', { name: t.tab.label })
      await tabs.getByText(t.tab[tab], { exact: true }).click()
    },
    async erase(person: string) {
      await page.getByRole('button', { name: t.erase, exact: true }).click()
      const form = dialog(t.erasing.title)
      await form.getByRole('textbox', { name: t.erasing.person }).fill(person)
      await form.getByRole('checkbox', { name: t.erasing.confirm }).check()
      await click(form, t.erasing.submit)
      return form
    },
  }
}
