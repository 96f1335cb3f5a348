import { execFile } from 'node:child_process'
import { join } from 'node:path'
import { promisify } from 'node:util'

/** The interface as it is now. */
export const buildInterface = () => run('scripts/build-web.ts', '--if-needed')

/** The gallery of widgets, into this folder. */
export const buildGallery = (folder: string) => run('scripts/build-gallery.ts', folder)

async function run(...program: string[]) {
  const { stdout } = await promisify(execFile)(process.execPath, program, {
    cwd: join(import.meta.dirname, '..'),
  })
  process.stdout.write(stdout)
}
