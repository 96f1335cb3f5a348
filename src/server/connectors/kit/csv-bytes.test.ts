import { isUtf8 } from 'node:buffer'
import { describe, expect, it } from 'vitest'
import { hostileFile } from '#server/connectors/testing/hostile-files.ts'
import { randomOf, SEED } from '#server/testing/random.ts'
import { CsvReader } from './csv-bytes.ts'
import { csvRows } from './csv.ts'

const FILES = process.env.LONG ? 100_000 : 3000

/** Rows, and why there is no further one. */
function readFully(rows: Iterable<string[]>): unknown[] {
  const read: unknown[] = []
  try {
    for (const row of rows) read.push(row)
  } catch (error) {
    read.push(String(error))
  }
  return read
}

function* rowsIn(...blocks: Buffer[]): Generator<string[]> {
  const reader = new CsvReader(blocks)
  while (reader.next()) yield reader.texts()
}

/** The same bytes, cut behind some of their line ends. */
function blocksOf(bytes: Buffer, seed: number): Buffer[] {
  const random = randomOf(seed)
  const isCutAt = random()
  const cuts = [...bytes.keys()].filter(at => bytes[at - 1] === 10 && random() < isCutAt)
  return [0, ...cuts].map((from, at) => bytes.subarray(from, cuts[at]))
}

describe('CSV in bytes', () => {
  it('has the rows and the faults of the same text, however damaged', () => {
    const table = [
      ['Day', 'Name', 'Clicks'],
      ['2026-10-01', 'Aurora', '7'],
      ['2026-10-02', 'Sale, "autumn" 秋', '1.5'],
    ]
    let faults = 0
    for (let seed = SEED; seed < SEED + FILES; seed += 1) {
      const bytes = hostileFile(table, seed)
      if (!isUtf8(bytes)) continue
      const read = readFully(rowsIn(...blocksOf(bytes, seed)))
      expect([seed, read]).toEqual([seed, readFully(csvRows(bytes.toString()))])
      faults += Number(typeof read.at(-1) === 'string')
    }
    expect(faults).toBeGreaterThan(FILES / 100)
  })

  it.each([
    '',
    '\uFEFF',
    '\n',
    '\r',
    '\r\n',
    ',',
    'a,',
    '"',
    '""',
    '""\r',
    '"a"\r\n',
    'a\r,b',
    '\uFEFF\uFEFFa',
  ])('is that of the text %j', text => {
    expect(readFully(rowsIn(Buffer.from(text)))).toEqual(readFully(csvRows(text)))
  })

  it('lets go of the blocks that have been read', () => {
    const blocks = ['a\n', 'b\n"c\n', 'd"\ne\n'].map(text => Buffer.from(text))
    const reader = new CsvReader(blocks)
    const left: number[] = []
    while (reader.next()) left.push(blocks.length)
    expect(left).toEqual([2, 1, 0, 0])
  })

  it('may have any number of columns', () => {
    const cells = Array.from({ length: 1000 }, (_, at) => String(at))
    expect([...rowsIn(Buffer.from(cells.join(',')))]).toEqual([cells])
  })
})
