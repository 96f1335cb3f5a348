import { execFileSync, spawnSync } from 'node:child_process'
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { afterAll, describe, expect, it } from 'vitest'

const project = mkdtempSync(join(tmpdir(), 'sheetcast-style-'))
afterAll(() => rmSync(project, { recursive: true }))

const long = '// '.padEnd(120, 'x')
const files: Record<string, string> = {
  'src/server/mail/send.ts': `import { low } from '#server/db/low.ts'
import { up } from '../http/up.ts'
${long}
export function send(to: string, subject: string, body: string, reply_to: string) {
  return low(up(to as never, subject!, body as any, reply_to))
}
`,
  'src/server/http/up.ts': `import { low } from '#server/db/low.ts'
// oxlint-disable-next-line no-console
export const up = (...all: string[]) => low(all as const)
`,
  'src/server/db/low.ts': `import type { up } from '#server/http/up.ts'
export interface Deed { is_open: boolean; isOpen: boolean }
export const low = (all: unknown) => ({}) as Deed & typeof up
`,
  'src/server/db/all.ts': "export * from './low.ts'\n",
  'src/server/db/testing/rig.ts': 'export const told_rig = 1\n',
}
for (const [file, text] of Object.entries(files)) {
  mkdirSync(dirname(join(project, file)), { recursive: true })
  writeFileSync(join(project, file), text)
}

const STYLE = join(import.meta.dirname, 'style.mjs')

const listed = (measure: string) =>
  execFileSync(process.execPath, [STYLE, '--list', measure], {
    cwd: project,
    encoding: 'utf8',
  })
    .split('\n')
    .filter(line => line !== '')

describe('the style of the code', () => {
  it.each([
    ['parameters', ['src/server/mail/send.ts:4 3']],
    ['any', ['src/server/mail/send.ts:5']],
    ['as', ['src/server/db/low.ts:3', 'src/server/mail/send.ts:5', 'src/server/mail/send.ts:5']],
    ['non-null', ['src/server/mail/send.ts:5']],
    ['silenced', ['src/server/http/up.ts:2']],
    ['barrels', ['src/server/db/all.ts']],
    ['climbing', ['src/server/mail/send.ts ../http/up.ts']],
    ['room-cycles', ['src/server/db', 'src/server/http']],
    ['file-cycles', []],
    ['comment-width', ['src/server/mail/send.ts:3 120']],
    ['two-spellings', ['src/server/db/low.ts 3']],
    ['snake-locals', ['src/server/mail/send.ts:4 reply_to']],
    ['private-words', ['src/server/db/low.ts:2 Deed', 'src/server/db/testing/rig.ts:1 told_rig']],
  ])('counts %s', (measure, places) => {
    expect(listed(measure).toSorted()).toEqual(places)
  })

  it('fails above a budget, and says which', () => {
    const { status, stdout } = spawnSync(process.execPath, [STYLE], { cwd: project, encoding: 'utf8' })
    expect(status).toBe(1)
    expect(stdout).toMatch(/^✗ climbing +\d/m)
    expect(stdout).toMatch(/^✓ file-max +\d/m)
    expect(stdout).toMatch(/^style: \d+ passed, \d+ failed$/m)
  })
})
