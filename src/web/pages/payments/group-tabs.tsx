import type { z } from 'zod'
import type { PaymentList } from '#shared/api/payments.ts'
import { useTranslation } from '#web/i18n/use-translation.ts'
import { CountTabs, totalsOf } from '#web/pages/count-tabs.tsx'
import { useWeek } from './data.ts'
import { paymentGroups, type PaymentGroup } from './search.ts'
import { useView } from './view.ts'

type Sums = z.infer<typeof PaymentList>['sums']

/** By what is to be done next, with what is left to receive of them. */
export function GroupTabs({ sums, today }: { sums: Sums; today: string }) {
  const { t } = useTranslation('payments')
  const { view, change } = useView()
  const week = useWeek(view, today).data?.sums.filter(({ status }) => status === 'due') ?? []
  const ofGroup = (group: PaymentGroup | undefined) =>
    group === undefined ? sums : group === 'week' ? week : sums.filter(({ status }) => status === group)
  const open = ofGroup(view.group).flatMap(sum =>
    sum.open > 0 ? [{ currency: sum.currency, total: sum.open }] : [],
  )
  return (
    <CountTabs
      label={t('groups.label')}
      tabs={[undefined, ...paymentGroups].map(group => ({
        key: group ?? 'all',
        name: t(`groups.${group ?? 'all'}`),
        count: ofGroup(group).reduce((count, sum) => count + sum.count, 0),
        isChosen: view.group === group,
        onChoose: () => change({ group, ordering: undefined }),
      }))}
      totals={totalsOf(open)}
      totalsName={t('left')}
    />
  )
}
