import { execFile } from 'node:child_process'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { makeOnce } from '#server/testing/make-once.ts'

/**
 * Where it is stored: beside the package that it comes with, so that another version of that is unpacked
 * anew.
 */
const FOLDER = join(import.meta.dirname, '../node_modules/.cache/chromium')

const PROGRAM = join(import.meta.dirname, '../scripts/unpack-chromium.ts')

/**
 * A real Chromium to launch: the one of CHROME_PATH, on Linux that of an npm package, elsewhere an installed
 * Chrome.
 */
export async function findChromium(): Promise<{ executablePath: string } | { channel: 'chrome' }> {
  if (process.env.CHROME_PATH) return { executablePath: process.env.CHROME_PATH }
  if (process.platform !== 'linux' || process.arch !== 'x64') return { channel: 'chrome' }
  // 190 MB and some seconds of the processor, once.
  await makeOnce(FOLDER, unpackInto)
  return { executablePath: join(FOLDER, 'chromium') }
}

/** The package unpacks into the temporary directory, whatever is there already: into one of its own here. */
const unpackInto = (folder: string) =>
  promisify(execFile)(process.execPath, [PROGRAM], { env: { ...process.env, TMPDIR: folder } })
