import type { Page } from 'playwright-core'
import { expect } from 'vitest'

/**
 * Drags what is under the pointer onto the channel `onto` (a selector): in steps, to where that channel is by
 * then, until it is marked as where to let go, as a hand does that looks where it goes.
 */
export async function dragOnto(page: Page, onto: string) {
  const target = page.locator(onto)
  await page.mouse.down()
  await expect
    .poll(async () => {
      const box = await target.boundingBox()
      await page.mouse.move((box?.x ?? 0) + 200, (box?.y ?? 0) + 20, { steps: 20 })
      return await target.getAttribute('data-drop')
    })
    .not.toBe(null)
  await page.mouse.up()
}
