import { join } from 'node:path'

/**
 * Where Node keeps what it has made of our files: a process starts in half the time, and 25 MB smaller. Where
 * nothing can be written it does without.
 */
export const COMPILE_CACHE = join(import.meta.dirname, '../../node_modules/.cache/compiled')
