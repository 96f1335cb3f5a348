import { IconDeviceDesktop, IconLanguage, IconMoon, IconSun } from '@tabler/icons-react'
import type { z } from 'zod'
import type { Theme } from '#shared/api/people.ts'
import { languageNames, languages, type Language } from '#shared/language.ts'
import { useLanguage, useTranslation } from '#web/i18n/use-translation.ts'
import { MenuButton, MenuEntry } from './menu-button.tsx'

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

type ColorScheme = z.infer<typeof Theme>

const themeIcons = { light: IconSun, dark: IconMoon, auto: IconDeviceDesktop } as const
const themes = ['light', 'dark', 'auto'] as const

interface ThemeSwitchProps {
  current: ColorScheme
  onChoose: (theme: ColorScheme) => void
}

export function ThemeSwitch({ current, onChoose }: ThemeSwitchProps) {
  const { t } = useTranslation('app')
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
