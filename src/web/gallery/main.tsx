import '#web/app/styles.ts'
import { createRoot } from 'react-dom/client'
import { languages } from '#shared/language.ts'
import { ThemeProvider } from '#web/app/theme-provider.tsx'
import { chooseColorScheme, startColorScheme } from '#web/client/color-scheme.ts'
import { loadBusinessTexts, loadInnerTexts, startI18n, switchLanguage } from '#web/i18n/i18n.ts'
import { watchFocus } from '#web/ui/last-focused.ts'
import { Gallery } from './gallery.tsx'

// Every widget in its states: to work on them (`npm run dev`, then /gallery/), and for the tests. Not part of
// the build. The URL says what to show: ?part=fields&language=zh-TW&theme=dark
const address = new URLSearchParams(location.search)

startColorScheme()
watchFocus()
if (address.get('theme') === 'dark' || address.get('theme') === 'light')
  chooseColorScheme(address.get('theme') === 'dark' ? 'dark' : 'light')
await startI18n()
await switchLanguage(languages.find(language => language === address.get('language')) ?? 'en')
await Promise.all([loadInnerTexts(), loadBusinessTexts()])

const root = document.getElementById('root')
if (root)
  createRoot(root).render(
    <ThemeProvider>
      <Gallery part={address.get('part')} />
    </ThemeProvider>,
  )
