import { existsSync, mkdirSync, mkdtempSync, renameSync, rmSync } from 'node:fs'
import { dirname } from 'node:path'

/**
 * Fills a folder where there is none of this name. It is there whole or not at all, also for processes that
 * do so at once and for those that come after one that was killed: a program that is still being written
 * cannot be started.
 */
export async function makeOnce(folder: string, fill: (folder: string) => unknown) {
  if (existsSync(folder)) return
  mkdirSync(dirname(folder), { recursive: true })
  const filled = mkdtempSync(`${folder}-`)
  try {
    await fill(filled)
    renameSync(filled, folder)
  } catch (error) {
    rmSync(filled, { recursive: true, force: true })
    // Another was faster.
    if (!existsSync(folder)) throw error
  }
}
