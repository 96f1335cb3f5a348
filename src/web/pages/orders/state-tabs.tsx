import type { z } from 'zod'
import type { QuotationList } from '#shared/api/quotations.ts'
import { useTranslation } from '#web/i18n/use-translation.ts'
import { CountTabs, totalsOf } from '#web/pages/count-tabs.tsx'
import { orderStates } from './search.ts'
import { useView } from './view.ts'

/** The states with how many orders are in each, and what the chosen ones amount to. */
export function StateTabs({ sums }: { sums: z.infer<typeof QuotationList>['sums'] }) {
  const { t } = useTranslation('orders')
  const { view, change } = useView()
  const ofState = (status: (typeof orderStates)[number] | undefined) =>
    sums.filter(sum => status === undefined || sum.status === status)
  return (
    <CountTabs
      label={t('tabs.label')}
      tabs={[undefined, ...orderStates].map(status => ({
        key: status ?? 'all',
        name: status === undefined ? t('tabs.all') : t(`state.${status}`),
        count: ofState(status).reduce((count, sum) => count + sum.count, 0),
        isChosen: view.status === status,
        onChoose: () => change({ status }),
      }))}
      totals={totalsOf(ofState(view.status))}
      totalsName={t('sums')}
    />
  )
}
