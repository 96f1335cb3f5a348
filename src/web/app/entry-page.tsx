import type { ReactNode } from 'react'
import { switchLanguage } from '#web/i18n/i18n.ts'
import { chooseColorScheme } from './color-scheme.ts'
import styles from './entry-page.module.css'
import { Logo } from './logo.tsx'
import { LanguageSwitch, ThemeSwitch } from './switches.tsx'

interface EntryPageProps {
  title: string
  detail: ReactNode
  children?: ReactNode
}

/** The frame of the pages before signing in: one card, and above it the two choices that one can make without being known. */
export function EntryPage({ title, detail, children }: EntryPageProps) {
  return (
    <div className={styles.page}>
      <div className={styles.tools}>
        <LanguageSwitch onChoose={language => void switchLanguage(language)} />
        <ThemeSwitch onChoose={chooseColorScheme} />
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
