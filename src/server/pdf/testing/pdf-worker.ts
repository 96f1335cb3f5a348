import { parentPort } from 'node:worker_threads'
import type { PdfDocument } from '../document.ts'

// Stands in for pdf-thread.ts: does what the title says, else answers with how many documents it has had.

let pages = 0

parentPort?.on('message', ({ title: { value } }: PdfDocument) => {
  if (value === 'hang') for (;;);
  if (value === 'wait') return
  if (value === 'throw') throw new Error('thrown')
  if (value === 'exit') process.exit(3)
  if (value === 'grow') for (const all: number[][] = []; ;) all.push(Array<number>(1_000_000).fill(0.5))
  pages += 1
  parentPort?.postMessage({ bytes: new Uint8Array([1]), pages, missing: [] })
})
