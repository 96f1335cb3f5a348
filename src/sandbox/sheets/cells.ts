import type { DatabaseSync } from 'node:sqlite'
import type { Rect } from './rect.ts'
import { hasFormulas, isBlank, newTile, TILE_COLUMNS, TILE_ROWS } from './tile.ts'
import type { Tile } from './tile.ts'
import { decodeTile, encodeTile } from './tile-bytes.ts'

/** Tiles held in memory at once: with half a megabyte each, a 10-million-cell copy stays near 50 MB. */
const HELD = 96
const ROW_BLOCKS = 2 ** 14
const COLUMN_BLOCKS = 2 ** 10

/** The cells of all sheets, by the key of the sheet; a small cache writes back to the database. */
export interface Cells {
  /** A tile for reading; null when all its cells are blank. */
  read(key: number, rowBlock: number, columnBlock: number): Tile | null
  /** A tile for changing; it is written at the latest by flush(). */
  edit(key: number, rowBlock: number, columnBlock: number): Tile
  /** Positions of the tiles that exist inside the rectangle, top to bottom. */
  within(key: number, rect: Rect, onlyFormulas?: boolean): TilePosition[]
  /** Forget a sheet. */
  drop(key: number): void
  /** Give a sheet's tiles to another key. */
  copyAll(from: number, to: number): void
  flush(): void
}

export interface TilePosition {
  row_block: number
  column_block: number
}

interface Held {
  tile: Tile | null
  dirty: boolean
}

export function openCells(db: DatabaseSync): Cells {
  const get = db.prepare('select data from tile where id = ?')
  const put = db.prepare('insert or replace into tile (id, formulas, data) values (?, ?, ?)')
  const remove = db.prepare('delete from tile where id = ?')
  const range = db.prepare('select id from tile where id between ? and ? and formulas >= ? order by id')
  const held = new Map<number, Held>()

  function hold(id: number): Held {
    const known = held.get(id)
    if (known) {
      held.delete(id)
      held.set(id, known)
      return known
    }
    const data = get.get(id)?.['data']
    const fresh = { tile: data instanceof Uint8Array ? decodeTile(data) : null, dirty: false }
    held.set(id, fresh)
    if (held.size > HELD) letGo()
    return fresh
  }

  function letGo() {
    for (const [id, entry] of held) {
      save(id, entry)
      held.delete(id)
      if (held.size <= HELD / 2) return
    }
  }

  function save(id: number, entry: Held) {
    if (!entry.dirty || !entry.tile) return
    entry.dirty = false
    if (isBlank(entry.tile)) remove.run(id)
    else put.run(id, hasFormulas(entry.tile) ? 1 : 0, encodeTile(entry.tile))
  }

  const flush = () => held.forEach((entry, id) => save(id, entry))

  return {
    read: (key, rowBlock, columnBlock) => hold(idOf(key, rowBlock, columnBlock)).tile,
    edit(key, rowBlock, columnBlock) {
      const entry = hold(idOf(key, rowBlock, columnBlock))
      entry.tile ??= newTile()
      entry.dirty = true
      return entry.tile
    },
    within(key, rect, onlyFormulas = false) {
      flush()
      const first = idOf(key, Math.floor(rect.r0 / TILE_ROWS), 0)
      const lastBlock = Math.min(Math.floor((rect.r1 - 1) / TILE_ROWS), ROW_BLOCKS - 1)
      const left = Math.floor(rect.c0 / TILE_COLUMNS)
      const right = Math.floor((rect.c1 - 1) / TILE_COLUMNS)
      return range
        .all(first, idOf(key, lastBlock, COLUMN_BLOCKS - 1), onlyFormulas ? 1 : 0)
        .map(row => positionOfId(Number(row['id'])))
        .filter(({ column_block }) => column_block >= left && column_block <= right)
    },
    drop(key) {
      const [first, last] = [idOf(key, 0, 0), idOf(key + 1, 0, 0) - 1]
      for (const id of held.keys()) if (id >= first && id <= last) held.delete(id)
      db.prepare('delete from tile where id between ? and ?').run(first, last)
    },
    copyAll(from, to) {
      flush()
      db.prepare(
        'insert into tile (id, formulas, data) select id + ?, formulas, data from tile where id between ? and ?',
      ).run(idOf(to, 0, 0) - idOf(from, 0, 0), idOf(from, 0, 0), idOf(from + 1, 0, 0) - 1)
    },
    flush,
  }
}

const idOf = (key: number, rowBlock: number, columnBlock: number) =>
  (key * ROW_BLOCKS + rowBlock) * COLUMN_BLOCKS + columnBlock

const positionOfId = (id: number): TilePosition => ({
  row_block: Math.floor(id / COLUMN_BLOCKS) % ROW_BLOCKS,
  column_block: id % COLUMN_BLOCKS,
})

/** The part of a rectangle that lies in one tile: rows and columns of the sheet. */
export function inTile({ row_block, column_block }: TilePosition, rect: Rect): Rect {
  return {
    r0: Math.max(rect.r0, row_block * TILE_ROWS),
    r1: Math.min(rect.r1, (row_block + 1) * TILE_ROWS),
    c0: Math.max(rect.c0, column_block * TILE_COLUMNS),
    c1: Math.min(rect.c1, (column_block + 1) * TILE_COLUMNS),
  }
}

/** All tile positions that a bounded rectangle touches, stored or not, top to bottom. */
export function* tilesOf(rect: Rect): Generator<TilePosition> {
  for (let row_block = Math.floor(rect.r0 / TILE_ROWS); row_block * TILE_ROWS < rect.r1; row_block++) {
    for (
      let column_block = Math.floor(rect.c0 / TILE_COLUMNS);
      column_block * TILE_COLUMNS < rect.c1;
      column_block++
    ) {
      yield { row_block, column_block }
    }
  }
}
