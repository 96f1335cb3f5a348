import { Skeleton } from '@mantine/core'
import { Suspense } from 'react'
import { useTranslation } from '#web/i18n/use-translation.ts'
import { lazy } from '#web/visit/lazy.ts'
import type { ChartProps } from './chart.tsx'

/** For a page that knows that it will show one. */
export const loadChart = () => import('./chart.tsx')
const Chart = lazy(async () => ({ default: (await loadChart()).Chart }))

/**
 * A chart whose code is loaded when the first one is shown. The usual way to use charts: `data: null` while
 * the numbers are loading.
 */
export function LazyChart({
  data,
  ...props
}: Omit<ChartProps, 'data'> & { data: ChartProps['data'] | null }) {
  const loading = <ChartLoading height={props.height} />
  return data === null ? (
    loading
  ) : (
    <Suspense fallback={loading}>
      <Chart data={data} {...props} />
    </Suspense>
  )
}

/** As high as the chart that replaces it. */
function ChartLoading({ height }: { height: number }) {
  const { t } = useTranslation('ui')
  return (
    <output aria-label={t('loading')}>
      <Skeleton height={height} radius="sm" />
    </output>
  )
}
