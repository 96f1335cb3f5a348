import { IconAlertTriangle } from '@tabler/icons-react'
import { LinkText } from '#web/client/links.tsx'
import { useTranslation } from '#web/i18n/use-translation.ts'
import type { EndingCounts } from '#shared/api/reports.ts'
import styles from './ending-strip.module.css'

/** One line about the reports that end soon. */
export function EndingStrip({ counts: { soon, ended } }: { counts: EndingCounts }) {
  const { t } = useTranslation('overview_later')
  return (
    <section className={styles.strip} aria-label={t('ending.label')}>
      <IconAlertTriangle size={18} stroke={1.7} aria-hidden />
      {soon > 0 && <strong>{t('ending.soon', { count: soon })}</strong>}
      {ended > 0 && <span>{t('ending.ended', { count: ended })}</span>}
      <LinkText to="/gs-template/care" search={{ do: 'ending' }}>
        {t('ending.show')}
      </LinkText>
    </section>
  )
}
