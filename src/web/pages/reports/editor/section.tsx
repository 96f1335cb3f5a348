import { Suspense, type ReactNode } from 'react'
import { useTranslation } from '#web/i18n/use-translation.ts'
import { ScrollToHash } from '#web/pages/reports/of-report.tsx'
import { Card } from '#web/ui/card.tsx'
import { Never } from '#web/visit/lazy.ts'
import styles from './editor.module.css'
import { FixButtons } from './fix-buttons.tsx'
import type { SectionName } from './setup.ts'
import type { Editing } from './use-editor.ts'

/** One part of the editor; its id is what links lead to. */
export function Section({
  name,
  actions,
  children,
}: {
  name: SectionName
  actions?: ReactNode
  children: ReactNode
}) {
  const { t } = useTranslation('editor')
  return (
    <div id={name} className={styles.section}>
      <Card title={t(`section.${name}`)} {...(actions !== undefined && { actions })}>
        <div className={styles.fields}>{children}</div>
      </Card>
    </div>
  )
}

/**
 * One that most people see only after they have scrolled: the server draws no more than its place, so that
 * what is above it is painted sooner. Links lead there.
 */
export const SectionBelow = ({ name, children }: { name: SectionName; children: ReactNode }) => (
  <Suspense fallback={<div id={name} className={styles.place} />}>
    {typeof window === 'undefined' ? <Never /> : children}
    {/* It is higher than its place: what the address leads to may have moved. */}
    <ScrollToHash />
  </Suspense>
)

/** What is wrong with a part as a whole, with what ends it. */
export function SectionErrors({ paths, editing }: { paths: readonly string[]; editing: Editing }) {
  const errors = editing.errors.of(...paths)
  if (errors.length === 0) return null
  return (
    <div className={styles.errors} role="alert">
      <ul>
        {errors.map(error => (
          <li key={error}>{error}</li>
        ))}
      </ul>
      <FixButtons paths={paths} editing={editing} />
    </div>
  )
}
