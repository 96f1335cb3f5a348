import { expect, it } from 'vitest'

it.fails('a test that is given a second try fails, even when it would pass', { retry: 1 }, ({ task }) => {
  expect(task.retry).toBe(1)
})
