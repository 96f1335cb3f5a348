import { useEffect, useRef, type ReactNode } from 'react'
import styles from './bulk-changes.module.css'

interface StepsProps {
  label: string
  names: readonly string[]
  /** Index of the current step. */
  at: number
  children: ReactNode
}

/** One step after the other; the focus goes to the beginning of each new one, also for screen readers. */
export function Steps({ label, names, at, children }: StepsProps) {
  const body = useRef<HTMLDivElement>(null)
  const last = useRef(at)
  useEffect(() => {
    if (last.current === at) return
    last.current = at
    body.current?.focus()
  }, [at])
  return (
    <section className={styles.steps} aria-label={label}>
      <ol className={styles.stepNames}>
        {names.map((name, index) => (
          <li
            key={name}
            data-past={index < at || undefined}
            {...(index === at && { 'aria-current': 'step' as const })}
          >
            <span aria-hidden>{index + 1}</span>
            {name}
          </li>
        ))}
      </ol>
      <div ref={body} tabIndex={-1} role="group" aria-label={names[at]} className={styles.stepBody}>
        {children}
      </div>
    </section>
  )
}
