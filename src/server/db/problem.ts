/** Why the database cannot be used; `message` tells the operator what is wrong and what to do. */
export type DatabaseProblemCode =
  | 'folder_in_use'
  | 'folder_unreachable'
  | 'folder_unwritable'
  | 'folder_damaged'
  | 'other_version'
  | 'no_system_user'
  | 'unreachable'
  | 'too_old'
  | 'not_ours'
  | 'half_migrated'
  | 'newer'
  | 'altered'
  | 'damaged'
  | 'migration_failed'
  | 'backup_unreadable'
  | 'not_empty'
  | 'busy'

/**
 * Refusals of the database layer. They are thrown, not returned, because nothing above can go on without a
 * database.
 */
export class DatabaseProblem extends Error {
  override readonly name = 'DatabaseProblem'
  readonly code: DatabaseProblemCode

  constructor(code: DatabaseProblemCode, message: string, options?: ErrorOptions) {
    super(message, options)
    this.code = code
  }
}

/**
 * The code of a failed system call (ENOENT, EACCES, …) or the SQLSTATE of a failed statement; undefined for
 * others.
 */
export function codeOf(error: unknown): string | undefined {
  if (!(error instanceof Error) || !('code' in error)) return undefined
  return typeof error.code === 'string' ? error.code : undefined
}

export const textOf = (error: unknown) =>
  error instanceof AggregateError && error.message === ''
    ? error.errors.map(String).join('; ')
    : error instanceof Error
      ? error.message
      : String(error)

/**
 * Refused or lost connections, a server that starts or stops, one that is full or takes no writes (a full
 * disk, a standby that has not taken over yet), and a pool that gave no connection in time: temporary.
 */
export function isDatabaseAway(error: unknown): boolean {
  const code = codeOf(error) ?? ''
  if (/^(08|57P0[1-5]|53[0-3]|25006|25P0[34]|3D000)/.test(code)) return true
  if (['ECONNREFUSED', 'ECONNRESET', 'EPIPE', 'ENOENT', 'ETIMEDOUT'].includes(code)) return true
  return error instanceof Error && AWAY.test(error.message)
}

// What pg reports without a code, and Postgres with one that has other meanings too.
const AWAY =
  /connection (terminated|ended)|not queryable|timeout exceeded when trying to connect|not currently accepting connections/i
