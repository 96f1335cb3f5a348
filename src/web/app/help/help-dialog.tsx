import { useMatches } from '@tanstack/react-router'
import type { HelpTopic } from '#web/client/help.ts'
import { useTranslation } from '#web/i18n/use-translation.ts'
import { Dialog } from '#web/ui/dialog.tsx'
import styles from './help.module.css'
import { SharingHelp } from './sharing-help.tsx'
import { ShortcutList } from './shortcut-list.tsx'

interface HelpDialogProps {
  topic: HelpTopic
  onClose: () => void
}

/** One topic of the help menu. */
export function HelpDialog({ topic, onClose }: HelpDialogProps) {
  const { t } = useTranslation('app')
  return (
    <Dialog opened title={t(`help.${topic}`)} size={topic === 'shortcuts' ? 620 : 520} onClose={onClose}>
      {topic === 'page' && <PageHelp />}
      {topic === 'shortcuts' && <ShortcutList />}
      {topic === 'sharing' && <SharingHelp />}
      {topic === 'news' && <News />}
    </Dialog>
  )
}

/** What the open page is for, and how one begins there. */
function PageHelp() {
  const { t } = useTranslation('help')
  const crumb = useMatches({ select: matches => matches.flatMap(({ staticData }) => staticData.crumb ?? []) })
  const page = described.findLast(name => crumb.at(-1) === name) ?? 'any'
  return <p className={styles.text}>{t(`page.${page}`)}</p>
}

const described = [
  'overview',
  'reports',
  'report_editor',
  'permission_settings',
  'run_history',
  'bulk_changes',
  'sheets',
  'sheet',
  'profile',
  'users',
  'instructions',
  'advertisers',
  'advertiser',
  'agents',
  'industries',
  'issuer',
  'public_accounts',
  'businesses',
  'ec_spend',
  'ec_month',
  'insight_settings',
  'audience_lists',
  'target_audiences',
  'links',
  'sites',
  'publishers',
  'images',
  'files',
  'audit',
  'operations',
  'mailbox',
  'support',
] as const

const news = ['help', 'issues', 'specialist', 'escape', 'offline'] as const

/** What has changed for those who use it; the changelog has all of it. */
function News() {
  const { t } = useTranslation('help')
  return (
    <>
      <p className={styles.text}>{t('news.version', { version: import.meta.env.VITE_VERSION })}</p>
      <ul className={styles.news}>
        {news.map(item => (
          <li key={item}>{t(`news.${item}`)}</li>
        ))}
      </ul>
    </>
  )
}
