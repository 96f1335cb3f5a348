import { channelNames } from '#shared/channels/catalogue.ts'
import { spendChannels } from '#shared/billing/spend-channels.ts'
import { parseMoney } from '#web/ui/money.ts'
import { parseRate } from '#web/ui/rate.ts'
import { lineAfter, type LineDraft, type LineField, type LineKind } from './draft.ts'
import { parseQuantity } from './quantity.ts'
import { parseCells } from './tab-separated.ts'

/** What the columns of pasted rows are, in this order where no header names them. */
export const pasteFields = [
  'kind',
  'title',
  'start',
  'end',
  'pricing',
  'quantity',
  'unit_price',
  'budget',
  'fee_rate',
  'fee_basis',
  'description',
] as const satisfies readonly LineField[]
type PasteField = (typeof pasteFields)[number]

/** How people head these columns, beside the names that the editor has for them. */
const headings: Record<PasteField, readonly string[]> = {
  kind: words('channel|publisher|media|platform|管道|媒體|平台'),
  title: words('title|name|line|campaign|item|名稱|項目|品項|活動|版位'),
  start: words('start|start date|from|開始|開始日|開始日期|起'),
  end: words('end|end date|to|until|結束|結束日|結束日期|迄'),
  pricing: words('pricing|buying type|model|計價|計價方式|購買方式'),
  quantity: words('quantity|qty|volume|impressions|clicks|views|數量|預估數量'),
  unit_price: words('unit price|price|rate|單價'),
  budget: words('budget|amount|cost|net|預算|金額|費用'),
  fee_rate: words('fee %|fee|service fee|fee rate|服務費|服務費率|服務費率 %|服務費 %'),
  fee_basis: words('basis|fee basis|外加/內含|計費方式|內含外加'),
  description: words('description|note|remark|remarks|details|說明|備註'),
}

export interface Pasted {
  lines: LineDraft[]
  /** Whether the first row has named the columns. */
  hasHeader: boolean
  /** Names of columns that nothing is read from. */
  ignored: string[]
  /** How many cells could not be read. */
  unread: number
}

/**
 * Lines out of rows of a spreadsheet. A cell that cannot be read leaves its field without a value and keeps
 * its text in the line, so that nothing is lost.
 */
export function readRows(text: string, currency: string): Pasted {
  const rows = parseCells(text).filter(row => row.some(cell => cell !== ''))
  const header = rows[0]?.map(fieldOf) ?? []
  const hasHeader = header.filter(field => field !== null).length >= 2
  const columns: readonly (PasteField | null)[] = hasHeader ? header : pasteFields
  const lines = (hasHeader ? rows.slice(1) : rows).map(row => lineOf(row, columns, currency))
  return {
    lines,
    hasHeader,
    ignored: hasHeader ? (rows[0] ?? []).filter((cell, index) => cell !== '' && header[index] === null) : [],
    unread: lines.reduce((sum, { unread }) => sum + Object.keys(unread).length, 0),
  }
}

function fieldOf(cell: string): PasteField | null {
  const name = plain(cell)
  return pasteFields.find(field => headings[field].includes(name)) ?? null
}

function lineOf(
  row: readonly string[],
  columns: readonly (PasteField | null)[],
  currency: string,
): LineDraft {
  let line: LineDraft = { ...lineAfter(undefined), kind: 'other' }
  for (const [index, field] of columns.entries()) {
    const cell = row[index]?.trim() ?? ''
    if (field === null || cell === '') continue
    const read = readers[field](cell, currency)
    line =
      read === null
        ? { ...line, ...unreadValues[field], unread: { ...line.unread, [field]: cell } }
        : { ...line, ...read }
  }
  return line
}

type Reader = (cell: string, currency: string) => Partial<LineDraft> | null

const readers: Record<PasteField, Reader> = {
  kind: readKind,
  title: title => ({ title: title.slice(0, 120) }),
  start: cell => withDay(cell, start => ({ start })),
  end: cell => withDay(cell, end => ({ end })),
  pricing: readPricing,
  quantity: cell => {
    const quantity = parseQuantity(cell)
    return quantity === 'invalid' ? null : { quantity }
  },
  unit_price: (cell, currency) => {
    const { amount, fault } = parseMoney(cell, currency, { offStep: true })
    return fault === null ? { unit_price: amount } : null
  },
  budget: (cell, currency) => {
    const { amount, fault } = parseMoney(cell, currency)
    return fault === null ? { budget: amount } : null
  },
  fee_rate: cell => {
    const { rate, fault } = parseRate(cell, 10_000)
    return fault === null ? { fee_rate: rate } : null
  },
  fee_basis: readBasis,
  description: description => ({ description: description.slice(0, 500) }),
}

/** What a field holds while its text cannot be read. */
const unreadValues: Record<PasteField, Partial<LineDraft>> = {
  kind: {},
  title: {},
  start: {},
  end: {},
  pricing: {},
  quantity: { quantity: 'invalid' },
  unit_price: { unit_price: 'invalid' },
  budget: { budget: 'invalid' },
  fee_rate: { fee_rate: 'invalid' },
  fee_basis: {},
  description: {},
}

const channelWords: Record<(typeof spendChannels)[number], readonly string[]> = {
  fb: ['fb', 'facebook', 'meta', 'instagram', 'ig', 'fb/ig', '臉書'],
  aw: ['aw', 'google', 'adwords', 'gdn', 'youtube', 'google ads'],
  yg: ['yg', 'yahoo', 'yahoo!', '雅虎'],
  tt: ['tt', 'tiktok', '抖音'],
  ln: ['ln', 'line', 'lap'],
}

/** A channel of ours, or else the publisher of that name. */
function readKind(cell: string): { kind: LineKind; publisher?: string } {
  const name = plain(cell)
  const channel = spendChannels.find(
    each =>
      channelWords[each].includes(name) ||
      Object.values(channelNames[each]).some(text => plain(text) === name),
  )
  return channel === undefined ? { kind: 'publisher', publisher: cell.slice(0, 120) } : { kind: channel }
}

const pricingWords: Record<LineDraft['pricing'], readonly string[]> = {
  budget: ['budget', 'fixed', '預算', '專案', '固定', '包檔'],
  cpm: ['cpm', '千次曝光'],
  cpc: ['cpc', '點擊'],
  cpv: ['cpv', '觀看'],
  day: ['day', 'days', 'per day', 'daily', 'cpd', '天', '日', '每日'],
}

function readPricing(cell: string): Pick<LineDraft, 'pricing'> | null {
  const name = plain(cell)
  const pricing = Object.entries(pricingWords).find(([, names]) => names.includes(name))?.[0]
  return isPricing(pricing) ? { pricing } : null
}
const isPricing = (name: string | undefined): name is LineDraft['pricing'] =>
  name !== undefined && Object.hasOwn(pricingWords, name)

function readBasis(cell: string): Pick<LineDraft, 'fee_basis'> | null {
  const name = plain(cell)
  if (['on top', 'on_top', 'added', '外加'].includes(name)) return { fee_basis: 'on_top' }
  return ['within', 'included', 'including', '內含'].includes(name) ? { fee_basis: 'within' } : null
}

function withDay(cell: string, toPatch: (day: string) => Partial<LineDraft>) {
  const day = readDay(cell)
  return day === null ? null : toPatch(day)
}

/** "2026-11-01", "2026/11/1", "2026.11.1", "20261101": other orders and days without a year are refused. */
function readDay(cell: string): string | null {
  const match =
    /^(\d{4})[-/.年](\d{1,2})[-/.月](\d{1,2})日?$/.exec(cell.normalize('NFKC')) ??
    /^(\d{4})(\d{2})(\d{2})$/.exec(cell)
  if (!match) return null
  const [year, month, day] = match.slice(1).map(Number)
  try {
    return Temporal.PlainDate.from(
      { year: year ?? 0, month: month ?? 0, day: day ?? 0 },
      { overflow: 'reject' },
    ).toString()
  } catch {
    return null
  }
}

function words(list: string): string[] {
  return list.split('|')
}

const plain = (text: string) => text.normalize('NFKC').trim().toLowerCase()
