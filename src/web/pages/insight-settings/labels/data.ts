import { useQuery } from '@tanstack/react-query'
import type { z } from 'zod'
import type {
  CreateMetricLabel,
  MetricLabel,
  MetricLabelList,
  UpdateMetricLabel,
} from '#shared/api/insight-settings.ts'
import { client } from '#web/client/client.ts'
import { readAll } from '#web/client/list-pages.ts'
import type { Problem } from '#web/client/problem.ts'
import { SETTINGS, useChange } from '#web/pages/insight-settings/data.ts'

export const LABELS = `${SETTINGS}labels/`

/** All labels of the agency, or of an advertiser. */
export const useLabels = (scope: number | 'agency') =>
  useQuery<MetricLabel[], Problem>({
    queryKey: ['insight-settings', 'labels', scope],
    queryFn: ({ signal }) =>
      readAll(rows =>
        client.get<z.infer<typeof MetricLabelList>>(LABELS, {
          query: { advertiser: scope, ordering: 'metric', ...rows },
          signal,
        }),
      ),
  })

/** A first label of a metric, or the one that is there with other words. */
export const useSaveLabel = (label: MetricLabel | null) =>
  useChange((body: z.input<typeof CreateMetricLabel>) => {
    if (label === null) return client.post<MetricLabel>(LABELS, { body })
    const changed: z.input<typeof UpdateMetricLabel> = {
      label: body.label,
      label_zh: body.label_zh,
      version: label.version,
    }
    return client.patch<MetricLabel>(`${LABELS}${label.id}/`, { body: changed })
  })

export const useResetLabel = () =>
  useChange(({ id, version }: Pick<MetricLabel, 'id' | 'version'>) =>
    client.delete<null>(`${LABELS}${id}/`, { body: { version } }),
  )
