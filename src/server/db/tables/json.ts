import type { ColumnType } from 'kysely'

/** JSON that is read back as T; written as text, since pg would turn an array into a Postgres array. */
export type Json<T> = ColumnType<T, string, string>
export type GeneratedJson<T> = ColumnType<T, string | undefined, string>
export type NullableJson<T> = ColumnType<T | null, string | null | undefined, string | null>
