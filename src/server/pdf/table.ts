import { leading, writeLine } from './block.ts'
import { LEFT, RIGHT, type Canvas, type TextStyle } from './canvas.ts'
import type { PdfCell, PdfColumn, PdfRow, PdfTable } from './document.ts'
import type { Strip } from './flow.ts'
import type { Line } from './lines.ts'
import { rules, styles } from './styles.ts'

interface Place extends Omit<PdfColumn, 'width'> {
  x: number
  width: number
}

interface StyledLine {
  line: Line
  style: TextStyle
}

/**
 * A table as strips, one for each line of a row, so that long rows can go over pages: the head is repeated,
 * and at least three lines stay together. The last row keeps what follows the table (its sums) if asked to.
 */
export function tableStrips(
  canvas: Canvas,
  table: PdfTable,
  { keeps_next }: { keeps_next: boolean },
): Strip[] {
  const places = placesOf(canvas, table)
  const head = headStrip(canvas, places)
  const rows =
    table.rows.length > 0
      ? table.rows.map(row => rowStrips(canvas, places, row))
      : [[emptyStrip(canvas, table.empty)]]
  const last = rows.at(-1)?.at(-1)
  if (last) last.keeps = keeps_next
  const caption = table.caption === null ? [] : [captionStrip(canvas, table.caption)]
  // The rest of a row that goes on has the distance from the head that its beginning brings along.
  const headOfRest = { ...head, height: head.height + ROW_PADDING }
  const strips = rows.flatMap(row =>
    row.map((strip, index) => ({ ...strip, head: index === 0 ? head : headOfRest })),
  )
  return [...caption, { ...head, keeps: true }, ...strips]
}

/** What the wide column does not need goes between the columns, up to a bound. */
function placesOf(canvas: Canvas, { columns, rows }: PdfTable): Place[] {
  const fitting = columns.map(({ label }, index) =>
    fittingWidth(
      canvas,
      label,
      rows.map(row => row[index]),
    ),
  )
  const fixed = columns.map(({ width }, index) =>
    width === 'rest' ? 0 : Math.min(fitting[index] ?? 0, MOST_FIT),
  )
  const needed = fitting[columns.findIndex(({ width }) => width === 'rest')] ?? 0
  const gaps = columns.length - 1
  const free = RIGHT - LEFT - fixed.reduce((sum, width) => sum + width, 0)
  const between = Math.min(MOST_GAP, Math.max(LEAST_GAP, (free - needed) / gaps))
  const rest = Math.max(LEAST_REST, free - between * gaps)
  let x = LEFT
  return columns.map((column, index) => {
    const width = column.width === 'rest' ? rest : (fixed[index] ?? 0)
    const place = { ...column, x, width }
    x += width + between
    return place
  })
}

function fittingWidth(canvas: Canvas, label: string, cells: readonly (PdfCell | undefined)[]): number {
  const texts = new Map<string, TextStyle>([[label, styles.label]])
  for (const { text = '', detail = '' } of cells.filter(cell => cell !== undefined)) {
    texts.set(text, styles.body)
    for (const line of detail.split('\n')) texts.set(line, styles.detail)
  }
  const widths = [...texts].map(([text, style]) => canvas.widthOf(text, style))
  // A little more, so that rounding breaks no line.
  return widths.reduce((most, width) => Math.max(most, width), 0) + 0.1
}

function captionStrip(canvas: Canvas, caption: string): Strip {
  const height = leading(styles.label) + 3
  return {
    height,
    draw: y =>
      writeAt(canvas, { line: canvas.fit(caption, styles.label, RIGHT - LEFT), style: styles.label }, y),
    keeps: true,
  }
}

function headStrip(canvas: Canvas, places: readonly Place[]): Strip {
  const style = styles.label
  const cells = places.map(place => canvas.wrap(place.label, style, place.width))
  const most = Math.max(...cells.map(lines => lines.length))
  const height = most * leading(style) + 2 * HEAD_PADDING
  return {
    height,
    draw(y) {
      for (const [index, place] of places.entries()) {
        const lines = cells[index] ?? []
        // Labels stand on the rule below them, however many lines they have.
        const top = y + HEAD_PADDING + (most - lines.length) * leading(style)
        lines.forEach((line, row) =>
          writeCell(canvas, { line, style }, { place, y: top + row * leading(style) }),
        )
      }
      canvas.rule({ from: LEFT, to: RIGHT, y: y + height }, rules.strong)
    },
  }
}

function rowStrips(canvas: Canvas, places: readonly Place[], row: PdfRow): Strip[] {
  const cells = places.map((place, index) => linesOf(canvas, row[index], place.width))
  const count = Math.max(1, ...cells.map(lines => lines.length))
  return Array.from({ length: count }, (_, index) => {
    const isFirst = index === 0
    const isLast = index === count - 1
    const own = cells.map(lines => lines[index])
    const lineHeight = Math.max(...own.map(each => (each ? leading(each.style) : 0)), leading(styles.detail))
    const top = isFirst ? ROW_PADDING : 0
    const height = top + lineHeight + (isLast ? ROW_PADDING : 0)
    return {
      height,
      draw(y) {
        for (const [column, place] of places.entries()) {
          const each = own[column]
          if (each) writeCell(canvas, each, { place, y: y + top, height: lineHeight })
        }
        if (isLast) canvas.rule({ from: LEFT, to: RIGHT, y: y + height }, rules.thin)
      },
      keeps: !isLast && !mayTurnAfter(index, count),
    }
  })
}

/** Only in a long row, and not so that one or two lines of it stand alone. */
const mayTurnAfter = (index: number, count: number) =>
  count > SHORT_ROW && index >= FEWEST_LINES - 1 && index < count - FEWEST_LINES

function linesOf(canvas: Canvas, cell: PdfCell | undefined, width: number): StyledLine[] {
  if (cell === undefined) return []
  const styled = (text: string, style: TextStyle) =>
    text === '' ? [] : canvas.wrap(text, style, width).map(line => ({ line, style }))
  return [...styled(cell.text, styles.body), ...styled(cell.detail ?? '', styles.detail)]
}

function emptyStrip(canvas: Canvas, text: string): Strip {
  const height = leading(styles.aside) + 2 * ROW_PADDING
  return {
    height,
    draw(y) {
      const line = canvas.fit(text, styles.aside, RIGHT - LEFT)
      writeAt(canvas, { line, style: styles.aside }, y + ROW_PADDING)
      canvas.rule({ from: LEFT, to: RIGHT, y: y + height }, rules.thin)
    },
  }
}

function writeCell(
  canvas: Canvas,
  styled: StyledLine,
  { place, y, height = leading(styled.style) }: { place: Place; y: number; height?: number },
) {
  const x = place.align === 'left' ? place.x : place.x + place.width
  writeLine(canvas, styled, { x, y, height, align: place.align })
}

const writeAt = (canvas: Canvas, styled: StyledLine, y: number) =>
  writeLine(canvas, styled, { x: LEFT, y, height: leading(styled.style), align: 'left' })

const LEAST_GAP = 14
const MOST_GAP = 26
const MOST_FIT = 110
const LEAST_REST = 60
const HEAD_PADDING = 4
const ROW_PADDING = 5
const SHORT_ROW = 8
const FEWEST_LINES = 3
