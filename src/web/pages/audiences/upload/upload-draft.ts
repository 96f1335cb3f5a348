import { AUDIENCE_ROWS, type UploadAction } from '#shared/audiences.ts'
import type { HashCounts } from '#shared/api/audiences.ts'
import type { ColumnRoles, Preview, Role } from '#web/pages/audiences/hashing/file-format.ts'
import type { HashingFailure } from '#web/pages/audiences/hashing/messages.ts'
import type { FileReading } from '#web/pages/audiences/hashing/passes.ts'

export const steps = ['file', 'columns', 'hash', 'basis', 'accounts', 'send'] as const
export type Step = (typeof steps)[number]

/** What has been chosen so far. */
export interface UploadDraft {
  step: Step
  file: File | null
  preview: Preview | null
  columns: ColumnRoles
  has_headings: boolean
  /** Of phone numbers without a code. */
  country: string
  /** Rows that have been read so far. */
  read: number
  counted: { rows: number; counts: HashCounts } | null
  failure: HashingFailure | null
  action: UploadAction
  basis: string
  isConfirmed: boolean
  accounts: readonly number[]
}

export const EMPTY_UPLOAD: UploadDraft = {
  step: 'file',
  file: null,
  preview: null,
  columns: [],
  has_headings: false,
  country: 'TW',
  read: 0,
  counted: null,
  failure: null,
  action: 'add',
  basis: '',
  isConfirmed: false,
  accounts: [],
}

/** What a file looks like; what was worked out of another one no longer holds. */
export const withPreview = (draft: UploadDraft, preview: Preview): UploadDraft => ({
  ...draft,
  preview,
  columns: preview.columns,
  has_headings: preview.has_headings,
  counted: null,
  failure: null,
})

/** A role is one column's: it leaves the one that had it. */
export function withRole(columns: ColumnRoles, at: number, role: Role | null): ColumnRoles {
  return columns.map((other, index) => (index === at ? role : other === role ? null : other))
}

export const readingOf = ({
  file,
  preview,
  has_headings,
  columns,
  country,
}: UploadDraft): FileReading | null =>
  file && preview && { file, format: preview.format, has_headings, columns, country }

export const hasIdentifier = (columns: ColumnRoles) => columns.includes('email') || columns.includes('phone')

/** Whether the step after this one may be gone to. */
export function isWhole({
  step,
  preview,
  columns,
  counted,
  failure,
  basis,
  isConfirmed,
}: UploadDraft): boolean {
  if (failure !== null) return false
  if (step === 'file') return preview !== null && preview.rows.length > 0
  if (step === 'columns') return hasIdentifier(columns)
  if (step === 'hash') return counted !== null && whyNotSend(counted.counts) === null
  if (step === 'basis') return basis.trim() !== '' && isConfirmed
  return true
}

/** Why what was counted cannot be sent; null: it can. */
export function whyNotSend({ valid }: HashCounts): 'nobody' | 'too_large' | null {
  if (valid === 0) return 'nobody'
  return valid > AUDIENCE_ROWS ? 'too_large' : null
}
