import { vi } from 'vitest'

/** However busy the machine is. */
export const eventually = (assertion: () => Promise<unknown>) =>
  vi.waitFor(assertion, { interval: 5, timeout: 120_000 })
