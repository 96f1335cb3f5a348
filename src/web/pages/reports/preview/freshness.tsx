import { useEffect, useState } from 'react'
import { useTranslation } from '#web/i18n/use-translation.ts'
import { RelativeTime } from '#web/ui/relative-time.tsx'

/** "Updated just now" for a minute, then how long ago. */
export function Freshness({ at }: { at: string }) {
  const { t } = useTranslation('preview')
  const [now, setNow] = useState(() => Date.now())
  useEffect(() => {
    const timer = setInterval(() => setNow(Date.now()), 10_000)
    return () => clearInterval(timer)
  }, [])
  if (now - Date.parse(at) < 60_000) return t('updated_now')
  return (
    <>
      {t('updated')} <RelativeTime at={at} />
    </>
  )
}
