import { IconAlertTriangle, IconBan, IconCircleCheck, IconClock, type Icon } from '@tabler/icons-react'
import type { PaymentState as State } from '#shared/api/payments.ts'
import { useTranslation } from '#web/i18n/use-translation.ts'
import { StatusBadge, type Tone } from '#web/ui/status-badge.tsx'

const looks: Record<State, { tone: Tone; icon: Icon }> = {
  due: { tone: 'accent', icon: IconClock },
  overdue: { tone: 'bad', icon: IconAlertTriangle },
  paid: { tone: 'good', icon: IconCircleCheck },
  void: { tone: 'neutral', icon: IconBan },
}

export function PaymentState({ status }: { status: State }) {
  const { t } = useTranslation('payments')
  return <StatusBadge {...looks[status]} label={t(`state.${status}`)} />
}
