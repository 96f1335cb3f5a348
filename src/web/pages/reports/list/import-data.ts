import { useMutation, useQuery } from '@tanstack/react-query'
import type { ImportOutcome } from '#shared/api/reports.ts'
import { client } from '#web/client/client.ts'
import type { Problem } from '#web/client/problem.ts'
import { useReload } from '#web/client/use-reload.ts'

const IMPORT = '/api/gs-template-setting/import/'
const asYaml = (text: string) => new Blob([text], { type: 'application/yaml' })
/** Accounts that are not available are left out; the check says which. */
const queryOf = (folder: number) => ({ leave_out: true, folder: folder === 0 ? undefined : folder })

/** Previews the import of a text; nothing is created. */
export const useImportCheck = (text: string, folder: number) =>
  useQuery<ImportOutcome, Problem>({
    queryKey: ['import', folder, text],
    queryFn: ({ signal }) =>
      client.post(`${IMPORT}check/`, { body: asYaml(text), query: queryOf(folder), signal }),
    enabled: text.trim() !== '',
    staleTime: 0,
    gcTime: 0,
  })

export function useImport(folder: number) {
  const reload = useReload('folders', 'reports')
  return useMutation<ImportOutcome, Problem, string>({
    mutationFn: text => client.post(IMPORT, { body: asYaml(text), query: queryOf(folder) }),
    onSuccess: reload,
  })
}
