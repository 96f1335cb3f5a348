import { beforeEach } from 'vitest'

// Loaded before each file. A second try would hide what fails by chance: a test that is given one fails at
// its first.
beforeEach(({ task }) => {
  if (task.retry) throw new Error('No test is tried twice: `retry` is set.')
})
