import { expect, it } from 'vitest'
import { statementDocument } from './statement-document.ts'
import { statement } from './testing/samples.ts'

it('prints C1: what was spent, at which rate, and what is billed of it', () => {
  const { table, sums } = statementDocument(statement())
  expect(table.columns.map(({ label }) => label)).toEqual([
    '管道',
    '花費',
    '匯率',
    '媒體費用',
    '服務費',
    '稅額',
    '總計',
  ])
  expect(table.rows.map(row => row.map(({ text }) => text))).toEqual([
    ['Meta 廣告', 'TWD 123,456.78', '', '123,457', '18,519', '7,099', '149,075'],
    ['Meta 廣告', 'JPY 450,000', '0.2085', '93,825', '14,074', '5,395', '113,294'],
    ['Google Ads', 'TWD 88,000.50', '', '88,001', '13,200', '5,060', '106,261'],
    ['TikTok 廣告', 'USD 1,234.56', '31.505', '38,895', '5,834', '2,236', '46,965'],
  ])
  expect(sums.map(({ amount }) => amount)).toEqual(['344,178', '51,627', '395,805', '19,790', 'TWD 415,595'])
})

it('has no columns for rates where all accounts have the billing currency', () => {
  const lines = statement().lines.filter(({ currency }) => currency === 'TWD')
  expect(statementDocument(statement({ lines })).table.columns).toHaveLength(5)
})

it('lists adjustments with their reasons', () => {
  const [adjustments] = statementDocument(statement({ language: 'en' })).further_tables
  expect(adjustments?.rows[0]?.map(({ text }) => text)).toEqual([
    'Google Ads',
    'October 2026',
    'Later correction by the platform',
    'TWD −351',
  ])
  expect(statementDocument(statement({ adjustments: [] })).further_tables).toEqual([])
})

it('bills by the invoice of the platform, with what was adjusted', () => {
  const lines = statement().lines.map(each => ({ ...each, invoiced: 87_650_000_000, adjusted: -351_000_000 }))
  const [row] = statementDocument(statement({ lines })).table.rows
  expect(row?.[1]?.text).toBe('TWD 87,299')
})

it('is a draft with what is not known yet as —, until the month is locked', () => {
  const unknown = { spend: null, billed: null, fee: null, tax_amount: null, total: null }
  const lines = statement().lines.map(each => ({ ...each, ...unknown }))
  const { watermark, table, sums } = statementDocument(statement({ is_draft: true, lines, total: null }))
  expect(watermark).toBe('草稿')
  expect(table.rows[1]?.map(({ text }) => text)).toEqual(['Meta 廣告', 'JPY —', '0.2085', '—', '—', '—', '—'])
  expect(sums.at(-1)?.amount).toBe('TWD —')
})
