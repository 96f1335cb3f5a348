import { describe, expect, it } from 'vitest'
import { readReportFiles, readRunnableFile } from './read-report-file.ts'
import { limits } from '#shared/limits.ts'
import { readText } from './report-text.ts'

const { report_file_bytes: MOST_FILE_BYTES } = limits

const full = (bit: string) => bit.repeat(Math.floor(MOST_FILE_BYTES / Buffer.byteLength(bit)))
const numbered = (bit: (n: number) => string, count: number) =>
  Array.from({ length: count }, (_, n) => bit(n)).join('')

/** Files that are refused before they are parsed, and by which bound. */
const beyond: [name: string, text: string, why: RegExp][] = [
  ['[', full('['), /nested/],
  ['{', full('{'), /nested/],
  ['{a: {a: …', full('{a: '), /nested/],
  ['- - -', full('- - '), /nested/],
  ['? ? ?', full('? '), /nested/],
  [': : :', full(': '), /nested/],
  ['a: b: c', full('a: b: c '), /nested/],
  ['a: b: c in lines', full('a: b: c\n'), /nested/],
  ['deeper and deeper lines', numbered(n => `${' '.repeat(n)}a:\n`, 700), /nested/],
  ['lines of %', full('%\n'), /lines/],
  ['lines of tabs', full('\t\n'), /lines/],
  ['lines of remarks', full('#\n'), /lines/],
  ['lines of hyphens', full('-\n'), /lines/],
  ['lines of a text', `a: |\n${full(' x\n')}`.slice(0, MOST_FILE_BYTES), /lines/],
  ['commas', `[${full(',')}`.slice(0, MOST_FILE_BYTES), /words and marks/],
  ['closing brackets', full(']'), /words and marks/],
  ['tags', full('! '), /words and marks/],
  ['anchors and aliases', full('&a *a '), /words and marks/],
  ['texts after texts', full('"" '), /words and marks/],
  ['keys', numbered(n => `key${n}:\n`, 15_000), /keys/],
  ['keys in braces', `{${numbered(n => `k${n},`, 30_000)}}`, /keys/],
  ['one byte too many', 'x'.repeat(MOST_FILE_BYTES + 1), /256 kB/],
]

/**
 * Files within the bounds: read or refused by the parser, with no more work than an ordinary file of that
 * size.
 */
const within: [name: string, text: string][] = [
  ['%', full('%')],
  ['a long word', full('x')],
  ['a long text', `"${full('x').slice(2)}"`],
  ['wrong escapes', `"${full('\\x').slice(2)}"`],
  ['an unclosed text', `"${full('x').slice(1)}`],
  ['a long number', `a: ${full('9').slice(3)}`],
  ['a long remark', `#${full('x').slice(1)}`],
  ['tabs', full('\t')],
  ['spaces', full(' ')],
  ['NULs', full('\0')],
  ['an anchor that is used ten thousand times', `a: &a [1]\nb: [${'*a,'.repeat(10_000)}]`],
  [
    'anchors of anchors',
    `a: &a [x,x]\n${numbered(n => `b${n}: &b${n} [*${n ? `b${n - 1}` : 'a'},*${n ? `b${n - 1}` : 'a'}]\n`, 80)}`,
  ],
  ['many wrong values', `dimensions: [${'x,'.repeat(60_000)}]`],
  ['many wrong tags', `a: [${'!x y,'.repeat(25_000)}]`],
]

/** Of the refused ones, those that are read furthest. */
const longest = beyond.flatMap(([name, text, why]) =>
  /words/.test(why.source) ? [[name, text] as const] : [],
)

describe('a file of reports', () => {
  it.each(beyond)('is refused before it is parsed: %s', (_, text, why) => {
    expect(readText(text)).toEqual([{ errors: [expect.stringMatching(why)] }])
  })

  it('of too many documents is none', () => {
    expect(readText(full('---\n'))).toBe('too_many_documents')
    expect(readText(full('...\na\n'))).toBe('too_many_documents')
    expect(readText('a: 1\n---\n'.repeat(501))).toBe('too_many_documents')
    expect(readText('---\na: 1\n'.repeat(500))).toHaveLength(500)
  })

  it('has its errors reported with their lines, and not too many of them', () => {
    expect(readText('name: A\ndimensions: [date\n')).toEqual([
      { errors: [expect.stringMatching(/^Flow sequence .* at line 3, column 1$/)] },
    ])
    const [read] = readReportFiles(`a: "${'\\x'.repeat(1000)}"`)
    expect(typeof read === 'object' && 'problems' in read && read.problems).toHaveLength(50)
    expect(JSON.stringify(readReportFiles('a: b: c\n---\n'.repeat(400))).length).toBeLessThan(500_000)
  })

  it('that is run at once has the same bounds, and is one report', () => {
    for (const text of [
      full('['),
      '---\n'.repeat(600),
      'name: A\n---\nname: B\n',
      'x'.repeat(MOST_FILE_BYTES + 1),
    ])
      expect(readRunnableFile(text)).toMatchObject({ problems: [{ path: '', code: 'file_unreadable' }] })
  })

  it('costs no more work than an ordinary one, whatever its content', () => {
    const report = (n: number) =>
      `name: Report ${n}\ndimensions: [date, campaign]\nchannels:\n  - channel: fb\n    accounts:\n${'      - "10150357160960121" # Aurora\n'.repeat(10)}    metrics: [cost, clicks]\n`
    const file = Array.from({ length: 400 }, (_, n) => report(n)).join('---\n')
    expect(Buffer.byteLength(file)).toBeGreaterThan(MOST_FILE_BYTES / 2)
    // Twice: compiling during the first time is not caused by the text.
    workOf(file)
    const floor = workOf(file)
    const ratios = [...within, ...longest].map(([name, text]) => [name, workOf(text) / floor] as const)
    expect(ratios.filter(([, ratio]) => ratio > MOST_RATIO)).toEqual([])
  })
})

/** Three when measured: a text of nothing but wrong escapes. */
const MOST_RATIO = 10

/** Processor time of this thread, in microseconds, so that it is the same on a busy machine. */
function workOf(text: string): number {
  const before = process.threadCpuUsage()
  readReportFiles(text)
  const { user, system } = process.threadCpuUsage(before)
  return user + system
}
