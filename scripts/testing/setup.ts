import type { TestProject } from 'vitest/node'
import startDatabase from '#server/db/testing/setup.ts'
import { prepareBrowsing } from '../../e2e/setup.ts'
import { countOf, isImported } from './kinds.ts'

/**
 * Prepares what the files that are about to run need, and nothing else: a test of a rule starts within a
 * second.
 */
export default async function setup(project: TestProject) {
  const ends: (() => Promise<void>)[] = []
  if (countOf(project, 'process', 'database') > 0) ends.push(await startDatabase(project))
  const files = countOf(project, 'browser')
  const with_gallery = isImported(project, 'e2e/gallery.ts')
  if (files > 0) ends.push(prepareBrowsing(project, { files, with_gallery }))
  return () => Promise.all(ends.map(end => end()))
}
