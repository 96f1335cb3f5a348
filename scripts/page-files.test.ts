import { globSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, it } from 'vitest'
import { pages, parts } from './page-files.ts'

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

it('lists every page behind the first ones: one that is not would be drawn without its styles', () => {
  const source = readFileSync(join(web, 'app/inner-pages.ts'), 'utf8')
  const imported = [...source.matchAll(/(\w+): \(\) => import\('#web\/([^']+)'\)/g)]
  const modules = imported.filter(([, name]) => name !== 'issueDialogs').map(([, , module]) => module)
  expect(modules.length).toBeGreaterThan(30)
  const listed = new Set<string | undefined>(Object.values(pages).flat())
  expect(modules.filter(module => !listed.has(module))).toEqual([])
})
