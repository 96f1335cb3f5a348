import { describe, expect, it } from 'vitest'
import { moved } from './grid-keys.ts'

const tab = { rows: 100, columns: 10, page: 20 }
const press = (key: string, ctrlKey = false) =>
  moved({ row: 50, column: 5 }, { key, ctrlKey, metaKey: false }, tab)

describe('keys in the grid', () => {
  it.each([
    ['ArrowUp', { row: 49, column: 5 }],
    ['ArrowRight', { row: 50, column: 6 }],
    ['PageDown', { row: 70, column: 5 }],
    ['Home', { row: 50, column: 0 }],
    ['a', null],
  ])('%s moves', (key, to) => {
    expect(press(key)).toEqual(to)
  })

  it('go to the edges with Ctrl', () => {
    expect(press('ArrowDown', true)).toEqual({ row: 99, column: 5 })
    expect(press('End', true)).toEqual({ row: 99, column: 9 })
  })

  it('stop at the edges', () => {
    expect(moved({ row: 0, column: 0 }, { key: 'ArrowUp', ctrlKey: false, metaKey: false }, tab)).toEqual({
      row: 0,
      column: 0,
    })
    expect(moved({ row: 95, column: 9 }, { key: 'PageDown', ctrlKey: false, metaKey: false }, tab)).toEqual({
      row: 99,
      column: 9,
    })
  })
})
