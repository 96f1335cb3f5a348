import { sql } from 'kysely'

/**
 * The displayed name of the row of `users` that has this alias: the full name, or else the user name. null
 * where a join found no row.
 */
export const personName = <Name extends string | null = string | null>(alias: string) =>
  sql<Name>`coalesce(nullif(${sql.ref(`${alias}.full_name`)}, ''), ${sql.ref(`${alias}.username`)})`
