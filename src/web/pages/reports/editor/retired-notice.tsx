import { Button } from '@mantine/core'
import { Suspense, useState } from 'react'
import type { Report } from '#shared/api/reports.ts'
import { isOfViews } from '#shared/convert-to-ga4.ts'
import { useTranslation } from '#web/i18n/use-translation.ts'
import { InlineAlert } from '#web/ui/inline-alert.tsx'
import { useRun } from '#web/pages/reports/runs/data.ts'
import { lazy } from '#web/visit/lazy.ts'
import type { DraftBlock } from './draft.ts'

const ConvertDialog = lazy(async () => ({
  default: (await import('#web/pages/reports/convert/convert-dialog.tsx')).ConvertDialog,
}))

interface RetiredNoticeProps {
  current: Report | null
  index: number
  block: DraftBlock
}

/** The last run found no platform for the views of a block any more: GA4 may have gone on counting. */
export function RetiredNotice({ current, index, block }: RetiredNoticeProps) {
  const { t } = useTranslation('editing')
  const [converting, setConverting] = useState(false)
  const last_run = isOfViews(block) ? current?.last_run?.id : null
  const outcome = useRun(current?.id ?? 0, last_run).data?.blocks[index]
  if (!current || outcome?.code !== 'channel_retired' || outcome.channel !== block.channel) return null
  return (
    <>
      <InlineAlert
        severity="warning"
        action={
          <Button size="xs" variant="default" onClick={() => setConverting(true)}>
            {t('convert.offer')}
          </Button>
        }
      >
        {t('convert.retired')}
      </InlineAlert>
      {converting && (
        <Suspense fallback={null}>
          <ConvertDialog report={current} onClose={() => setConverting(false)} />
        </Suspense>
      )}
    </>
  )
}
