import { IconExternalLink } from '@tabler/icons-react'
import type { AccessResult } from '#shared/audiences.ts'
import { useTranslation } from '#web/i18n/use-translation.ts'
import styles from './audiences.module.css'

/** Where a person mends what keeps an account from taking an audience. */
export function FixLink({ href, result }: { href: string; result: AccessResult }) {
  const { t } = useTranslation('audiences')
  // The address is the platform's: nothing but a page of the web.
  if (!/^https?:\/\//.test(href)) return null
  return (
    <a className={styles.fix} href={href} target="_blank" rel="noopener noreferrer">
      {t(result === 'terms_not_accepted' ? 'accounts.fix.terms_not_accepted' : 'accounts.fix.other')}
      <IconExternalLink size={14} stroke={1.7} aria-hidden />
    </a>
  )
}
