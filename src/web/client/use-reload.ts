import { useQueryClient } from '@tanstack/react-query'

/**
 * Asks anew for whatever is kept under one of these keys; what nobody looks at is asked for when somebody
 * does.
 */
export function useReload(...keys: readonly string[]): () => Promise<unknown> {
  const queries = useQueryClient()
  return () => Promise.all(keys.map(key => queries.invalidateQueries({ queryKey: [key] })))
}
