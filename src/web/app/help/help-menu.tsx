import {
  IconHelpCircle,
  IconFileDescription,
  IconKey,
  IconKeyboard,
  IconLifebuoy,
  IconListDetails,
  IconShare,
  IconSparkles,
} from '@tabler/icons-react'
import { Suspense } from 'react'
import { instructionsPath } from '#shared/instructions.ts'
import { openHelp } from '#web/client/help.ts'
import { openIssue, reportIssue } from '#web/client/issues.ts'
import { useIsInternal } from '#web/client/me.ts'
import { useStore } from '#web/client/store.ts'
import { loadInnerTexts } from '#web/i18n/i18n.ts'
import { useTranslation } from '#web/i18n/use-translation.ts'
import { MenuButton, MenuEntry } from '#web/ui/menu-button.tsx'
import { lazy } from '#web/visit/lazy.ts'
import { useShortcuts } from './use-shortcuts.ts'

const HelpDialog = lazy(async () => {
  const [{ HelpDialog: drawn }] = await Promise.all([import('./help-dialog.tsx'), loadInnerTexts()])
  return { default: drawn }
})

const topics = [
  { topic: 'page', icon: IconFileDescription },
  { topic: 'shortcuts', icon: IconKeyboard },
  { topic: 'sharing', icon: IconShare },
  { topic: 'news', icon: IconSparkles },
] as const

/**
 * Help wherever one is: about the page, the keys, sharing a spreadsheet, what is new, for the agency the
 * instructions, and support.
 */
export function HelpMenu() {
  const { t } = useTranslation('app')
  const internal = useIsInternal()
  const opened = useStore(openHelp)
  useShortcuts(() => openHelp.set({ topic: 'shortcuts' }))
  const icon = { size: 16, stroke: 1.6, 'aria-hidden': true }
  return (
    <>
      <MenuButton label={t('help.label')} face={<IconHelpCircle size={18} stroke={1.6} aria-hidden />}>
        {topics.map(({ topic, icon: Glyph }) => (
          <MenuEntry key={topic} icon={<Glyph {...icon} />} onClick={() => openHelp.set({ topic })}>
            {t(`help.${topic}`)}
          </MenuEntry>
        ))}
        {internal && (
          <MenuEntry
            icon={<IconKey {...icon} />}
            onClick={() => globalThis.open(instructionsPath(), '_blank', 'noopener')}
          >
            {t('help.accounts')}
          </MenuEntry>
        )}
        <MenuEntry icon={<IconLifebuoy {...icon} />} onClick={() => reportIssue()}>
          {t('help.report_issue')}
        </MenuEntry>
        <MenuEntry icon={<IconListDetails {...icon} />} onClick={() => openIssue.set({ kind: 'all' })}>
          {t('help.issues')}
        </MenuEntry>
      </MenuButton>
      {opened !== null && (
        <Suspense>
          <HelpDialog {...opened} onClose={() => openHelp.set(null)} />
        </Suspense>
      )}
    </>
  )
}
