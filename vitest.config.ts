import { defineConfig } from 'vitest/config'

export default defineConfig({
  test: {
    // Two cores are what a small CI machine has; the database and the browser want one of them.
    maxWorkers: 2,
    pool: 'forks',
    // No test replaces a module: what one file has loaded serves the next one of the same process.
    isolate: false,
    // A machine may be busy with other things; what is there ends the wait at once.
    expect: { poll: { timeout: 15_000 } },
    projects: [
      {
        extends: true,
        test: {
          name: 'server',
          include: ['src/**/*.test.ts', 'scripts/**/*.test.ts'],
          globalSetup: ['src/server/db/testing-setup.ts'],
          testTimeout: 20_000,
          hookTimeout: 60_000,
        },
      },
      {
        extends: true,
        test: { name: 'web', include: ['src/web/**/*.test.tsx'] },
      },
      {
        extends: true,
        test: {
          name: 'e2e',
          include: ['e2e/**/*.test.ts'],
          globalSetup: ['e2e/setup.ts'],
          testTimeout: 180_000,
          hookTimeout: 180_000,
        },
      },
    ],
  },
})
