import type { ReactNode } from 'react'
import { chooseColorScheme, colorScheme } from '#web/client/color-scheme.ts'
import { useStore } from '#web/client/store.ts'
import { switchLanguage } from '#web/i18n/i18n.ts'
import { Logo } from '#web/ui/logo.tsx'
import { LanguageSwitch, ThemeSwitch } from '#web/ui/switches.tsx'
import styles from './entry-page.module.css'

interface EntryPageProps {
  title: string
  detail: ReactNode
  children?: ReactNode
}

/** The frame of the pages before signing in: one card, and above it the choice of language and theme. */
export function EntryPage({ title, detail, children }: EntryPageProps) {
  return (
    <div className={styles.page}>
      <div className={styles.tools}>
        <LanguageSwitch onChoose={language => void switchLanguage(language)} />
        <ThemeSwitch current={useStore(colorScheme)} onChoose={chooseColorScheme} />
      </div>
      <main className={styles.card}>
        <Logo size={36} />
        <h1 className={styles.title}>{title}</h1>
        <p className={styles.detail}>{detail}</p>
        {children}
      </main>
    </div>
  )
}
