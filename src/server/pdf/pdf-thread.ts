import { parentPort } from 'node:worker_threads'
import type { PdfDocument } from './document.ts'
import { renderDocument } from './render-document.ts'
import { openTypefaces } from './typefaces.ts'

// A thread that prints documents, one after the other (renderer.ts). It has read the fonts when it prints
// the second one. What it throws ends it: the next document gets a thread of its own, which nothing has
// upset.

/** As long as the thread is there. */
const typefaces = openTypefaces()

parentPort?.on('message', print)

async function print(document: PdfDocument) {
  const printed = await renderDocument(document, typefaces)
  // Memory of its own, which moves to the other thread instead of being copied.
  const bytes = new Uint8Array(printed.bytes)
  parentPort?.postMessage({ ...printed, bytes }, [bytes.buffer])
}
