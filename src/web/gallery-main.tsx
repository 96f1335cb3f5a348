import './app/styles.ts'
import { createRoot } from 'react-dom/client'
import { startColorScheme } from './app/color-scheme.ts'
import { ThemeProvider } from './app/theme-provider.tsx'
import { startI18n } from './i18n/i18n.ts'
import { Gallery } from './ui/gallery.tsx'

// Every widget in its states, for looking at while working on them: `npm run dev`, then /gallery.html. No part of what is built.
startColorScheme()
await startI18n()
const root = document.getElementById('root')
if (root)
  createRoot(root).render(
    <ThemeProvider>
      <Gallery />
    </ThemeProvider>,
  )
