import type { BulkLinksReply } from '#shared/api/links.ts'
import { isErrorCode } from '#web/client/problem.ts'
import { useTranslation } from '#web/i18n/use-translation.ts'
import { useFieldName } from '#web/pages/links/field-name.ts'
import { ProblemText } from '#web/ui/problem-text.tsx'
import type { CheckedRow } from './bulk-rows.ts'
import styles from './bulk.module.css'

interface BulkPreviewProps {
  rows: readonly CheckedRow[]
  /** How many values are multiplied; empty: nothing is. */
  formula: readonly number[]
  /** What is wrong is said: not yet while the lists are being filled. */
  showsProblems: boolean
}

/** Each link as it would be, or what is wrong with its row. */
export function BulkPreview({ rows, formula, showsProblems }: BulkPreviewProps) {
  const { t, language } = useTranslation('links')
  const wrong = rows.filter(({ problems }) => problems.length > 0).length
  return (
    <div>
      <p className={styles.count} aria-live="polite">
        {formula.length > 1 && `${formula.map(count => count.toLocaleString(language)).join(' × ')} = `}
        <strong>{t('bulk.count', { count: rows.length })}</strong>{' '}
        {showsProblems && wrong > 0 && (
          <strong className={styles.bad}>{t('bulk.wrong', { count: wrong })}</strong>
        )}
      </p>
      {/* It scrolls, so the keyboard must come to it. */}
      {/* oxlint-disable-next-line jsx-a11y/no-noninteractive-tabindex */}
      <div className={styles.preview} role="region" aria-label={t('bulk.preview')} tabIndex={0}>
        <table>
          <thead>
            <tr>
              <th scope="col">{t('bulk.row')}</th>
              <th scope="col">{t('field.name')}</th>
              <th scope="col">{t('field.link')}</th>
            </tr>
          </thead>
          <tbody>
            {rows.map((row, index) => (
              // Two rows may be equal: only their number identifies them.
              <tr key={index}>
                <td data-tabular>{index + 1}</td>
                <td>{row.name || '–'}</td>
                <td>
                  {/* Instead of the column, where there is no room for it. */}
                  <div className={styles.narrowName}>{row.name}</div>
                  {row.problems.length === 0 ? (
                    <span className={styles.link} translate="no">
                      {row.link}
                    </span>
                  ) : (
                    showsProblems && <RowProblems problems={row.problems} />
                  )}
                </td>
              </tr>
            ))}
          </tbody>
        </table>
      </div>
    </div>
  )
}

function RowProblems({ problems }: Pick<CheckedRow, 'problems'>) {
  const { t } = useTranslation('links')
  const fieldName = useFieldName()
  return problems.map(({ field, code }) => (
    <div key={`${field} ${code}`} className={styles.bad}>
      {t('bulk.of_field', { field: fieldName(field) })} <ProblemText code={code} audience="internal" />
    </div>
  ))
}

/** What only the server knows to be wrong. */
export function ServerProblems({ problems }: Pick<BulkLinksReply, 'problems'>) {
  const { t } = useTranslation('links')
  const fieldName = useFieldName()
  return (
    <ul className={styles.refusals}>
      {problems.map(({ row, field, code }) => (
        <li key={`${row} ${field} ${code}`}>
          {t('bulk.at', { number: row, field: fieldName(field) })}{' '}
          {isErrorCode(code) && <ProblemText code={code} audience="internal" />}
        </li>
      ))}
    </ul>
  )
}
