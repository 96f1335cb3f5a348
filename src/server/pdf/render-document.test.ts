import * as fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { paymentDocument } from './payment-document.ts'
import { quotationDocument } from './quotation-document.ts'
import { renderDocument } from './render-document.ts'
import { statementDocument } from './statement-document.ts'
import { readPdf, type PrintedText, type ReadPdf } from './testing/pdf-reader.ts'
import { line, payment, quotation, statement } from './testing/samples.ts'
import { openTypefaces } from './typefaces.ts'
import type { PdfDocument } from './document.ts'

const typefaces = openTypefaces()

async function print(document: PdfDocument) {
  const printed = await renderDocument(document, typefaces)
  return { ...printed, ...readPdf(printed.bytes) }
}

const lines = (count: number, description = '雙 11 檔期導購') =>
  Array.from({ length: count }, (_, index) => ({
    ...line,
    channel: null,
    title: `Meta ${index + 1}`,
    description,
  }))

/** The page on which a text stands alone. */
const pageOf = ({ pages }: Pick<ReadPdf, 'pages'>, text: string) => pages.findIndex(page => has(page, text))
const has = (page: readonly PrintedText[], text: string) => page.some(each => each.text === text)

describe('a document', () => {
  it('is the same bytes however often it is printed', async () => {
    const [first, again] = [
      await renderDocument(quotationDocument(quotation()), typefaces),
      await renderDocument(quotationDocument(quotation()), openTypefaces()),
    ]
    expect(again.bytes.equals(first.bytes)).toBe(true)
    const other = await renderDocument(quotationDocument(quotation({ title: 'Another' })), typefaces)
    const idOf = ({ bytes }: { bytes: Buffer }) =>
      /\/ID \[<(\w{32})> <\1>\]/.exec(bytes.toString('latin1'))?.[1]
    expect(idOf(first)).toBeDefined()
    expect(idOf(other)).not.toBe(idOf(first))
  })

  it('says what it is: title, author, language, and the day of its issue', async () => {
    const { source } = await print(
      quotationDocument(
        quotation({ language: 'en', issuer: { ...quotation().issuer, name: 'Morning Light Ltd' } }),
      ),
    )
    expect(source).toContain('/Lang (en)')
    expect(source).toContain('(D:20261105000000Z)')
    expect(source).toContain('(Morning Light Ltd)')
    expect(source).not.toContain('<rdf:')
    expect(source).not.toContain(new Date().toISOString().slice(0, 10))
  })

  it('has the fonts that its characters need, and no others', async () => {
    expect((await print(quotationDocument(quotation()))).fonts).toEqual(['NotoSansTC-Regular'])
    const japanese = await print(quotationDocument(quotation({ title: '検索と図書の済' })))
    expect(japanese.fonts).toEqual(['NotoSansTC-Regular', 'NotoSansJP-Regular'])
    expect(japanese.missing).toEqual([])
    const title = japanese.pages[0]?.find(({ text }) => text === '検索と図書の済')
    expect(title?.fonts).toEqual(['F2', 'F1', 'F1', 'F2', 'F1', 'F1', 'F2'])
  })

  it('prints ▯ for a character that no font has, and names it', async () => {
    const { text, missing } = await print(quotationDocument(quotation({ title: '夏祭り 🎉 שלום' })))
    expect(text).toContain('夏祭り ▯ ▯▯▯▯')
    expect(missing).toEqual(['🎉', 'ש', 'ל', 'ו', 'ם'])
  })

  it('has 草稿 or DRAFT across every page while it is a draft', async () => {
    const draft = quotation({ is_draft: true, lines: lines(40) })
    const { pages } = await print(quotationDocument(draft))
    expect(pages.length).toBeGreaterThan(1)
    for (const page of pages) expect(page[0]?.text).toBe('草稿')
    expect((await print(quotationDocument({ ...draft, language: 'en' }))).pages[0]?.[0]?.text).toBe('DRAFT')
    expect((await print(quotationDocument(quotation()))).text).not.toContain('草稿')
  })
})

describe('pages', () => {
  it('are one for a document without lines or with one line', async () => {
    expect((await print(quotationDocument(quotation({ lines: [] })))).text).toContain('無項目')
    for (const count of [0, 1, 5])
      expect((await print(quotationDocument(quotation({ lines: lines(count) })))).pages).toHaveLength(1)
  })

  it('begin with whose they are and the head of the table, and end with their number', async () => {
    const { pages } = await print(quotationDocument(quotation({ lines: lines(50) })))
    expect(pages.length).toBeGreaterThan(2)
    for (const [index, page] of pages.entries()) {
      expect(has(page, `${index + 1} / ${pages.length}`)).toBe(true)
      expect(has(page, '委刊單 Q2026-0007-2')).toBe(index > 0)
      expect(has(page, '項目')).toBe(page.some(({ text }) => /^Meta \d+$/.test(text)))
    }
  })

  it('have every line once, in its order, with 100 lines of 500 characters', async () => {
    const description = '每日追蹤成效並於週一提供週報，含各素材之點閱率。'.repeat(30).slice(0, 500)
    const read = await print(quotationDocument(quotation({ lines: lines(100, description) })))
    const texts = read.pages.flatMap(page => page.map(({ text }) => text))
    const names = texts.filter(text => /^Meta \d+$/.test(text))
    expect(names).toEqual(lines(100).map(({ title }) => title))
    const characters = texts.filter(text => /^[每日追蹤成效並於週一提供報，含各素材之點閱率。]+$/.test(text))
    expect(characters.join('')).toBe(description.repeat(100))
  })

  it('keep sums together with the last line, and signatures with the end of the terms', async () => {
    for (let count = 1; count <= 24; count += 1) {
      const read = await print(quotationDocument(quotation({ lines: lines(count) })))
      const total = pageOf(read, 'TWD 296,624')
      expect([pageOf(read, `Meta ${count}`), pageOf(read, '255,555')]).toEqual([total, total])
      const signatures = pageOf(read, '委刊單位簽章')
      expect(read.pages[signatures]?.some(({ text }) => text.startsWith('4. 實際曝光數'))).toBe(true)
      expect(has(read.pages[signatures] ?? [], '代理商簽章')).toBe(true)
    }
  })

  it('have nothing outside of their margins, and no text on another one', async () => {
    const long =
      'Consolidated Amalgamated International Advertising and Marketing Holdings Company Limited '.repeat(3)
    const party = { name: long, tax_id: 'T7000012050002', address: long.repeat(2) }
    const input = quotation({
      language: 'en',
      title: long,
      lines: lines(30, long),
      buyer: party,
      issuer: { ...quotation().issuer, ...party },
    })
    const { pages } = await print(quotationDocument(input))
    for (const { x, y } of pages.flat()) {
      expect(x).toBeGreaterThanOrEqual(54 - 0.01)
      expect(y).toBeGreaterThan(25)
      expect(y).toBeLessThan(842 - 40)
    }
  })

  it('keep the two lines of a paragraph together', async () => {
    const clause = '走期開始後取消者，已執行之媒體費用與服務費全額計收。'.repeat(4).slice(0, 90)
    const terms = Array.from({ length: 60 }, () => `§${clause}`).join('\n')
    const { pages } = await print(quotationDocument(quotation({ terms })))
    expect(pages.length).toBeGreaterThan(2)
    const halves = pages.map(page =>
      page.filter(({ text }) => /^§|計收。/.test(text)).map(({ text }) => text[0] === '§'),
    )
    for (const half of halves) expect(half.filter(Boolean)).toHaveLength(half.length / 2)
  })

  it('show lines of terms as they were written, over as many pages as they need', async () => {
    const terms = Array.from({ length: 120 }, (_, index) => `${index + 1}. 條文`).join('\n')
    const read = await print(quotationDocument(quotation({ terms })))
    expect(read.pages.length).toBeGreaterThan(1)
    expect(read.text.match(/^\d+\. 條文$/gm)).toHaveLength(120)
  })
})

it('prints whatever texts a document has', async () => {
  // By name, since a failure shows what it failed with.
  const long = new Map([
    ['characters', '字'],
    ['word', 'x'],
    ['lines', '\n'],
  ])
  const texts = fc.oneof(fc.string({ unit: 'binary', maxLength: 200 }), fc.constantFrom(...long.keys()))
  const textOf = (text: string) => long.get(text)?.repeat(20_000) ?? text
  const inputs = fc.tuple(texts, texts, texts)
  await fc.assert(
    fc.asyncProperty(inputs, async each => {
      const [one = '', two = '', three = ''] = each.map(textOf)
      const buyer = { name: three, tax_id: one, address: two }
      const order = quotation({
        title: one,
        terms: two,
        client_po: three,
        buyer,
        lines: [{ ...line, channel: null, title: two, description: one }],
      })
      for (const document of [
        quotationDocument(order),
        paymentDocument(payment({ issuer: { ...payment().issuer, bank: one }, note: two, title: three })),
        statementDocument(statement({ buyer })),
      ])
        expect((await renderDocument(document, typefaces)).pages).toBeGreaterThan(0)
    }),
    { numRuns: 20 },
  )
})
