import { expect, it } from 'vitest'
import { callerOf, signInAs, start } from './test-product.ts'

const started = start()

it('a manager of another department finds neither an entry nor the page of EC spending', async () => {
  const page = await signInAs(started, 'manager', 'en')
  await page.getByRole('navigation', { name: 'Main navigation' }).waitFor()
  expect(await page.getByRole('link', { name: 'EC spending' }).count()).toBe(0)
  await page.goto(`${started.product.origin}/ec-spend`)
  await page.getByRole('heading', { name: 'This page does not exist' }).waitFor()
  const call = await callerOf(started, 'manager')
  const { status } = await call('GET', '/api/ad/ecspend/?from=2026-01&to=2026-02')
  expect(status).toBe(403)
})
