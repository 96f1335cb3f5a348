import { beside, leading, paragraph, stack, writeLine, type Block } from './block.ts'
import { LEFT, openCanvas, PAGE, RIGHT, type Canvas } from './canvas.ts'
import type { PdfDocument, PdfFact, PdfSection, PdfSignature, PdfSum, PrintedDocument } from './document.ts'
import { gap, placeStrips, type Strip } from './flow.ts'
import { rules, styles } from './styles.ts'
import { tableStrips } from './table.ts'
import type { Typefaces } from './typefaces.ts'

/** Prints a document: the same document gives the same bytes. */
export async function renderDocument(document: PdfDocument, typefaces: Typefaces): Promise<PrintedDocument> {
  const canvas = openCanvas(document, typefaces)
  placeStrips(stripsOf(canvas, document), FRAME, canvas)
  const pages = canvas.onEachPage((page, count) => writeEdges(canvas, document, { page, count }))
  return { bytes: await canvas.end(), pages, missing: [...canvas.missing] }
}

function stripsOf(canvas: Canvas, document: PdfDocument): Strip[] {
  const { table, further_tables, sections, signatures } = document
  const [first_section] = sections
  const endsWithSums = first_section === undefined && further_tables.length === 0
  return [
    whole(masthead(canvas, document)),
    gap(18),
    whole(parties(canvas, document)),
    gap(16),
    whole(titleBlock(canvas, document.title)),
    gap(10),
    ...tableStrips(canvas, table, { keeps_next: true }),
    gap(10),
    { ...whole(sumsBlock(canvas, document.sums)), keeps: endsWithSums && signatures.length > 0 },
    ...further_tables.flatMap(each => [gap(20), ...tableStrips(canvas, each, { keeps_next: false })]),
    ...sections.flatMap((section, index) =>
      sectionStrips(canvas, section, { keeps_next: index === sections.length - 1 && signatures.length > 0 }),
    ),
    ...(signatures.length === 0 ? [] : [gap(22), whole(signaturesBlock(canvas, signatures))]),
  ]
}

const whole = (block: Block): Strip => ({ height: block.height, draw: y => block.draw(LEFT, y) })

/** Who issues it at the left, what it is at the right. */
function masthead(canvas: Canvas, { issuer, heading, number }: PdfDocument): Block {
  const width = WIDTH * 0.56
  const name = paragraph(canvas, issuer.name, { ...styles.name, width })
  const lines = issuer.lines.map(line => paragraph(canvas, line, { ...styles.detail, width }))
  const right = WIDTH - width - 20
  const what = stack([
    paragraph(canvas, heading, { ...styles.heading, width: right, align: 'right' }),
    paragraph(canvas, number ?? '', { ...styles.number, width: right, align: 'right' }),
  ])
  const logo = issuer.logo && canvas.picture(issuer.logo, LOGO)
  const who = stack([...(logo ? [logo, space(8)] : []), name, ...lines], 1)
  return {
    height: Math.max(who.height, what.height),
    draw(x, y) {
      who.draw(x, y)
      // The height of its capitals, not of its line, is level with the name beside.
      what.draw(x + WIDTH - right, y - 5)
    },
  }
}

/** Whom it is for at the left, dates and terms at the right. */
function parties(canvas: Canvas, { buyer, facts }: PdfDocument): Block {
  const width = WIDTH * 0.47
  const party = stack([
    paragraph(canvas, buyer.label, { ...styles.label, width }),
    space(2),
    paragraph(canvas, buyer.name, { ...styles.name, width }),
    ...buyer.lines.map(line => paragraph(canvas, line, { ...styles.detail, width })),
  ])
  const right = WIDTH - width - 30
  const list = stack(
    facts.map(fact => factBlock(canvas, fact, right)),
    3,
  )
  return {
    height: RULE_GAP + Math.max(party.height, list.height),
    draw(x, y) {
      canvas.rule({ from: LEFT, to: RIGHT, y }, rules.thin)
      party.draw(x, y + RULE_GAP)
      list.draw(x + WIDTH - right, y + RULE_GAP)
    },
  }
}

function factBlock(canvas: Canvas, { label, value }: PdfFact, width: number): Block {
  const offset = width * 0.36
  return beside(
    paragraph(canvas, label, { ...styles.label, width: offset - 8 }),
    paragraph(canvas, value, { ...styles.body, width: width - offset, align: 'right' }),
    offset,
  )
}

function titleBlock(canvas: Canvas, { label, value }: PdfFact): Block {
  return stack([
    paragraph(canvas, label, { ...styles.label, width: WIDTH }),
    paragraph(canvas, value, { ...styles.title, width: WIDTH }),
  ])
}

/** At the right, below the column of amounts; the total is the largest text of the lower half. */
function sumsBlock(canvas: Canvas, sums: readonly PdfSum[]): Block {
  const block = stack(
    sums.map(sum => sumBlock(canvas, sum)),
    4,
  )
  return { height: block.height, draw: (x, y) => block.draw(x + WIDTH - SUMS_WIDTH, y) }
}

function sumBlock(canvas: Canvas, { label, amount, weight }: PdfSum): Block {
  const isTotal = weight === 'total'
  const style = weight === 'aside' ? styles.aside : styles.body
  const amountStyle = isTotal ? styles.total : style
  const amountWidth = Math.min(canvas.widthOf(amount, amountStyle) + 0.1, SUMS_WIDTH * 0.75)
  const labelWidth = SUMS_WIDTH - amountWidth - 12
  const row = beside(
    paragraph(canvas, label, { ...style, width: labelWidth }),
    paragraph(canvas, amount, { ...amountStyle, width: amountWidth, align: 'right' }),
    labelWidth + 12,
  )
  if (!isTotal) return row
  return {
    height: row.height + 10,
    draw(x, y) {
      canvas.rule({ from: x, to: x + SUMS_WIDTH, y: y + 4 }, rules.strong)
      row.draw(x, y + 10)
    },
  }
}

/** The first line stays with the label, the last three with what follows, and no line is left alone. */
function sectionStrips(
  canvas: Canvas,
  section: PdfSection,
  { keeps_next }: { keeps_next: boolean },
): Strip[] {
  const style = section.size === 'small' ? styles.terms : styles.body
  const height = leading(style)
  const strips = section.text
    .trimEnd()
    .split(/\r\n?|\n/)
    .flatMap(paragraphText => {
      const lines = canvas.wrap(paragraphText, style, WIDTH)
      return lines.map((line, index): Strip => ({
        height,
        draw: y => writeLine(canvas, { line, style }, { x: LEFT, y, height, align: 'left' }),
        keeps: index < lines.length - 1 && !mayTurn(index + 1, lines.length),
      }))
    })
  const label = stack([paragraph(canvas, section.label, { ...styles.label, width: WIDTH }), space(3)])
  const isEnd = (index: number) => keeps_next && index >= strips.length - 3
  return [
    gap(15),
    { ...whole(label), keeps: true },
    ...strips.map((strip, index) => (isEnd(index) ? { ...strip, keeps: true } : strip)),
  ]
}

/** After so many lines of a paragraph. */
const mayTurn = (before: number, all: number) => before >= 2 && all - before >= 2

/** Side by side, with room for a seal. */
function signaturesBlock(canvas: Canvas, signatures: readonly PdfSignature[]): Block {
  const between = 40
  const width = (WIDTH - between * (signatures.length - 1)) / signatures.length
  const blocks = signatures.map(signature => signatureBlock(canvas, signature, width))
  const height = Math.max(...blocks.map(block => block.height))
  return {
    height,
    draw: (x, y) => blocks.forEach((block, index) => block.draw(x + index * (width + between), y)),
  }
}

function signatureBlock(canvas: Canvas, { label, name, date }: PdfSignature, width: number): Block {
  const block = stack([
    paragraph(canvas, label, { ...styles.body, width }),
    paragraph(canvas, name, { ...styles.detail, width }),
    space(SEAL_HEIGHT),
  ])
  const day = paragraph(canvas, date, { ...styles.label, width: width / 2 })
  return {
    height: block.height + day.height + 3,
    draw(x, y) {
      block.draw(x, y)
      canvas.rule({ from: x, to: x + width, y: y + block.height }, rules.strong)
      day.draw(x + width * 0.62, y + block.height + 3)
    },
  }
}

/** Below each page its number, above all but the first one whose they are. */
function writeEdges(canvas: Canvas, document: PdfDocument, { page, count }: { page: number; count: number }) {
  const { issuer, heading, number } = document
  const height = leading(styles.edge)
  const pair = (left: string, right: string, y: number) => {
    for (const [text, x, align] of [
      [left, LEFT, 'left'],
      [right, RIGHT, 'right'],
    ] as const) {
      const line = canvas.fit(text, styles.edge, WIDTH / 2)
      writeLine(canvas, { line, style: styles.edge }, { x, y, height, align })
    }
  }
  pair(issuer.name, `${page} / ${count}`, PAGE.height - MARGIN.bottom + 18)
  if (page > 1) pair(issuer.name, [heading, number].filter(Boolean).join(' '), MARGIN.top - 14)
}

const space = (height: number): Block => ({ height, draw() {} })

const WIDTH = RIGHT - LEFT
const MARGIN = { top: 50, bottom: 58 }
const FRAME = { first_top: MARGIN.top - 6, top: MARGIN.top + 12, bottom: PAGE.height - MARGIN.bottom }
const LOGO = { width: 150, height: 40 }
const RULE_GAP = 12
const SUMS_WIDTH = 250
const SEAL_HEIGHT = 46
