import { useMutation, useQueryClient } from '@tanstack/react-query'
import type { z } from 'zod'
import type { Report, ReportList } from '#shared/api/reports.ts'
import { client } from '#web/client/client.ts'
import { showToast } from '#web/client/toasts.ts'
import { useTranslation } from '#web/i18n/use-translation.ts'
import { REPORTS } from './data.ts'

/** Marks a report or unmarks it: at once in the lists, and back if the server refuses. */
export function useFavourite({ id, favourite }: Report) {
  const { t } = useTranslation('reports')
  const queries = useQueryClient()
  const show = (isMarked: boolean) =>
    queries.setQueriesData<z.infer<typeof ReportList>>(
      { queryKey: ['reports', 'list'] },
      list =>
        list && {
          ...list,
          results: list.results.map(each => (each.id === id ? { ...each, favourite: isMarked } : each)),
        },
    )
  const path = `${REPORTS}${id}/favourite/`
  const { mutate } = useMutation({
    mutationFn: () => (favourite ? client.delete(path) : client.post(path, { body: {} })),
    onMutate: () => show(!favourite),
    onError: () => {
      show(favourite)
      showToast({ severity: 'error', message: t('failed') })
    },
    onSettled: () => queries.invalidateQueries({ queryKey: ['reports'] }),
  })
  return () => mutate()
}
