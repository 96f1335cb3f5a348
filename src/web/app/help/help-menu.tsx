import {
  IconHelpCircle,
  IconFileDescription,
  IconKeyboard,
  IconLifebuoy,
  IconListDetails,
  IconShare,
  IconSparkles,
} from '@tabler/icons-react'
import { lazy, Suspense, useState } from 'react'
import { openIssue, reportIssue } from '#web/client/issues.ts'
import { loadAllTexts } from '#web/i18n/i18n.ts'
import { useTranslation } from '#web/i18n/use-translation.ts'
import { MenuButton, MenuEntry } from '#web/ui/menu-button.tsx'
import { useShortcuts } from './use-shortcuts.ts'

const HelpDialog = lazy(async () => {
  const [{ HelpDialog: drawn }] = await Promise.all([import('./help-dialog.tsx'), loadAllTexts()])
  return { default: drawn }
})

export type HelpTopic = 'page' | 'shortcuts' | 'sharing' | 'news'

const topics = [
  { topic: 'page', icon: IconFileDescription },
  { topic: 'shortcuts', icon: IconKeyboard },
  { topic: 'sharing', icon: IconShare },
  { topic: 'news', icon: IconSparkles },
] as const

/** Help wherever one is: about the page, the keys, sharing a spreadsheet, what is new, and support. */
export function HelpMenu() {
  const { t } = useTranslation('app')
  const [topic, setTopic] = useState<HelpTopic | null>(null)
  useShortcuts(() => setTopic('shortcuts'))
  const icon = { size: 16, stroke: 1.6, 'aria-hidden': true }
  return (
    <>
      <MenuButton label={t('help.label')} face={<IconHelpCircle size={18} stroke={1.6} aria-hidden />}>
        {topics.map(({ topic: name, icon: Glyph }) => (
          <MenuEntry key={name} icon={<Glyph {...icon} />} onClick={() => setTopic(name)}>
            {t(`help.${name}`)}
          </MenuEntry>
        ))}
        <MenuEntry icon={<IconLifebuoy {...icon} />} onClick={() => reportIssue()}>
          {t('help.report_issue')}
        </MenuEntry>
        <MenuEntry icon={<IconListDetails {...icon} />} onClick={() => openIssue.set({ kind: 'all' })}>
          {t('help.issues')}
        </MenuEntry>
      </MenuButton>
      {topic !== null && (
        <Suspense>
          <HelpDialog topic={topic} onClose={() => setTopic(null)} />
        </Suspense>
      )}
    </>
  )
}
