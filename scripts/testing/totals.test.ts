import { expect, it } from 'vitest'
import { kindOf } from './kinds.ts'
import { linesOf, type TestedFile } from './totals.ts'

const whole = { passed: 3, failed: 0, times: { starting: 1, whole: 10, computing: 4 } }
const files: TestedFile[] = [
  { name: 'src/a.test.ts', kind: 'unit', ...whole },
  { name: 'e2e/b.test.ts', kind: 'browser', ...whole },
]

it('a run ends with its totals by kind and one line for programs', () => {
  expect(linesOf(files, { errors: 0, seed: '7' })).toEqual([
    'browser: 3 passed, 0 failed in 1 files; 10 s, of them 1 s starting; 4 s of processor time',
    'unit: 3 passed, 0 failed in 1 files; 10 s, of them 1 s starting; 4 s of processor time',
    'vitest: 6 passed, 0 failed',
  ])
})

it('a file that fails is named with the seed that reproduces it', () => {
  const broken: TestedFile = { name: 'src/c.test.ts', kind: 'unit', passed: 0, failed: 1, times: null }
  const lines = linesOf([...files, broken], { errors: 0, seed: '7' })
  expect(lines).toContain('again: SEED=7 npm run tests -- src/c.test.ts')
  expect(lines.at(-1)).toBe('vitest: 6 passed, 1 failed')
})

it('an error outside any test is a failure', () => {
  expect(linesOf(files, { errors: 1, seed: '7' }).at(-1)).toBe('vitest: 6 passed, 1 failed')
})

it.each([
  ['e2e/keyboard.test.ts', 'browser'],
  ['src/server/worker.test.ts', 'process'],
  ['src/server/db/reader.test.ts', 'database'],
  ['src/web/ui/toast.test.tsx', 'component'],
  ['src/shared/money.test.ts', 'unit'],
])('%s is of the kind that it needs: %s', (file, kind) => {
  expect(kindOf(file)).toBe(kind)
})
