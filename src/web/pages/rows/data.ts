import { useMutation, useQueryClient } from '@tanstack/react-query'
import type { ImportReply } from '#shared/api/customers.ts'
import { client } from '#web/client/client.ts'
import type { Problem } from '#web/client/problem.ts'

/** What every change of a row names: which row, and the version that was read. */
export interface Versioned {
  id: number
  version: number
}

/** Deletes a row to which nothing points. */
export const useRemove = (path: string) =>
  useChange(({ id, version }: Versioned) => client.delete<null>(`${path}${id}/`, { body: { version } }))

/** Reads a file of rows; with `dry_run` it only says what would become of them. */
export const useImport = (path: string) =>
  useChange(({ file, dry_run }: { file: File; dry_run: boolean }) => {
    const body = new FormData()
    body.set('file', file)
    return client.post<ImportReply>(`${path}import/`, { body, query: { dry_run } })
  })

/** Whatever changes here, others may count and name. */
function useChange<Reply, Input>(send: (input: Input) => Promise<Reply>) {
  const queries = useQueryClient()
  return useMutation<Reply, Problem, Input>({
    mutationFn: send,
    onSuccess: () => queries.invalidateQueries(),
  })
}
