import { describe, it } from 'vitest'
import { visit } from './test-product.ts'

const visited = visit('Mika Chen')
const open = (path: string) => visited.page.goto(`${visited.product.origin}${path}`)

describe('a row of the list', () => {
  const row = (name: string) => visited.page.getByRole('row', { name })

  it('runs its report with one click', async () => {
    await open('/gs-template')
    await row('Fjord campaigns').hover()
    await visited.page.getByRole('button', { name: 'Run Fjord campaigns now' }).click()
    await visited.page.getByRole('status').getByText('Report started').first().waitFor()
    await visited.page.waitForURL(/execution=/)
  })

  it('leads to the first gap of a report that cannot run yet', async () => {
    const { page } = visited
    await open('/gs-template')
    const name = 'Aurora brand campaigns (not set up yet)'
    await row(name).hover()
    await page.getByRole('button', { name: `Run ${name} now` }).click()
    await page.waitForURL(/gs-template\/setting\?id=\d+/)
  })

  it('says in a search in which folder the report is, as the way there', async () => {
    const { page } = visited
    await open('/gs-template?search=keywords')
    await row('Aurora keywords').getByRole('link', { name: 'Aurora Cosmetics', exact: true }).click()
    await page.waitForURL(/p=\d+/)
    await page.getByRole('heading', { name: 'Aurora Cosmetics', level: 1 }).waitFor()
    await page.getByRole('columnheader', { name: 'Folder' }).waitFor({ state: 'detached' })
  })

  it('is ordered by owner, also where there is no room for the column', async () => {
    const { page } = visited
    await open('/gs-template?scope=shared')
    await page.getByRole('combobox', { name: 'Order' }).click()
    await page.getByRole('option', { name: 'By owner' }).click()
    await page.waitForURL(/ordering=owner_name/)
  })
})
