import { existsSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import pixelmatch from 'pixelmatch'
import type { Page } from 'playwright-core'
import { PNG } from 'pngjs'
import { useTestFont } from './test-font.ts'

const SNAPSHOTS = join(import.meta.dirname, 'snapshots')
const FAILED = join(import.meta.dirname, '../node_modules/.cache/photographs')

/**
 * Whether to record the photographs anew: `UPDATE_PHOTOGRAPHS=1 npx vitest run --project e2e
 * e2e/photographs.test.ts`
 */
export const isUpdating = process.env.UPDATE_PHOTOGRAPHS === '1'

/**
 * Colours that differ less than this are the same to the eye, and edges are drawn a little differently by
 * different processors; of all points this share may differ by more.
 */
const THRESHOLD = 0.1
const SHARE = 0.001

/**
 * Compares the page with the photograph of that name: nothing when they are equal, else what differs and
 * where to see it.
 */
export async function photograph(page: Page, name: string, { whole = false } = {}): Promise<string[]> {
  await useTestFont(page)
  const snapshot = join(SNAPSHOTS, `${name}.png`)
  if (isUpdating) {
    mkdirSync(SNAPSHOTS, { recursive: true })
    writeFileSync(snapshot, await calm(page, whole))
    return []
  }
  if (!existsSync(snapshot)) return [`${name}: there is no photograph yet`]
  const known = readFileSync(snapshot)
  const taken = await take(page, whole)
  // Drawn by the same browser on such a processor the bytes are equal: no need to decode them.
  if (known.equals(taken)) return []
  const before = PNG.sync.read(known)
  // A page that matches at once needs no wait.
  const problems = compare(name, before, taken)
  return problems.length === 0 ? [] : compare(name, before, await calm(page, whole))
}

/** The first picture that equals the one before: everything has loaded. */
export async function calm(page: Page, fullPage = false): Promise<Buffer> {
  let before: Buffer | null = null
  for (;;) {
    await page.waitForLoadState('networkidle')
    const now = await take(page, fullPage)
    if (before?.equals(now)) return now
    before = now
  }
}

const take = (page: Page, fullPage: boolean) =>
  page.screenshot({ fullPage, animations: 'disabled', caret: 'hide', scale: 'css' })

function compare(name: string, before: PNG, taken: Buffer): string[] {
  const now = PNG.sync.read(taken)
  const { width, height } = before
  const isSameSize = width === now.width && height === now.height
  const difference = new PNG({ width, height })
  const count = isSameSize
    ? pixelmatch(before.data, now.data, difference.data, width, height, { threshold: THRESHOLD })
    : width * height
  for (const kind of ['now', 'difference']) rmSync(join(FAILED, `${name}.${kind}.png`), { force: true })
  if (count <= width * height * SHARE) return []
  mkdirSync(FAILED, { recursive: true })
  writeFileSync(join(FAILED, `${name}.now.png`), taken)
  if (isSameSize) writeFileSync(join(FAILED, `${name}.difference.png`), PNG.sync.write(difference))
  const what = isSameSize
    ? `${count} of ${width * height} points differ`
    : `${now.width} × ${now.height} px instead of ${width} × ${height}`
  return [`${name}: ${what}, see ${FAILED}`]
}
