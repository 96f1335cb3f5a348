import { randomInt } from 'node:crypto'
import { defineConfig } from 'vitest/config'
import { Mixed } from './scripts/testing/order.ts'
import { COMPILE_CACHE } from './src/server/compile-cache.ts'

// The seed of all random tests of one run. A failing test is reported with it.
process.env.SEED ??= String(randomInt(2 ** 31))
// Compiled code is cached, so that programs started by tests begin in half the time.
process.env.NODE_COMPILE_CACHE ??= COMPILE_CACHE

export default defineConfig({
  test: {
    include: ['{src,scripts,e2e}/**/*.test.{ts,tsx}'],
    // Half of the time of a file goes by waiting, for a browser or a program: two cores are kept busy by
    // three.
    maxWorkers: 3,
    pool: 'forks',
    // No test replaces a module: what one file has loaded serves the next one of the same process.
    isolate: false,
    sequence: { sequencer: Mixed },
    globalSetup: ['./scripts/testing/setup.ts'],
    setupFiles: [
      './scripts/testing/meter.ts',
      './scripts/testing/once.ts',
      './scripts/testing/seed.ts',
      './scripts/testing/pages.ts',
    ],
    reporters: ['default', './scripts/testing/totals.ts'],
    // A limit is for what hangs: a machine may be busy with other things, and what is there ends the wait at
    // once.
    expect: { poll: { timeout: 120_000 } },
    testTimeout: process.env.LONG ? 7_200_000 : 600_000,
    hookTimeout: 600_000,
  },
})
