import { globSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, it } from 'vitest'
import { parts } from './page-files.ts'

const web = join(import.meta.dirname, '../src/web')

it('lists the styles of every part that the server draws', () => {
  const drawn = globSync('**/*.tsx', { cwd: web }).flatMap(file =>
    [...readFileSync(join(web, file), 'utf8').matchAll(/lazyAtFirst\('([^']+)'/g)].map(
      ([, module]) => module,
    ),
  )
  expect(drawn.length).toBeGreaterThan(1)
  expect(drawn.toSorted()).toEqual(parts.toSorted())
})
