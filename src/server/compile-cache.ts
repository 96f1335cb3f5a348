import { join } from 'node:path'

/**
 * Where Node caches what it has compiled of our files: a process starts in half the time, and 25 MB smaller.
 * Where nothing can be written there is no cache.
 */
export const COMPILE_CACHE = join(import.meta.dirname, '../../node_modules/.cache/compiled')
