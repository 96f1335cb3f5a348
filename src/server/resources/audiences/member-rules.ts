import { BATCH_HASHES, HASH_OF_NOTHING, isHash } from '#shared/audiences.ts'
import { refuse } from '#server/http/refusal.ts'
import { identifyingIn } from './member-keys.ts'

/** The rows that say who is meant: a name or a birthday is many people's. */
export function identifiedRows(columns: readonly string[], rows: readonly string[][]): string[][] {
  const identifying = identifyingIn(columns)
  return rows.filter(row => identifying.some(at => row[at] !== ''))
}

/** A value that is no hash is repeated nowhere: neither in the response nor in the log. */
export function refuseFaultyRows({
  columns,
  rows,
}: {
  columns: readonly string[]
  rows: readonly (readonly string[])[]
}): void {
  if (new Set(columns).size < columns.length)
    throw refuse('invalid', { fields: { columns: ['field_invalid'] } })
  if (identifyingIn(columns).length === 0) throw refuse('audience_empty')
  if (rows.some(row => row.length !== columns.length))
    throw refuse('invalid', { fields: { rows: ['field_invalid'] } })
  let hashes = 0
  for (const row of rows)
    for (const value of row) {
      if (value === '') continue
      if (!isHash(value) || value === HASH_OF_NOTHING) throw refuse('clear_text')
      hashes += 1
    }
  if (hashes > BATCH_HASHES) throw refuse('invalid', { fields: { rows: ['field_too_many'] } })
}
