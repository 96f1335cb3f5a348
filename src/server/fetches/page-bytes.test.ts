import * as fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import type { Page, RunNote } from '#server/connectors/connector.ts'
import { pageFrom, plainPage, type PlainPage } from '#server/connectors/testing/pages.ts'
import { pageReader, pageWriter } from './page-bytes.ts'
import { replay, startRecording } from './recording.ts'

const anyPage: fc.Arbitrary<PlainPage> = fc.nat(20).chain(length => {
  const texts = fc.array(fc.oneof(fc.constantFrom('2026-11-01', ''), fc.string({ unit: 'binary' })), {
    minLength: length,
    maxLength: length,
  })
  const numbers = fc
    .array(fc.double(), { minLength: length, maxLength: length })
    .map(values => Float64Array.from(values))
  const dimension = fc.oneof(fc.record({ keys: texts }), fc.record({ keys: texts, labels: texts }))
  return fc.record({
    length: fc.constant(length),
    dates: texts,
    dimensions: fc.array(dimension, { maxLength: 3 }),
    metrics: fc.array(numbers, { maxLength: 3 }),
  })
})

const written = (pages: Page[]) => Buffer.concat(pages.map(pageWriter()))
const pagesIn = (bytes: Uint8Array) => pageReader()(bytes)

describe('pages as bytes', () => {
  it('are restored as they were, to the last bit of each number', () => {
    fc.assert(
      fc.property(fc.array(anyPage, { maxLength: 4 }), pages => {
        const back = [...pagesIn(written(pages.map(pageFrom)))].map(plainPage)
        expect(back).toEqual(pages)
        const bits = (of: PlainPage[]) =>
          of.flatMap(({ metrics }) => metrics.map(({ buffer }) => Buffer.from(buffer)))
        expect(bits(back)).toEqual(bits(pages))
      }),
      {
        examples: [
          [[]],
          [[{ length: 2, dates: ['a', 'b'], dimensions: [], metrics: [Float64Array.of(NaN, -0)] }]],
        ],
      },
    )
  })

  it('leave out what a connector has behind the rows of its buffers', () => {
    const page = pageFrom({
      length: 1,
      dates: ['a', 'old'],
      dimensions: [],
      metrics: [Float64Array.of(1, 2)],
    })
    expect([...pagesIn(written([page]))].map(plainPage)).toEqual([
      { length: 1, dates: ['a'], dimensions: [], metrics: [Float64Array.of(1)] },
    ])
  })

  it('have the values of their own rows alone, however many pages share the list of them', () => {
    const codes = Int32Array.of(2, 0, 2)
    const page = { length: 3, dates: { codes, values: ['a', 'b', 'c', 'd'] }, dimensions: [], metrics: [] }
    expect([...pagesIn(written([page]))].map(({ dates }) => dates)).toEqual([
      { codes: Int32Array.of(0, 1, 0), values: ['c', 'a'] },
    ])
  })

  it('have each text once, however many pages name it', () => {
    const page = (name: string) =>
      pageFrom({ length: 2, dates: ['2026-11-01', name], dimensions: [{ keys: [name, 'all'] }], metrics: [] })
    const pages = ['one', 'two', 'one'].map(page)
    const bytes = written(pages)
    expect(
      ['2026-11-01', '"two"', '"all"'].map(text => bytes.toString('latin1').split(text).length - 1),
    ).toEqual([1, 2, 1])
    expect([...pagesIn(bytes)].map(plainPage)).toEqual(pages.map(plainPage))
  })

  it('are recorded with the notes of the response, however many there are', async () => {
    const recording = startRecording()
    const note: RunNote = { code: 'sampled', detail: { percent: 12 } }
    recording.note(note)
    const pages = Array.from({ length: 300 }, (_, at): PlainPage => ({
      length: 100,
      dates: Array<string>(100).fill('2026-11-01'),
      dimensions: [{ keys: Array.from({ length: 100 }, (__, row) => `${at} ${row}`) }],
      metrics: [Float64Array.from({ length: 100 }, (__, row) => at / (row + 1))],
    }))
    for (const page of pages) expect(await recording.add(pageFrom(page))).toBe(true)
    const notes: RunNote[] = []
    const recorded = await recording.finish()
    const replayed = await Array.fromAsync(replay(recorded, each => void notes.push(each)))
    expect(replayed.map(plainPage)).toEqual(pages)
    expect(notes).toEqual([note])
  })
})
