import { describe, expect, it } from 'vitest'
import { readRows } from './csv-rows.ts'
import type { FileFormat } from './file-format.ts'
import { HashingProblem } from './messages.ts'

const COMMAS: FileFormat = { encoding: 'utf-8', delimiter: ',' }

/** A file that arrives in pieces of this size. */
const inPieces = (bytes: Uint8Array<ArrayBuffer>, size: number) =>
  Object.assign(new Blob([bytes]), {
    stream: () =>
      new ReadableStream({
        start(controller) {
          for (let at = 0; at < bytes.length; at += size) controller.enqueue(bytes.slice(at, at + size))
          controller.close()
        },
      }),
  })

async function rowsOf(file: Blob, format = COMMAS) {
  const rows: string[][] = []
  for await (const some of readRows(file, format)) rows.push(...some)
  return rows
}

describe('the rows of a file', () => {
  it.each([1, 2, 3, 7, 1000])('are the same when it comes %i bytes at a time', async size => {
    const text = '\ufeffname,note\r\n"王, 小明","says ""hi""\r\ntwice"\r\n\r\n,\r\nlast,"x"'
    const file = inPieces(new TextEncoder().encode(text), size)
    expect(await rowsOf(file)).toEqual([
      ['name', 'note'],
      ['王, 小明', 'says "hi"\ntwice'],
      ['last', 'x'],
    ])
  })

  it('end with \\n, \\r\\n or \\r', async () => {
    for (const end of ['\n', '\r\n', '\r'])
      expect(await rowsOf(inPieces(new TextEncoder().encode(`a,b${end}1,2${end}`), 4))).toEqual([
        ['a', 'b'],
        ['1', '2'],
      ])
  })

  it('are read in the encoding of the file', async () => {
    const big5 = Uint8Array.from([0xa4, 0xfd, 0xa4, 0x70, 0xa9, 0xfa, 0x2c, 0x31])
    expect(await rowsOf(inPieces(big5, 1), { encoding: 'big5', delimiter: ',' })).toEqual([['王小明', '1']])
    const shiftJis = Uint8Array.from([0x82, 0xe2, 0x82, 0xdc, 0x09, 0x31])
    expect(await rowsOf(inPieces(shiftJis, 3), { encoding: 'shift_jis', delimiter: '\t' })).toEqual([
      ['やま', '1'],
    ])
  })

  it('are none of an empty file', async () => expect(await rowsOf(new Blob([]))).toEqual([]))

  it('are not looked for behind a quote that nobody closes, and the error says nothing of it', async () => {
    const file = new Blob([`"mary@example.com,${'x'.repeat(2_000_000)}`])
    await expect(rowsOf(file)).rejects.toEqual(new HashingProblem('unreadable'))
    await expect(rowsOf(file)).rejects.not.toThrow(/mary/)
  })
})
