import { describe, expect, it } from 'vitest'
import { openReportFileReader } from './report-file-reader.ts'

const stopping = new AbortController().signal
const thread = new URL('./testing/report-file-worker.ts', import.meta.url)
const unreadable = [
  {
    name: '',
    problems: [{ path: '', code: 'file_unreadable', message: 'it takes too much time or memory to read' }],
  },
]

describe('uploaded files of reports', () => {
  it('are read outside the thread that serves requests, with the same result', async () => {
    const read = openReportFileReader({ stopping })
    expect(await read(1, 'name: One\n---\nname: [a\n')).toMatchObject([
      { file: { name: 'One', channels: [] } },
      {
        name: '',
        problems: [{ path: '', code: 'file_unreadable', message: expect.stringContaining('line 4') }],
      },
    ])
    expect(await read(1, '---\n'.repeat(600))).toBe('too_many_documents')
  })

  it('are refused by their size before anything else', () => {
    const read = openReportFileReader({ stopping })
    expect(() => read(1, '品'.repeat(100_000))).toThrow('payload_too_large')
  })

  it.each(['hang', 'throw', 'grow'])(
    'that make their reader %s do not stop others from being read',
    async how => {
      const read = openReportFileReader({ stopping, thread, most_cpu_ms: how === 'hang' ? 300 : 60_000 })
      const [bad, good] = await Promise.all([read(1, how), read(2, 'next')])
      expect(bad).toEqual(unreadable)
      expect(good).toEqual([{ file: 'next' }])
    },
  )

  it('wait in a short queue, shorter for each person', async () => {
    const read = openReportFileReader({ stopping, thread, of_one: 2, of_all: 3 })
    // The first one is read at once.
    const taken = [read(1, 'a'), read(1, 'b'), read(1, 'c')]
    expect(() => read(1, 'd')).toThrow('rate_limited')
    taken.push(read(2, 'e'))
    expect(() => read(3, 'f')).toThrow('overloaded')
    await Promise.all(taken)
    expect(await read(1, 'd')).toEqual([{ file: 'd' }])
  })

  it('of one person wait behind those of another', async () => {
    const read = openReportFileReader({ stopping, thread })
    const order: string[] = []
    const note = async (person: number, text: string) => {
      await read(person, text)
      order.push(text)
    }
    await Promise.all([note(1, 'a1'), note(1, 'a2'), note(1, 'a3'), note(2, 'b1'), note(3, 'c1')])
    expect(order).toEqual(['a1', 'b1', 'a2', 'c1', 'a3'])
  })
})
