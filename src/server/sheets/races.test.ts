import * as fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import {
  CASES,
  contentOf,
  expectWritten,
  isWhole,
  PATHS,
  valuesOf,
  tableFor,
  trial,
  undisturbed,
  untilWritten,
  type Path,
} from './testing/faults.ts'
import { freely, OWNER } from './testing/sandbox.ts'
import { testService } from './testing/service.ts'
import { writeTable } from './write.ts'

const service = await testService()

const paths: Path[] = ['one request', 'staging tab', 'no room for staging']

describe('a late request', () => {
  it('never changes the final content of the tab, whichever it is and whenever it is applied', async () => {
    await fc.assert(
      fc.asyncProperty(
        fc.constantFrom(...CASES),
        fc.nat(9),
        fc.nat(60),
        fc.constantFrom(1, 4),
        async ({ path, shape }, request, delay_ms, tries) => {
          const { requests, document } = await undisturbed(service, path, shape)
          const trialled = await trial(service, shape)
          service.arm(request % requests, { action: 'land_late', delay_ms })
          await untilWritten(trialled, freely(service.client(), { limits: { ...PATHS[path], tries } }), {
            between: async () =>
              expect(isWhole(await contentOf(service, trialled.id), { path, shape })).toBe(true),
          })
          await service.settled()
          await expectWritten(service, trialled, { shape, document, late: true })
        },
      ),
      { numRuns: process.env.LONG ? 500 : 25 },
    )
  })

  it.each(['one request', 'staging tab'] as const)(
    'is refused even after the next run, by way of %s',
    async path => {
      const trialled = await trial(service, 'a smaller table')
      const { requests } = await undisturbed(service, path, 'a smaller table')
      const effects = freely(service.client(), { limits: { ...PATHS[path], tries: 1 } })
      service.arm(requests - 1, { action: 'land_late', delay_ms: 400 })
      expect(await untilWritten(trialled, effects)).toMatchObject([{ ambiguous: true }])
      await writeTable({ ...trialled.job, run_id: 'next', table: tableFor(6, 4, 'next') }, effects)
      const after_next = await valuesOf(service, trialled.id)
      await service.settled()
      expect(await valuesOf(service, trialled.id)).toEqual(after_next)
      expect(after_next[1]?.[1]).toBe('=next0')
    },
  )
})

describe('concurrent changes to the tab', () => {
  const edit = (request: number, ...requests: object[]) => service.arm(request, { action: 'edit', requests })

  it.each(paths)('may delete rows: the table is whole all the same, by way of %s', async path => {
    const { requests } = await undisturbed(service, path, 'a larger table')
    // Without a staging tab the table is there before the last request, which sets formats: rows deleted then
    // are the user's choice.
    const last = path === 'no room for staging' ? requests - 1 : requests
    for (let request = 1; request < last; request++) {
      const trialled = await trial(service, 'a larger table')
      const range = { sheetId: 0, dimension: 'ROWS', startIndex: 14, endIndex: 17 }
      edit(request, { deleteDimension: { range } })
      await untilWritten(trialled, freely(service.client(), { limits: PATHS[path] }))
      expect(service.isArmed()).toBe(false)
      const values = await valuesOf(service, trialled.id)
      expect(values.slice(1).map(row => row[1])).toEqual(Array.from({ length: 20 }, (_, row) => `=new${row}`))
    }
  })

  it.each(paths)('may delete, rename or protect it, by way of %s', async path => {
    const refusedAfter = async (...changes: object[]) => {
      const trialled = await trial(service, 'a smaller table')
      await service.owner.batch(trialled.id, { addSheet: { properties: { sheetId: 9, title: 'Other' } } })
      edit(1, ...changes)
      // The second tab has 26,000 cells.
      const limits = path === 'no room for staging' ? { ...PATHS[path], cells: 26_126 } : PATHS[path]
      return writeTable(trialled.job, freely(service.client(), { limits })).then(
        () => trialled.id,
        (error: unknown) => error,
      )
    }
    expect(await refusedAfter({ deleteSheet: { sheetId: 0 } })).toMatchObject({ code: 'sheet_name_mismatch' })
    const protectedRange = { range: { sheetId: 0 }, editors: { users: [OWNER] } }
    expect(await refusedAfter({ addProtectedRange: { protectedRange } })).toMatchObject({
      code: 'protected_range',
      detail: { range: 'A1:F18' },
    })
    const range = { sheetId: 0, startRowIndex: 1, endRowIndex: 3, startColumnIndex: 0, endColumnIndex: 1 }
    expect(
      await refusedAfter(
        { addNamedRange: { namedRange: { namedRangeId: 'mine', name: 'Mine', range } } },
        { addProtectedRange: { protectedRange: { namedRangeId: 'mine', editors: { users: [OWNER] } } } },
      ),
    ).toMatchObject({ code: 'named_range', detail: { names: ['Mine'], range: 'A2:A3' } })
  })
})
