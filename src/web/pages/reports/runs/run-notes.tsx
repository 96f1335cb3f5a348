import { IconInfoCircle } from '@tabler/icons-react'
import type { Run } from '#shared/api/executions.ts'
import { runNotes } from '#shared/run-notes.ts'
import { useTranslation } from '#web/i18n/use-translation.ts'
import styles from './block-line.module.css'

/** What the table should be read with: said by platforms and by the writing of the sheet. */
export function RunNotes({ notes, blocks }: Pick<Run, 'notes' | 'blocks'>) {
  const { t, language } = useTranslation('runs')
  if (notes.length === 0) return null
  const labelOf = (block: number | null) => (block === null ? null : (blocks[block]?.label ?? null))
  return (
    <section>
      <h3>{t('details.notes')}</h3>
      <ul className={styles.notes}>
        {notes.map(({ code, block }) => (
          <li key={`${code} ${block}`}>
            <IconInfoCircle size={15} stroke={1.7} aria-hidden />
            <span>
              {labelOf(block) !== null && (
                <strong>{t('details.note_of', { label: labelOf(block) ?? '' })}</strong>
              )}{' '}
              {runNotes[code][language]}
            </span>
          </li>
        ))}
      </ul>
    </section>
  )
}
