import { useMutation, useQueryClient } from '@tanstack/react-query'
import type { Report } from '#shared/api/reports.ts'
import type { ConvertedReport } from '#shared/convert-to-ga4.ts'
import { client } from '#web/client/client.ts'
import type { Problem } from '#web/client/problem.ts'

const REPORTS = '/api/gs-template-setting/'

interface Convert {
  report: Report
  converted: ConvertedReport
  name: string
}

/**
 * Copies the report and changes the copy. A copy that cannot be changed is of no use, and is deleted again.
 */
export function useConvert() {
  const queries = useQueryClient()
  return useMutation<Report, Problem, Convert>({
    async mutationFn({ report, converted, name }) {
      const copy = await client.post<Report>(`${REPORTS}${report.id}/copy/`, { body: {} })
      const body = { version: copy.version, name, ...converted }
      return await client.patch<Report>(`${REPORTS}${copy.id}/`, { body }).catch(async (refused: unknown) => {
        await client.delete(`${REPORTS}${copy.id}/`)
        throw refused
      })
    },
    onSuccess: made => {
      queries.setQueryData(['reports', 'one', made.id], made)
      void queries.invalidateQueries({ queryKey: ['reports', 'list'] })
    },
  })
}
