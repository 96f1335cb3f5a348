import type { Canvas, TextStyle } from './canvas.ts'
import type { Line } from './lines.ts'

/** Something of a known height that can stand anywhere. */
export interface Block {
  height: number
  draw(x: number, y: number): void
}

export interface Paragraph extends Block {
  /** From its upper edge to its first base line. */
  first: number
}

interface Shape {
  width: number
  align?: 'left' | 'right'
}

/** A text in its lines; of a very long one as many as somebody reads. */
export function paragraph(
  canvas: Canvas,
  text: string,
  { width, align = 'left', ...style }: TextStyle & Shape,
): Paragraph {
  const lines = canvas.wrap(text, style, width)
  const printed =
    lines.length <= MOST_LINES ? lines : [...lines.slice(0, MOST_LINES - 1), canvas.fit('…', style, width)]
  const height = leading(style)
  return {
    height: printed.length * height,
    first: baseLine(style, height),
    draw: (x, y) =>
      printed.forEach((line, index) => {
        const at = { x: align === 'left' ? x : x + width, y: y + index * height, height, align }
        writeLine(canvas, { line, style }, at)
      }),
  }
}

/** One below the other. */
export function stack(blocks: readonly Block[], between = 0): Block {
  return {
    height: blocks.reduce((sum, { height }) => sum + height, 0) + between * Math.max(0, blocks.length - 1),
    draw(x, y) {
      let at = y
      for (const block of blocks) {
        block.draw(x, at)
        at += block.height + between
      }
    },
  }
}

/** A label and its value, whose first lines are level. */
export function beside(label: Paragraph, value: Paragraph, offset: number): Block {
  const [down, up] = [Math.max(0, value.first - label.first), Math.max(0, label.first - value.first)]
  return {
    height: Math.max(label.height + down, value.height + up),
    draw(x, y) {
      label.draw(x, y + down)
      value.draw(x + offset, y + up)
    },
  }
}

/** In a line of this height, with its letters in the middle. */
export function writeLine(
  canvas: Canvas,
  { line, style }: { line: Line; style: TextStyle },
  { x, y, height, align }: { x: number; y: number; height: number; align: 'left' | 'right' },
) {
  canvas.write(line, style, { x, y: y + baseLine(style, height), align })
}

const baseLine = ({ size }: TextStyle, height: number) => height / 2 + size * HALF_A_LETTER

/** From line to line; Chinese needs more than Latin. */
export const leading = ({ size }: TextStyle) => size * 1.5

/** A capital and a Chinese character are centred on about the same height. */
const HALF_A_LETTER = 0.37
const MOST_LINES = 14
