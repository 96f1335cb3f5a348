import { isMakerOrManager, type Person } from '#shared/access.ts'

interface MadeRow {
  created_by: number | null
  created_at: Date
  last_modified_at: Date
}

/** A row as its reader gets it: with its times as text, and whether they may delete it. */
export function presentMade<Row extends MadeRow>(row: Row, reader: Person) {
  return {
    ...row,
    may_delete: isMakerOrManager(reader, row),
    created_at: row.created_at.toISOString(),
    last_modified_at: row.last_modified_at.toISOString(),
  }
}
