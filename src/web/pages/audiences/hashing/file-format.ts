// What page and thread say about a file; without what reads it, which only the thread loads.

/** How the bytes of a file are to be read. */
export interface FileFormat {
  encoding: Encoding
  delimiter: Delimiter
}

export const encodings = ['utf-8', 'big5', 'shift_jis'] as const
export type Encoding = (typeof encodings)[number]
export const delimiters = [',', '\t', ';', '|'] as const
export type Delimiter = (typeof delimiters)[number]

/** What a column of a file can be. */
export const roles = [
  'email',
  'phone',
  'first_name',
  'last_name',
  'birthday',
  'birth_year',
  'birth_month',
  'birth_day',
  'gender',
  'postal_code',
  'country',
  'consent',
] as const
export type Role = (typeof roles)[number]

/** What each column of the file is; null: it is not used. */
export type ColumnRoles = readonly (Role | null)[]

export const PREVIEW_ROWS = 20

/** What is shown of a file before anything is done with it. */
export interface Preview {
  format: FileFormat
  has_headings: boolean
  columns: (Role | null)[]
  /** The first of it, its headings too; they stay on this computer. */
  rows: string[][]
}
