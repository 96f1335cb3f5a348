import { IconInfoCircle } from '@tabler/icons-react'
import type { Run } from '#shared/api/executions.ts'
import { useTranslation } from '#web/i18n/use-translation.ts'
import { instantText } from '#web/ui/times.ts'
import styles from './block-line.module.css'

/** What readers of the table should know: notes from the platforms and from writing the spreadsheet. */
export function RunNotes({ notes, blocks }: Pick<Run, 'notes' | 'blocks'>) {
  const { t } = useTranslation('runs')
  const { t: tOutcomes } = useTranslation('outcomes')
  const detailText = useDetailText()
  if (notes.length === 0) return null
  return (
    <section>
      <h3>{t('details.notes')}</h3>
      <ul className={styles.notes}>
        {notes.map(({ code, block, detail }) => {
          const label = block === null ? undefined : blocks[block]?.label
          return (
            <li key={`${code} ${block}`}>
              <IconInfoCircle size={15} stroke={1.7} aria-hidden />
              <span>
                {label !== undefined && <strong>{t('details.note_of', { label })}</strong>}
                {tOutcomes(`note.${code}`)}
                <small>{detailText(detail)}</small>
              </span>
            </li>
          )
        })}
      </ul>
    </section>
  )
}

/**
 * The details of a note, as far as people can use them: from when values are, how large a sample was, which
 * zones, which cells, which rates.
 */
function useDetailText() {
  const { t, language } = useTranslation('runs')
  return ({
    kept_from,
    from,
    percent,
    zones,
    ranges,
    rates,
    days,
    of,
    ...more
  }: Run['notes'][number]['detail']): string =>
    [
      typeof kept_from === 'string' && t('note.kept_from', { when: instantText(kept_from, language) }),
      more['rows'] !== undefined &&
        more['of_rows'] !== undefined &&
        t('note.first_rows', { rows: more['rows'], of_rows: more['of_rows'] }),
      from !== undefined && t('note.from', { day: from }),
      percent !== undefined && t('note.percent', { percent }),
      zones !== undefined && t('note.zones', { zones }),
      ranges !== undefined && t('note.ranges', { ranges }),
      rates !== undefined && t('note.rates', { rates }),
      days !== undefined && of !== undefined && t('note.days', { days, of }),
    ]
      .filter(Boolean)
      .join(' ')
}
