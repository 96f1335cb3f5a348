import Papa from 'papaparse'
import { utmFields } from '#shared/links/parameters.ts'
import { newDraft, withPreset, type LinkDraft } from '#web/pages/links/link-draft.ts'
import type { Common } from './combine.ts'

export const pastedFields = ['name', 'landing_url', ...utmFields] as const
export type PastedField = (typeof pastedFields)[number]

/** What people call a column, in both languages; the name of the field itself is one of them too. */
const columnNames: Record<PastedField, readonly string[]> = {
  name: ['name', 'link name', '名稱', '連結名稱'],
  landing_url: ['landing page', 'landing url', 'url', 'address', '到達網頁', '目標網址', '網址'],
  utm_source: ['source', 'campaign source', '來源', '活動來源'],
  utm_medium: ['medium', 'campaign medium', '媒介', '活動媒介'],
  utm_campaign: ['campaign', 'campaign name', '活動', '活動名稱', '廣告活動'],
  utm_id: ['id', 'campaign id', '活動 id', '廣告活動 id'],
  utm_term: ['term', 'campaign term', 'keyword', '字詞', '關鍵字', '活動字詞'],
  utm_content: ['content', 'campaign content', '內容', '活動內容'],
  utm_source_platform: ['source platform', 'platform', '來源平台', '平台'],
  utm_creative_format: ['creative format', 'format', '廣告素材格式', '素材格式'],
  utm_marketing_tactic: ['marketing tactic', 'tactic', '行銷策略', '策略'],
}

export interface Pasted {
  /** What each row has in the columns that are known, in their order. */
  rows: Partial<Record<PastedField, string>>[]
  /** Headings that nobody knows. */
  unknown: string[]
  /** The first row names no column of a link. */
  hasNoHeader: boolean
}

/** Rows as a spreadsheet copies them: separated by tabs, the first one with the names of the columns. */
export function readPasted(text: string): Pasted {
  const { data } = Papa.parse<string[]>(text.trim(), {
    delimiter: text.includes('\t') ? '\t' : ',',
    skipEmptyLines: 'greedy',
  })
  const [header = [], ...lines] = data
  const columns = header.map(fieldOf)
  if (columns.every(field => field === null)) return { rows: [], unknown: [], hasNoHeader: header.length > 0 }
  return {
    rows: lines.map(line =>
      Object.fromEntries(
        columns.flatMap((field, index) => (field === null ? [] : [[field, line[index]?.trim() ?? '']])),
      ),
    ),
    unknown: header.filter((name, index) => columns[index] === null && name.trim() !== ''),
    hasNoHeader: false,
  }
}

function fieldOf(heading: string): PastedField | null {
  const plain = heading
    .normalize('NFKC')
    .trim()
    .toLowerCase()
    .replaceAll(/[\s-]+/g, ' ')
  return (
    pastedFields.find(field => field === plain.replaceAll(' ', '_')) ??
    pastedFields.find(field => columnNames[field].includes(plain)) ??
    null
  )
}

/** An empty cell is what the preset says. */
export function draftsOf({ rows }: Pasted, { advertiser, preset }: Common): LinkDraft[] {
  const base = withPreset(newDraft(advertiser), preset, null)
  return rows.map(row => ({
    ...base,
    ...Object.fromEntries(Object.entries(row).filter(([, value]) => value !== '')),
  }))
}
