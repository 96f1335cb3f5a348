import { createHash } from 'node:crypto'
import { quotationDocument, type QuotationInput } from '#server/pdf/quotation-document.ts'
import { createPdfRenderer } from '#server/pdf/renderer.ts'
import { createBarePrinter } from '#server/pdf/testing/bare-pdf.ts'
import { line, quotation } from '#server/pdf/testing/samples.ts'
import { median } from '#server/testing/quantile.ts'
import type { BenchTable } from './case.ts'

// Quotations that are printed in the thread, one after the other, beside bare pdfkit in this one.

const ROUNDS = 15

export const tables: BenchTable[] = [
  {
    id: 'P16',
    what: 'quotations as PDF, in their thread (50 lines: ≤ 150 ms, ≤ 80 kB; one hash: always the same bytes)',
    measure,
  },
]

async function measure() {
  const stopping = new AbortController()
  const { render } = createPdfRenderer({ stopping: stopping.signal, busy: () => new Error('busy') })
  const printBare = createBarePrinter()
  const rows: Record<string, string>[] = []
  for (const { what, input } of quotations()) {
    const [ours, floor]: [number[], number[]] = [[], []]
    const hashes = new Set<string>()
    let kilobytes = 0
    for (let round = 0; round < ROUNDS; round += 1) {
      ours.push(
        await timed(async () => {
          const { bytes } = await render({ kind: 'quotation', ...input })
          kilobytes = bytes.length / 1000
          hashes.add(createHash('sha256').update(bytes).digest('hex'))
        }),
      )
      floor.push(await timed(() => printBare(quotationDocument(input))))
    }
    rows.push({
      quotation: what,
      first: milliseconds(ours[0] ?? 0),
      median: milliseconds(median(ours)),
      'bare pdfkit': milliseconds(median(floor)),
      ratio: (median(ours) / median(floor)).toFixed(2),
      size: `${kilobytes.toFixed(0)} kB`,
      hashes: String(hashes.size),
    })
  }
  stopping.abort()
  return rows
}

/** The first one starts the thread. */
function quotations(): { what: string; input: QuotationInput }[] {
  const description = '每日追蹤成效並於週一提供週報，含各素材之點閱率、轉換率與單次轉換成本。'
  const of = (count: number, each = description) =>
    quotation({
      lines: Array.from({ length: count }, (_, index) => ({
        ...line,
        title: `第 ${index + 1} 波`,
        description: each,
      })),
    })
  return [
    { what: '5 lines', input: of(5) },
    { what: '50 lines', input: of(50) },
    { what: '100 lines of 500 characters', input: of(100, description.repeat(20).slice(0, 500)) },
  ]
}

async function timed(work: () => Promise<void>): Promise<number> {
  const start = performance.now()
  await work()
  return performance.now() - start
}

const milliseconds = (ms: number) => `${ms.toFixed(0)} ms`
