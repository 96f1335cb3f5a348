import type { ReactNode } from 'react'
import { useTranslation } from '#web/i18n/use-translation.ts'
import { Card } from '#web/ui/card.tsx'
import styles from './editor.module.css'

export const sectionNames = [
  'name',
  'channels',
  'dimensions',
  'table',
  'dates',
  'schedule',
  'spreadsheet',
] as const
export type SectionName = (typeof sectionNames)[number]

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

/** What is wrong with a part as a whole. */
export function SectionErrors({ errors }: { errors: readonly string[] }) {
  if (errors.length === 0) return null
  return (
    <ul className={styles.errors} role="alert">
      {errors.map(error => (
        <li key={error}>{error}</li>
      ))}
    </ul>
  )
}
