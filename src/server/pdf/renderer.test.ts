import { readdirSync, readFileSync } from 'node:fs'
import { expect, it, onTestFinished } from 'vitest'
import { createPdfRenderer, PdfError, type PdfInput } from './renderer.ts'
import { renderDocument } from './render-document.ts'
import { quotationDocument } from './quotation-document.ts'
import { readPdf } from './testing/pdf-reader.ts'
import { quotation } from './testing/samples.ts'
import { openTypefaces } from './typefaces.ts'

const order = (title = '2026 雙 11'): PdfInput => ({ kind: 'quotation', ...quotation({ title }) })

/** With a thread that does what the title of a document says. */
function renderer(options: { most?: number; most_cpu_ms?: number; thread?: URL } = {}) {
  const stopping = new AbortController()
  onTestFinished(() => stopping.abort())
  const busy = () => new Error('busy')
  return {
    ...createPdfRenderer({ stopping: stopping.signal, busy, ...options }),
    stop: () => stopping.abort(),
  }
}
const obedient = new URL('./testing/pdf-worker.ts', import.meta.url)

it('prints in another thread what is printed in this one', async () => {
  const printed = await renderer().render(order())
  const here = await renderDocument(quotationDocument(quotation({ title: '2026 雙 11' })), openTypefaces())
  expect(printed.bytes.equals(here.bytes)).toBe(true)
  expect(printed).toMatchObject({ pages: 1, missing: [] })
  expect(readPdf(printed.bytes).text).toContain('TWD 296,624')
})

it('prints documents one after the other, in one thread', async () => {
  const { render } = renderer({ thread: obedient })
  const printed = await Promise.all(['a', 'b', 'c'].map(title => render(order(title))))
  expect(printed.map(({ pages }) => pages)).toEqual([1, 2, 3])
})

it('fails with the document that ends the thread, and prints the next one in another', async () => {
  const { render } = renderer({ thread: obedient })
  for (const end of ['throw', 'exit', 'grow']) {
    const [failed, next] = await Promise.allSettled([render(order(end)), render(order('next'))])
    expect(failed).toMatchObject({ status: 'rejected', reason: expect.any(PdfError) })
    expect(next).toMatchObject({ status: 'fulfilled', value: { pages: 1 } })
  }
})

it('ends a document that takes too much time', async () => {
  const { render } = renderer({ thread: obedient, most_cpu_ms: 300 })
  await expect(render(order('hang'))).rejects.toThrow('it takes too long')
})

it('refuses a document while as many wait as may', async () => {
  const { render, stop } = renderer({ thread: obedient, most: 2 })
  const waiting = ['wait', 'a', 'b'].map(title => render(order(title)))
  await expect(render(order('c'))).rejects.toThrow('busy')
  stop()
  for (const { status } of await Promise.allSettled(waiting)) expect(status).toBe('rejected')
})

it('prints nothing any more when the process stops', async () => {
  const { render, stop } = renderer({ thread: obedient })
  stop()
  await expect(render(order())).rejects.toThrow('the process stops')
})

it('knows no network and no process: of Node it imports files, hashes, threads and zlib', () => {
  const files = readdirSync(import.meta.dirname).filter(file => /(?<!\.test|\.d)\.ts$/.test(file))
  const imported = files.flatMap(file => {
    const text = readFileSync(new URL(file, import.meta.url), 'utf8')
    return [...text.matchAll(/from '([^'#.]+)'/g)].map(match => match[1])
  })
  expect([...new Set(imported)].toSorted()).toEqual([
    'fontkit',
    'node:crypto',
    'node:fs',
    'node:worker_threads',
    'node:zlib',
    'pdfkit',
  ])
})
