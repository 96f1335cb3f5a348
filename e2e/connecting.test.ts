import type { Page } from 'playwright-core'
import { expect, it } from 'vitest'
import { findProblems } from './axe.ts'
import { visit } from './test-product.ts'
import { changeLook } from './user-window.ts'

const visited = visit('Sasha Lin')
const PATH = '/setting/public-account'

/** Starts to connect a login and is at the platform then. */
async function leave(page: Page, platform: string, more: readonly string[] = []) {
  await page.goto(`${visited.product.origin}${PATH}`)
  await page.getByRole('button', { name: 'Connect a platform' }).click()
  const dialog = page.getByRole('dialog')
  await dialog.getByRole('combobox', { name: 'Platform' }).click()
  await page.getByRole('option', { name: platform, exact: true }).click()
  for (const service of more) await dialog.getByRole('checkbox', { name: service }).check()
  await dialog.getByRole('button', { name: `Connect at ${platform}` }).click()
  await page.getByText('An app asks for access in your name.').waitFor()
}

it('a person agrees at Google and comes back with a login and its accounts', async () => {
  const { page } = visited
  const addresses: string[] = []
  page.on('request', request => {
    if (request.url().startsWith(visited.product.origin)) addresses.push(request.headers()['referer'] ?? '')
  })
  await leave(page, 'Google', ['Audience lists'])
  await page.getByRole('checkbox', { name: /datamanager/ }).uncheck()
  await page.getByRole('button', { name: 'Agree' }).click()
  await page.getByRole('heading', { name: '“Google · admin@agency.demo” is connected' }).waitFor()
  await page.getByText('Not everything was granted').waitFor()
  expect(new URL(page.url()).href).toBe(`${visited.product.origin}/oauth/callback`)
  expect(addresses.filter(address => /code=|state=/.test(address))).toEqual([])
  const problems: string[] = []
  for (const look of [
    { colorScheme: 'light', width: 1440 },
    { colorScheme: 'dark', width: 360 },
  ] as const) {
    await changeLook(page, look)
    problems.push(...(await findProblems(page, look.colorScheme)))
  }
  expect(problems).toEqual([])
  await page.getByRole('button', { name: 'Import accounts' }).click()
  await page.getByText(/accounts imported/).waitFor()
  await page.getByRole('link', { name: 'Public accounts' }).click()
  await page.getByRole('row', { name: 'Google · admin@agency.demo' }).getByText('Connected').waitFor()
})

it('a person who declines at Meta reads that nothing was stored', async () => {
  const { page } = visited
  await leave(page, 'Meta')
  await page.getByRole('button', { name: 'Deny' }).click()
  await page.getByText('Nothing was stored.').waitFor()
  await page.goBack()
  await page.reload()
  expect(page.url()).not.toContain('code=')
})

it('a login is disconnected once it was said what stops', async () => {
  const { page } = visited
  await page.goto(`${visited.product.origin}${PATH}`)
  const name = 'Google · admin@agency.demo'
  await page.getByRole('button', { name: `Actions for ${name}` }).click()
  await page.getByRole('menuitem', { name: 'Details' }).click()
  const drawer = page.getByRole('dialog', { name })
  await drawer.getByText('Not granted: datamanager').waitFor()
  await drawer.getByRole('button', { name: 'Check now' }).click()
  await drawer.getByText('Granted', { exact: true }).first().waitFor()
  expect(await findProblems(page, 'light', { within: '[role="dialog"]' })).toEqual([])
  await drawer.getByRole('button', { name: 'Disconnect' }).click()
  const question = page.getByRole('dialog', { name: `Disconnect “${name}”?` })
  await question.getByText('The consent is taken back at the platform.').waitFor()
  await question.getByRole('button', { name: 'Disconnect' }).click()
  await page.getByText(`${name} is disconnected.`).waitFor()
})
