import { readFileSync } from 'node:fs'
import { create } from 'fontkit'
import PdfFile from 'pdfkit'
import type { PdfDocument } from '../document.ts'

/**
 * Prints with pdfkit alone, the floor of bench/pdf.ts: the texts of a document below each other in one font,
 * without measuring, breaking or drawing anything. Reads the font once.
 */
export function createBarePrinter(): (document: PdfDocument) => Promise<void> {
  const font = create(readFileSync(new URL('../fonts/NotoSansTC-Regular.ttf', import.meta.url)))
  return async document => {
    const file = new PdfFile({ size: [595.28, 841.89], margin: 0, font: null })
    file.font(font).fontSize(8)
    for (const [index, text] of textsOf(document).entries())
      file.text(text, 50, 50 + (index % 60) * 12, { lineBreak: false, baseline: 'alphabetic' })
    file.end()
    await file.toArray()
  }
}

const textsOf = ({ facts, table, sums, sections }: PdfDocument): string[] => [
  ...facts.flatMap(({ label, value }) => [label, value]),
  ...table.rows.flatMap(row => row.flatMap(({ text, detail = '' }) => [text, ...detail.split('\n')])),
  ...sums.flatMap(({ label, amount }) => [label, amount]),
  ...sections.flatMap(({ text }) => text.split('\n')),
]
