import { useQueryClient } from '@tanstack/react-query'

/**
 * Invalidates everything cached under one of these keys; queries that are not visible are reloaded when they
 * become visible.
 */
export function useReload(...keys: readonly string[]): () => Promise<unknown> {
  const queries = useQueryClient()
  return () => Promise.all(keys.map(key => queries.invalidateQueries({ queryKey: [key] })))
}
