import { useState } from 'react'
import type { SheetTab } from '#shared/api/sheets.ts'
import { cellName, parseStartCell, type Cell } from '#shared/cell.ts'
import { useTranslation } from '#web/i18n/use-translation.ts'
import styles from './sheet.module.css'

interface GridBarProps {
  tab: SheetTab
  active: Cell
  /** What the active cell shows; null while it is loading. */
  text: string | null
  onGo: (cell: Cell) => void
}

/** Which cell is active and all that it shows; type another cell's name to go there. */
export function GridBar({ tab, active, text, onGo }: GridBarProps) {
  const { t } = useTranslation('sheets')
  const [typed, setTyped] = useState<string | null>(null)

  function go() {
    const cell = parseStartCell(typed ?? '')
    setTyped(null)
    if (typeof cell !== 'string')
      onGo({ row: Math.min(cell.row, tab.rows - 1), column: Math.min(cell.column, tab.columns - 1) })
  }

  return (
    <div className={styles.bar}>
      <input
        className={styles.name}
        aria-label={t('go_to_cell')}
        value={typed ?? cellName(active)}
        onFocus={event => event.currentTarget.select()}
        onChange={event => setTyped(event.currentTarget.value)}
        onBlur={() => setTyped(null)}
        onKeyDown={event => {
          if (event.key === 'Enter') go()
        }}
      />
      <div className={styles.content} aria-live="polite">
        {text}
      </div>
    </div>
  )
}
