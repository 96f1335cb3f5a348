import type { ErrorCode } from '#shared/errors.ts'
import type { Db } from '#server/db/connect.ts'
import { listAdvertiserNames } from './queries.ts'
import { whyNotPassword } from './rules.ts'

interface Person {
  username: string
  full_name: string
  email: string | null
}

/** Why this person may not have this password, by the words that the agency's people would choose first. */
export async function whyNotNewPassword(
  db: Db,
  password: string,
  { username, full_name, email }: Person,
): Promise<ErrorCode | null> {
  // Loaded on demand: most processes need none of it on most days.
  const { commonPasswords } = await import('./common-passwords.ts')
  const [mailbox = ''] = (email ?? '').split('@')
  const own = [username, mailbox, full_name, ...full_name.split(/\s+/)]
  const names = [...own, ...(await listAdvertiserNames(db))]
  return whyNotPassword(password, { common: commonPasswords, names })
}
