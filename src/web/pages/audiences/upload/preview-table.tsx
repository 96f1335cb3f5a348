import type { ReactNode } from 'react'
import { useTranslation } from '#web/i18n/use-translation.ts'
import styles from '#web/pages/audiences/audiences.module.css'
import { PREVIEW_ROWS, type Preview } from '#web/pages/audiences/hashing/file-format.ts'

interface PreviewTableProps {
  preview: Preview
  isHeaded: boolean
  /** Above each column; left out: nothing. */
  above?: (column: number, name: string) => ReactNode
}

/** The first rows of the file, which stay on this computer. */
export function PreviewTable({ preview: { rows }, isHeaded, above }: PreviewTableProps) {
  const { t } = useTranslation('audiences')
  const width = Math.max(0, ...rows.map(row => row.length))
  const headings = isHeaded ? (rows[0] ?? []) : []
  const body = (isHeaded ? rows.slice(1) : rows).slice(0, PREVIEW_ROWS)
  const columns = Array.from({ length: width }, (_, at) => ({
    at,
    name: headings[at]?.trim() || t('upload.column', { number: at + 1 }),
  }))
  return (
    // Scrolled with the keyboard, it must be reachable by it.
    // oxlint-disable-next-line jsx-a11y/no-noninteractive-tabindex
    <div className={styles.preview} tabIndex={0} role="region" aria-label={t('upload.preview')}>
      <table>
        <thead>
          <tr>
            {columns.map(({ at, name }) => (
              <th key={at} scope="col">
                <span className={styles.heading}>{name}</span>
                {above?.(at, name)}
              </th>
            ))}
          </tr>
        </thead>
        <tbody>
          {body.map((row, index) => (
            <tr key={index}>
              {columns.map(({ at }) => (
                <td key={at}>{row[at] ?? ''}</td>
              ))}
            </tr>
          ))}
        </tbody>
      </table>
    </div>
  )
}
