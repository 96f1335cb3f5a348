import { globSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, it } from 'vitest'

const root = join(import.meta.dirname, '../..')

// A helper is loaded once for all files of a process: a hook beside its functions would serve the first of
// them only, and what later files begin would never end. Those of `setupFiles` are loaded for each file.
it('no helper of tests has a hook outside of its functions', () => {
  const helpers = globSync('{src,e2e}/**/*.ts', { cwd: root }).filter(file => !file.endsWith('.test.ts'))
  expect(helpers.length).toBeGreaterThan(500)
  const hooked = helpers.filter(file =>
    /^(before|after)(All|Each)\(/m.test(readFileSync(join(root, file), 'utf8')),
  )
  expect(hooked).toEqual([])
})
