import type { Generated } from 'kysely'

/** A row with a version, and the person who has made it. */
export interface Made {
  id: Generated<number>
  created_by: Generated<number | null>
  version: Generated<number>
  created_at: Generated<Date>
  last_modified_at: Generated<Date>
}
