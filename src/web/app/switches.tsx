import { IconDeviceDesktop, IconLanguage, IconMoon, IconSun } from '@tabler/icons-react'
import { useTranslation } from '#web/i18n/use-translation.ts'
import { languageNames, languages, type Language } from '#shared/language.ts'
import { useLanguage } from '#web/i18n/use-translation.ts'
import { MenuButton, MenuEntry } from '#web/ui/menu-button.tsx'
import { colorScheme, type ColorScheme } from './color-scheme.ts'
import { useStore } from './store.ts'

export function LanguageSwitch({ onChoose }: { onChoose: (language: Language) => void }) {
  const { t } = useTranslation('app')
  const current = useLanguage()
  return (
    <MenuButton label={t('header.language')} face={<IconLanguage size={18} stroke={1.6} />}>
      {languages.map(language => (
        <MenuEntry
          key={language}
          lang={language}
          checked={language === current}
          onClick={() => onChoose(language)}
        >
          {languageNames[language]}
        </MenuEntry>
      ))}
    </MenuButton>
  )
}

const themeIcons = { light: IconSun, dark: IconMoon, auto: IconDeviceDesktop } as const
const themes = ['light', 'dark', 'auto'] as const

export function ThemeSwitch({ onChoose }: { onChoose: (theme: ColorScheme) => void }) {
  const { t } = useTranslation('app')
  const current = useStore(colorScheme)
  const Current = themeIcons[current]
  return (
    <MenuButton label={t('header.theme')} face={<Current size={18} stroke={1.6} />}>
      {themes.map(theme => {
        const Icon = themeIcons[theme]
        return (
          <MenuEntry
            key={theme}
            icon={<Icon size={16} stroke={1.6} aria-hidden />}
            checked={theme === current}
            onClick={() => onChoose(theme)}
          >
            {t(`header.theme_${theme}`)}
          </MenuEntry>
        )
      })}
    </MenuButton>
  )
}
