import * as fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { getCell, getFormat, newTile, setCell, setExtra, setFormat, TILE_CELLS } from './tile.ts'
import type { Cell } from './tile.ts'
import { decodeTile, encodeTile } from './tile-bytes.ts'

const anyCell: fc.Arbitrary<Cell> = fc.oneof(
  fc.constant(null),
  fc.double({ noNaN: true, noDefaultInfinity: true }),
  fc.string({ unit: 'binary' }),
  fc.constant('half \ud800 pair'),
  fc.boolean(),
  fc.record({ formula: fc.string().map(text => `=${text}`) }),
)
const change = fc.record({
  position: fc.nat(TILE_CELLS - 1),
  cell: anyCell,
  format: fc.nat(65_535),
  note: fc.option(fc.string(), { nil: undefined }),
})

describe('a tile', () => {
  it('comes back from its bytes as it was, whatever was put where and how often', () => {
    fc.assert(
      fc.property(fc.array(change, { maxLength: 60 }), changes => {
        const tile = newTile()
        for (const { position, cell, format, note } of changes) {
          setCell(tile, position, cell)
          setFormat(tile, position, format)
          setExtra(tile, position, note === undefined ? undefined : { note })
        }
        const back = decodeTile(encodeTile(tile))
        for (const { position } of changes) {
          expect(getCell(back, position)).toEqual(getCell(tile, position))
          expect(getFormat(back, position)).toBe(getFormat(tile, position))
          expect(back.extras.get(position)).toEqual(tile.extras.get(position))
        }
        expect(back.kinds).toEqual(tile.kinds)
      }),
    )
  })
})
