import {
  IconAlertTriangle,
  IconArrowRight,
  IconBan,
  IconCircleCheck,
  IconCircleX,
  IconPencil,
  IconSend,
  type Icon,
} from '@tabler/icons-react'
import type { QuotationState } from '#shared/api/quotations.ts'
import { useTranslation } from '#web/i18n/use-translation.ts'
import { StatusBadge, type Tone } from '#web/ui/status-badge.tsx'

const looks: Record<QuotationState, { tone: Tone; icon: Icon }> = {
  draft: { tone: 'neutral', icon: IconPencil },
  sent: { tone: 'accent', icon: IconSend },
  expired: { tone: 'warn', icon: IconAlertTriangle },
  accepted: { tone: 'good', icon: IconCircleCheck },
  rejected: { tone: 'neutral', icon: IconCircleX },
  cancelled: { tone: 'neutral', icon: IconBan },
  superseded: { tone: 'neutral', icon: IconArrowRight },
}

export function OrderState({ status }: { status: QuotationState }) {
  const { t } = useTranslation('orders')
  return <StatusBadge {...looks[status]} label={t(`state.${status}`)} />
}
