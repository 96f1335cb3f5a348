import { createContext, use, useEffect, useRef } from 'react'
import { startHasher } from './hasher.ts'
import type { Hasher } from './messages.ts'

export const HasherSource = createContext<() => Hasher>(startHasher)

/** A thread that hashes: begun when it is needed, ended with what uses it unless it is handed over before. */
export function useHasher() {
  const start = use(HasherSource)
  const own = useRef<Hasher | null>(null)
  useEffect(() => () => own.current?.close(), [])
  const hasher = () => (own.current ??= start())
  const handOver = () => {
    const current = hasher()
    own.current = null
    return current
  }
  return { hasher, handOver }
}
