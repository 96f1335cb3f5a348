import { describe, expect, it } from 'vitest'
import { readAll, rowsOf, type Rows } from './list-pages.ts'

describe('a page of a list', () => {
  it('is counted from 1', () => {
    expect(rowsOf(1, 10)).toEqual({ limit: 10, offset: 0 })
    expect(rowsOf(3, 20)).toEqual({ limit: 20, offset: 40 })
  })
})

describe('every row of a list', () => {
  const listOf = (count: number) => {
    const rows = Array.from({ length: count }, (_, index) => index)
    const requested: number[] = []
    const ask = async ({ limit, offset }: Rows) => {
      requested.push(offset)
      const next = offset + limit < count ? 'next' : null
      return { results: rows.slice(offset, offset + limit), next }
    }
    return { rows, requested, ask }
  }

  it('is read page by page until there is no next one', async () => {
    const { rows, requested, ask } = listOf(250)
    expect(await readAll(ask)).toEqual(rows)
    expect(requested).toEqual([0, 100, 200])
  })

  it('is read no further than so many', async () => {
    const { rows, requested, ask } = listOf(1000)
    expect(await readAll(ask, 200)).toEqual(rows.slice(0, 200))
    expect(requested).toEqual([0, 100])
  })

  it('is nothing where the list is empty', async () => {
    const { requested, ask } = listOf(0)
    expect(await readAll(ask)).toEqual([])
    expect(requested).toEqual([0])
  })
})
