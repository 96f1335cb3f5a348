import { mkdirSync } from 'node:fs'
import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import type { Book } from './book.ts'
import { openCells } from './cells.ts'
import type { Cells } from './cells.ts'

export type Store = ReturnType<typeof openStore>

/** Spreadsheets, tokens and keys in one SQLite file of the folder. Every write is one durable transaction. */
export function openStore(dir: string) {
  mkdirSync(dir, { recursive: true })
  const path = join(dir, 'sheets.sqlite')
  const db = new DatabaseSync(path)
  db.exec(`
    pragma page_size = 32768;
    pragma journal_mode = wal;
    pragma synchronous = full;
    pragma cache_size = -65536;
    pragma journal_size_limit = 67108864;
    create table if not exists book (id text primary key, document text not null);
    create table if not exists tile (id integer primary key, formulas integer not null, data blob not null);
    create table if not exists counter (name text primary key, value integer not null);
    create table if not exists token (token text primary key, email text not null, scope text not null, expires_at integer not null);
    create table if not exists key_pair (email text primary key, id text not null, private_key text not null, public_key text not null);
  `)
  const statements = {
    getBook: db.prepare('select document from book where id = ?'),
    putBook: db.prepare(
      'insert into book (id, document) values (?, ?) on conflict (id) do update set document = excluded.document',
    ),
    listBooks: db.prepare('select document from book order by rowid'),
    next: db.prepare(
      'insert into counter (name, value) values (?, 1) on conflict (name) do update set value = value + 1 returning value',
    ),
  }
  const getBook = (id: string): Book | null => {
    const row = statements.getBook.get(id)
    return row ? parseBook(String(row['document'])) : null
  }
  const putBook = (book: Book) => void statements.putBook.run(book.id, JSON.stringify(book))

  /** Run `work` in one transaction; whatever it throws undoes all of it. */
  function transaction<T>(work: (cells: Cells) => T): T {
    const cells = openCells(db)
    db.exec('begin immediate')
    try {
      const result = work(cells)
      cells.flush()
      db.exec('commit')
      return result
    } catch (error) {
      db.exec('rollback')
      throw error
    }
  }

  return {
    db,
    getBook,
    putBook,
    listBooks: () => statements.listBooks.all().map(row => parseBook(String(row['document']))),
    transaction,
    /** Cells for reading. */
    cells: () => openCells(db),
    /** The next number of a series that never repeats, across restarts too. */
    next: (name: string) => Number(statements.next.get(name)?.['value']),
    /** One spreadsheet as it is now, whatever is written until `close`. */
    snapshot(id: string) {
      const own = new DatabaseSync(path, { readOnly: true })
      own.exec('begin')
      const row = own.prepare('select document from book where id = ?').get(id)
      return {
        book: row ? parseBook(String(row['document'])) : null,
        cells: openCells(own),
        close: () => own.close(),
      }
    },
    /** Delete a spreadsheet with its cells. */
    removeBook(book: Book) {
      transaction(cells => {
        for (const sheet of book.sheets) cells.drop(sheet.key)
        db.prepare('delete from book where id = ?').run(book.id)
      })
    },
    /** Forget every spreadsheet. */
    clear: () => transaction(() => db.exec('delete from tile; delete from book')),
    close: () => db.close(),
  }
}

/** Open sides of rectangles are Infinity, which JSON writes as null. */
function parseBook(document: string): Book {
  return JSON.parse(document, (name, value) =>
    (name === 'r1' || name === 'c1') && value === null ? Infinity : value,
  )
}
