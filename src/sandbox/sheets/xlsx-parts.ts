import type { Book, Sheet } from './book.ts'
import { defaultPattern } from './format.ts'
import { xmlText } from './xml.ts'

const HEAD = '<?xml version="1.0" encoding="UTF-8" standalone="yes"?>\n'
const MAIN = 'http://schemas.openxmlformats.org/spreadsheetml/2006/main'
const RELATIONS = 'http://schemas.openxmlformats.org/package/2006/relationships'
const OFFICE = 'http://schemas.openxmlformats.org/officeDocument/2006/relationships'
const TYPES = 'application/vnd.openxmlformats-officedocument.spreadsheetml'
const MOST_TITLE = 31

/** Title of a tab → its title in Excel: at most 31 characters, none of `: \ / ? * [ ]`, no two alike. */
export function excelTitles(sheets: Sheet[]): Map<string, string> {
  const titles = new Map<string, string>()
  const taken = new Set<string>()
  for (const { title } of sheets) {
    const base =
      title
        .replace(/[:\\/?*[\]]/g, '_')
        .replace(/^'|'$/g, '_')
        .slice(0, MOST_TITLE) || 'Sheet'
    let candidate = base
    for (let n = 2; taken.has(candidate.toLowerCase()); n++)
      candidate = `${base.slice(0, MOST_TITLE - String(n).length - 1)} ${n}`
    taken.add(candidate.toLowerCase())
    titles.set(title, candidate)
  }
  return titles
}

export const contentTypes = (sheets: number) =>
  `${HEAD}<Types xmlns="http://schemas.openxmlformats.org/package/2006/content-types"><Default Extension="rels" ContentType="application/vnd.openxmlformats-package.relationships+xml"/><Default Extension="xml" ContentType="application/xml"/><Override PartName="/xl/workbook.xml" ContentType="${TYPES}.sheet.main+xml"/><Override PartName="/xl/styles.xml" ContentType="${TYPES}.styles+xml"/>${numbered(sheets, n => `<Override PartName="/xl/worksheets/sheet${n}.xml" ContentType="${TYPES}.worksheet+xml"/>`)}</Types>`

export const PACKAGE_RELATIONS = `${HEAD}<Relationships xmlns="${RELATIONS}"><Relationship Id="rId1" Type="${OFFICE}/officeDocument" Target="xl/workbook.xml"/></Relationships>`

export function workbook(sheets: Sheet[], titles: Map<string, string>): string {
  const entries = sheets.map(({ title, hidden }, i) => {
    const name = xmlText(titles.get(title) ?? title)
    return `<sheet name="${name}" sheetId="${i + 1}"${hidden ? ' state="hidden"' : ''} r:id="rId${i + 1}"/>`
  })
  return `${HEAD}<workbook xmlns="${MAIN}" xmlns:r="${OFFICE}"><sheets>${entries.join('')}</sheets></workbook>`
}

export const workbookRelations = (sheets: number) =>
  `${HEAD}<Relationships xmlns="${RELATIONS}">${numbered(sheets, n => `<Relationship Id="rId${n}" Type="${OFFICE}/worksheet" Target="worksheets/sheet${n}.xml"/>`)}<Relationship Id="rId${sheets + 1}" Type="${OFFICE}/styles" Target="styles.xml"/></Relationships>`

const numbered = (count: number, each: (n: number) => string) =>
  Array.from({ length: count }, (_, i) => each(i + 1)).join('')

/** One style per format of the book, under the same number: its number format, bold and italic. */
export function styles({ formats, locale }: Book): string {
  const all = formats.length > 0 ? formats : [{}]
  const numberFormats: string[] = []
  const cellFormats = all.map(({ numberFormat, textFormat }) => {
    const pattern = numberFormat?.pattern || defaultPattern(numberFormat?.type, locale)
    const id = pattern ? 163 + numberFormats.push(pattern) : 0
    const font = (textFormat?.bold ? 1 : 0) + (textFormat?.italic ? 2 : 0)
    return `<xf numFmtId="${id}" fontId="${font}" fillId="0" borderId="0" xfId="0"${id ? ' applyNumberFormat="1"' : ''}${font ? ' applyFont="1"' : ''}/>`
  })
  const entries = numberFormats.map(
    (pattern, i) => `<numFmt numFmtId="${164 + i}" formatCode="${xmlText(pattern)}"/>`,
  )
  const fonts = ['', '<b/>', '<i/>', '<b/><i/>'].map(
    look => `<font>${look}<sz val="10"/><name val="Arial"/></font>`,
  )
  return `${HEAD}<styleSheet xmlns="${MAIN}">${entries.length > 0 ? `<numFmts count="${entries.length}">${entries.join('')}</numFmts>` : ''}<fonts count="4">${fonts.join('')}</fonts><fills count="2"><fill><patternFill patternType="none"/></fill><fill><patternFill patternType="gray125"/></fill></fills><borders count="1"><border><left/><right/><top/><bottom/><diagonal/></border></borders><cellStyleXfs count="1"><xf numFmtId="0" fontId="0" fillId="0" borderId="0"/></cellStyleXfs><cellXfs count="${cellFormats.length}">${cellFormats.join('')}</cellXfs></styleSheet>`
}
