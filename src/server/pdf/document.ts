import type { Language } from '#shared/language.ts'

/**
 * A document as it is printed: texts alone, in its own language, so that it prints the same however often.
 * quotation-document.ts, payment-document.ts and statement-document.ts make it. Plain data, since it goes to
 * another thread.
 */
export interface PdfDocument {
  kind: 'quotation' | 'payment' | 'statement'
  language: Language
  /** What it is: 委刊單. */
  heading: string
  /** Null: a draft, which has none. */
  number: string | null
  /** Across every page; null: none. */
  watermark: string | null
  /** yyyy-mm-dd; the file says that it was created on this day. */
  issue_on: string
  issuer: PdfParty & { logo: Uint8Array | null }
  buyer: PdfParty & { label: string }
  facts: readonly PdfFact[]
  title: PdfFact
  table: PdfTable
  sums: readonly PdfSum[]
  /** What the sums are made of, where it is more than the table's rows. */
  further_tables: readonly PdfTable[]
  sections: readonly PdfSection[]
  /** Side by side. */
  signatures: readonly PdfSignature[]
}

export interface PdfParty {
  name: string
  /** Tax id, address, telephone: those that there are. */
  lines: readonly string[]
}

export interface PdfFact {
  label: string
  value: string
}

export interface PdfTable {
  caption: string | null
  columns: readonly PdfColumn[]
  rows: readonly PdfRow[]
  /** In place of rows where there are none. */
  empty: string
}

export interface PdfColumn {
  label: string
  /** As its widest cell needs, or what the others leave: one column of a table takes that. */
  width: 'fit' | 'rest'
  align: 'left' | 'right'
}

/** A cell for each column. */
export type PdfRow = readonly PdfCell[]

export interface PdfCell {
  text: string
  /** Smaller, below. */
  detail?: string
}

export interface PdfSum {
  label: string
  amount: string
  /** `total`: what the document is about; `aside`: is not part of it. */
  weight: 'plain' | 'total' | 'aside'
}

export interface PdfSignature {
  label: string
  /** Who signs. */
  name: string
  /** Beside the line: 日期. */
  date: string
}

/** Terms, bank, notes; line breaks are kept. */
export interface PdfSection {
  label: string
  text: string
  /** Terms are small. */
  size: 'small' | 'normal'
}

export interface PrintedDocument {
  bytes: Buffer
  pages: number
  /** The characters that no font has, each once; they print as ▯. */
  missing: readonly string[]
}
