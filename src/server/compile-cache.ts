import { join } from 'node:path'

/**
 * Where Node caches what it has compiled of our files: a process starts in half the time, and 25 MB smaller.
 * Where nothing can be written there is no cache.
 */
export const COMPILE_CACHE = join(import.meta.dirname, '../../node_modules/.cache/compiled')

/**
 * What Node and its allocator read when a process begins, and not afterwards. With the cache from the first
 * file on, nothing loads the 17 MB that strip types. By default glibc keeps what was freed in as many heaps
 * as there have been threads at once, 140 MB in the demo after its first start; one heap returns it.
 */
export const LEAN_ENVIRONMENT = {
  NODE_COMPILE_CACHE: COMPILE_CACHE,
  MALLOC_ARENA_MAX: '1',
  MALLOC_TRIM_THRESHOLD_: '131072',
}
