import { Button } from '@mantine/core'
import { cellName, columnName, rectName, type Cell, type Rect } from '#shared/cell.ts'
import { isBlocking, ownContent, tablesHere, type Overlap } from '#shared/overlap.ts'
import { intersection, isEmpty } from '#shared/rect.ts'
import { useTranslation } from '#web/i18n/use-translation.ts'
import { InlineAlert } from '#web/ui/inline-alert.tsx'
import styles from './landing-map.module.css'
import type { ExpectedSize, Landing } from './use-target-check.ts'

interface LandingMapProps {
  landing: Landing
  size: ExpectedSize
  onMove: (cell: Cell) => void
}

/** Where the table will be on its tab and what it would overwrite: as a drawing, and as text. */
export function LandingMap({ landing, size, onMove }: LandingMapProps) {
  const { t } = useTranslation('target')
  const { covered, free, rect } = landing
  const severity = covered.some(isBlocking)
    ? 'error'
    : covered.some(({ kind }) => kind === 'content')
      ? 'warning'
      : 'info'
  const key = size.rows === null ? 'lands_unknown' : size.kind === 'exact' ? 'lands' : 'lands_about'
  return (
    <figure className={styles.figure}>
      <Drawing landing={landing} />
      <figcaption className={styles.words} aria-live="polite">
        <p>
          {t(`map.${key}`, { range: rectName(rect), rows: (size.rows ?? 0) + 1, columns: size.columns })}{' '}
          {covered.length === 0 && t('map.free')}
        </p>
        {covered.length > 0 && (
          <InlineAlert
            severity={severity}
            action={
              free && (
                <Button size="xs" variant="default" onClick={() => onMove(free)}>
                  {t('map.move', { cell: cellName(free) })}
                </Button>
              )
            }
          >
            <ul className={styles.covered}>
              {covered.map((each, index) => (
                <li key={index}>
                  <CoveredText covered={each} />
                </li>
              ))}
            </ul>
          </InlineAlert>
        )}
        <PartOnly landing={landing} />
      </figcaption>
    </figure>
  )
}

function CoveredText({ covered }: { covered: Overlap }) {
  const { t } = useTranslation('target')
  const range = rectName(covered.rect)
  switch (covered.kind) {
    case 'table': {
      const name = covered.report?.name
      const owner = name === undefined ? t('map.another') : t('map.of_report', { name })
      return t(covered.planned ? 'map.table_planned' : 'map.table', { owner, range })
    }
    case 'protected':
      if (covered.named_range !== null) return t('map.protected_named', { range, name: covered.named_range })
      return t('map.protected', { range, description: covered.description && ` (${covered.description})` })
    case 'content':
      return t('map.content', { range, count: covered.cells })
    case 'named':
      return t('map.named', { range, name: covered.name })
  }
}

/** Of a large tab only a part was read: the rest may have content too, though nothing is said of it. */
function PartOnly({ landing: { sheet, rect } }: { landing: Landing }) {
  const { t } = useTranslation('target')
  const [r0, c0, r1, c1] = sheet.looked_at
  const standing = intersection(rect, [0, 0, sheet.rows, sheet.columns])
  const isComplete = standing[0] >= r0 && standing[1] >= c0 && standing[2] <= r1 && standing[3] <= c1
  if (isEmpty(standing) || isComplete) return null
  return <p className={styles.quiet}>{t('map.part', { range: rectName(sheet.looked_at) })}</p>
}

/** Purely visual: all of it is in the text beside it. */
function Drawing({ landing: { sheet, rect } }: { landing: Landing }) {
  const { t } = useTranslation('target')
  const shapes = [
    ...ownContent(sheet).map(content => ({ kind: 'content', rect: content })),
    ...sheet.named_ranges.map(area => ({ kind: 'named', rect: area.rect })),
    ...sheet.protected_ranges.map(area => ({ kind: 'protected', rect: area.rect })),
    ...tablesHere(sheet).map(area => ({ kind: 'table', rect: area.rect })),
  ]
  const frame = frameAround(
    rect,
    shapes.map(shape => shape.rect),
  )
  const [, , rows, columns] = frame
  const across = marksOf(columns, [rect[1], rect[3]])
  const down = marksOf(rows, [rect[0], rect[2]])
  return (
    <div className={styles.map} aria-hidden>
      <div className={styles.letters}>
        {across.map(at => (
          <span key={at} style={{ left: `${(at / columns) * 100}%` }}>
            {columnName(at)}
          </span>
        ))}
      </div>
      <div className={styles.numbers}>
        {down.map(at => (
          <span key={at} style={{ top: `${(at / rows) * 100}%` }}>
            {at + 1}
          </span>
        ))}
      </div>
      <div className={styles.sheet} style={linesOf(rows, columns)}>
        {shapes.map(({ kind, rect: each }, index) => (
          <Shape key={index} kind={kind} rect={each} frame={frame} />
        ))}
        <Shape kind="mine" rect={rect} frame={frame} label={t('map.mine')} />
      </div>
    </div>
  )
}

function Shape({ kind, rect, frame, label }: { kind: string; rect: Rect; frame: Rect; label?: string }) {
  const [r0, c0, r1, c1] = intersection(rect, frame)
  const [, , rows, columns] = frame
  if (isEmpty([r0, c0, r1, c1])) return null
  const style = {
    top: `${(r0 / rows) * 100}%`,
    left: `${(c0 / columns) * 100}%`,
    height: `${((r1 - r0) / rows) * 100}%`,
    width: `${((c1 - c0) / columns) * 100}%`,
  }
  return (
    <div className={styles.shape} data-kind={kind} style={style}>
      {label}
    </div>
  )
}

const LEAST_ROWS = 12
const LEAST_COLUMNS = 8

/** From the first cell of the tab to a little beyond the table; what is much further away is left out. */
function frameAround([, , r1, c1]: Rect, others: Rect[]): Rect {
  const near = (end: number, ends: number[]) => Math.max(end, ...ends.map(each => Math.min(each, end * 2)))
  const rows = near(
    r1,
    others.map(each => each[2]),
  )
  const columns = near(
    c1,
    others.map(each => each[3]),
  )
  return [0, 0, Math.max(LEAST_ROWS, Math.ceil(rows * 1.08)), Math.max(LEAST_COLUMNS, columns + 1)]
}

/** Where the edges are labelled: at the table's own, and at the tab's beginning unless that is too near. */
function marksOf(length: number, [start, end]: [number, number]): number[] {
  const apart = length / 8
  const last = end - 1
  return [...(start > apart ? [0] : []), start, ...(last - start > apart ? [last] : [])]
}

/** Lines between rows and columns, as long as they are far enough apart to be seen as such. */
const linesOf = (rows: number, columns: number) => ({
  backgroundSize: `${columns > 40 ? 100 : 100 / columns}% 100%, 100% ${rows > 30 ? 100 : 100 / rows}%`,
})
