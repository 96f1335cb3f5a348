import { IconAlertTriangle } from '@tabler/icons-react'
import { LinkButton } from '#web/client/links.tsx'
import { useTranslation } from '#web/i18n/use-translation.ts'
import { useEndingCounts } from './ending-counts.ts'

/**
 * How many reports end soon, beside other buttons, where a line that appears later would push the page down.
 */
export function EndingChip() {
  const { t } = useTranslation('overview_later')
  const counts = useEndingCounts()
  if (!counts || counts.soon + counts.ended === 0) return null
  const { soon, ended } = counts
  return (
    <LinkButton
      to="/gs-template/care"
      search={{ do: 'ending' }}
      variant="subtle"
      c="var(--warn)"
      leftSection={<IconAlertTriangle size={16} stroke={1.7} aria-hidden />}
    >
      {soon > 0 ? t('ending.chip_soon', { count: soon }) : t('ending.chip_ended', { count: ended })}
    </LinkButton>
  )
}
