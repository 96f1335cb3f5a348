import { renameSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import type { TestProject } from 'vitest/node'
import { buildGallery, buildInterface } from './build-interface.ts'
import { findChromium } from './chromium.ts'
import { prepareDemo } from './prepare-demo.ts'
import { PREPARED, type Prepared } from './prepared.ts'
import { newFolder } from './product.ts'

/** For fewer files than this the demo of each product runs its first reports by itself. */
const MANY_FILES = 4

/**
 * Builds the interface as it is now, the gallery of widgets where it is needed and, for many files, a demo
 * for their products to begin with, while other tests run already. The files of the browser wait for it.
 */
export function prepareBrowsing(
  project: TestProject,
  { files, with_gallery }: { files: number; with_gallery: boolean },
) {
  const folder = newFolder()
  const preparing = prepare(folder, { with_demo: files >= MANY_FILES, with_gallery })
  project.provide('prepared', folder)
  return async () => {
    const end = await preparing
    await end()
    rmSync(folder, { recursive: true, force: true })
  }
}

async function prepare(
  folder: string,
  { with_demo, with_gallery }: { with_demo: boolean; with_gallery: boolean },
) {
  const note: Prepared = { gallery: join(folder, 'gallery') }
  let end = () => Promise.resolve()
  try {
    // Unpacked here, so that no two test files do so at the same time.
    await Promise.all([buildInterface(), findChromium()])
    if (with_gallery) await buildGallery(note.gallery)
    if (with_demo) ({ demo: note.demo, end } = await prepareDemo(folder))
  } catch (error) {
    note.problem = error instanceof Error ? String(error.stack) : String(error)
  }
  // Renamed into place, so that no reader sees half of it.
  writeFileSync(join(folder, 'note'), JSON.stringify(note))
  renameSync(join(folder, 'note'), join(folder, PREPARED))
  return end
}
