import type { ReactNode } from 'react'
import { useTranslation } from '#web/i18n/use-translation.ts'
import styles from './step-drawings.module.css'

// Small pictures of the steps in the spreadsheet; the text below says the same.

const Drawing = ({ children }: { children: ReactNode }) => (
  <svg className={styles.drawing} viewBox="0 0 160 64" aria-hidden focusable="false">
    {children}
  </svg>
)

/** An address, and the pointer on the button that copies it. */
export function CopyDrawing() {
  return (
    <Drawing>
      <rect className={styles.paper} x="6" y="20" width="112" height="24" rx="4" />
      <text className={styles.small} x="14" y="36">
        sheetcast@…
      </text>
      <rect className={styles.accent} x="124" y="20" width="28" height="24" rx="4" />
      <rect className={styles.onAccent} x="132" y="27" width="8" height="10" rx="1.5" />
      <rect className={styles.onAccent} x="136" y="30" width="8" height="10" rx="1.5" />
      <Pointer x={142} y={42} />
    </Drawing>
  )
}

/** The spreadsheet's own dialog: the address, and beside it the role. */
export function ShareDrawing() {
  const { t } = useTranslation('target')
  return (
    <Drawing>
      <rect className={styles.paper} x="6" y="4" width="148" height="56" rx="5" />
      <circle className={styles.muted} cx="20" cy="20" r="6" />
      <rect className={styles.muted} x="32" y="17" width="62" height="6" rx="3" />
      <rect className={styles.accent} x="100" y="11" width="48" height="18" rx="4" />
      <text className={styles.onAccentText} x="124" y="23.5" textAnchor="middle">
        {t('drawing.editor')}
      </text>
      <rect className={styles.muted} x="14" y="36" width="56" height="5" rx="2.5" />
      <rect className={styles.muted} x="14" y="46" width="40" height="5" rx="2.5" />
      <rect className={styles.outlined} x="112" y="38" width="36" height="16" rx="8" />
      <text className={styles.outlinedText} x="130" y="49" textAnchor="middle">
        {t('drawing.share')}
      </text>
      <Pointer x={138} y={24} />
    </Drawing>
  )
}

/** A tick beside a table that has been written. */
export function CheckDrawing() {
  return (
    <Drawing>
      <rect className={styles.paper} x="6" y="6" width="92" height="52" rx="4" />
      {[19, 32, 45].map(y => (
        <line key={y} className={styles.line} x1="6" x2="98" y1={y} y2={y} />
      ))}
      {[36, 67].map(x => (
        <line key={x} className={styles.line} x1={x} x2={x} y1="6" y2="58" />
      ))}
      <circle className={styles.good} cx="128" cy="32" r="16" />
      <path className={styles.tick} d="m120 32 6 6 11-12" />
    </Drawing>
  )
}

const Pointer = ({ x, y }: { x: number; y: number }) => (
  <path className={styles.pointer} d={`M${x} ${y}l0 15 4-3 3 6 3-1.5-3-6 5-1z`} />
)
