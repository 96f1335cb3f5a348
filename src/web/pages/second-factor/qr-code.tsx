import { encodeQR } from 'qr'
import { useMemo } from 'react'
import styles from './second-factor.module.css'

/** Light cells around it, without which cameras do not find it: four, by ISO/IEC 18004. */
const BORDER = 4

/** Whole pixels, so that all cells are of one size. */
const CELL_PX = 4

/**
 * A text as a QR code: dark on light whatever the theme, since not every app reads it the other way round.
 */
export function QrCode({ text, label }: { text: string; label: string }) {
  const cells = useMemo(() => encodeQR(text, 'raw', { border: BORDER, ecc: 'medium' }), [text])
  return (
    <svg
      className={styles.qr}
      role="img"
      aria-label={label}
      viewBox={`0 0 ${cells.length} ${cells.length}`}
      width={cells.length * CELL_PX}
      shapeRendering="crispEdges"
    >
      <rect width="100%" height="100%" fill="#ffffff" />
      <path d={outlineOf(cells)} fill="#000000" />
    </svg>
  )
}

/** Each dark cell as a square of its own. */
const outlineOf = (cells: readonly (readonly boolean[])[]): string =>
  cells
    .flatMap((row, y) => row.map((is_dark, x) => (is_dark ? `M${x} ${y}h1v1h-1z` : '')))
    .filter(Boolean)
    .join('')
