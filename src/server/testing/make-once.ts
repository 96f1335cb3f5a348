import { existsSync, mkdirSync, mkdtempSync, renameSync, rmSync } from 'node:fs'
import { dirname } from 'node:path'

/**
 * Fills a folder unless one of this name exists. It is complete or missing, also for concurrent processes and
 * for those that come after one that was killed: a program that is still being written cannot be started.
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
    // Another process was faster.
    if (!existsSync(folder)) throw error
  }
}
