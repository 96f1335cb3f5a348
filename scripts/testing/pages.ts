import { afterEach } from 'vitest'

// Loaded before each file; only a test that fails loads what it needs for this.
afterEach(async ({ task }) => {
  if (task.result?.state !== 'fail') return
  const { describePages } = await import('../../e2e/browser.ts')
  for (const page of await describePages()) console.error(page)
})
