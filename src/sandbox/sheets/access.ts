import { createHash } from 'node:crypto'
import type { Book, Protection, Role, Sheet } from './book.ts'
import { protectedCell } from './errors.ts'
import { intersect, isWhole, subtract } from './rect.ts'
import type { Rect } from './rect.ts'

const STRENGTH: Record<Role, number> = { reader: 1, commenter: 2, writer: 3, owner: 4 }

/** The strongest role that a person has on a file; null when it is not shared with them. */
export function roleOf({ permissions }: Book, email: string): Role | null {
  let best: Role | null = null
  for (const { type, role, email: whose } of permissions) {
    if (type === 'anyone' || whose === email) best = !best || STRENGTH[role] > STRENGTH[best] ? role : best
  }
  return best
}

/** Whether a file is listed for a person: shared with them by name, not only by link. */
export const isListed = ({ permissions }: Book, email: string) =>
  permissions.some(each => each.email === email)

export const mayRead = (book: Book, email: string) => roleOf(book, email) !== null

export const isEditor = (book: Book, email: string) => ['writer', 'owner'].includes(roleOf(book, email) ?? '')

export const isLocked = (book: Book) => book.content_restrictions.some(({ read_only }) => read_only)

export const mayWrite = (book: Book, email: string) => isEditor(book, email) && !isLocked(book)

export const mayEditProtected = (book: Book, protection: Protection, email: string) =>
  protection.warning_only
    ? isEditor(book, email)
    : roleOf(book, email) === 'owner' || (isEditor(book, email) && protection.editors.includes(email))

/** Refuse a change of these cells when a protection of the tab forbids it. */
export function refuseProtected(work: { book: Book; email: string }, sheet: Sheet, rect: Rect) {
  for (const protection of sheet.protections) {
    if (protection.warning_only || mayEditProtected(work.book, protection, work.email)) continue
    const touched = intersect(protection.rect, rect)
    if (!touched) continue
    const left = protection.unprotected.reduce(
      (pieces, hole) => pieces.flatMap(each => subtract(each, hole)),
      [touched],
    )
    if (left.length > 0) throw protectedCell()
  }
}

/** Refuse a change of the tab itself (size, title, existence) when the whole of it is protected. */
export function refuseProtectedTab(work: { book: Book; email: string }, sheet: Sheet) {
  const stands = sheet.protections.some(
    each => !each.warning_only && isWhole(each.rect) && !mayEditProtected(work.book, each, work.email),
  )
  if (stands) throw protectedCell()
}

/** The number that a person has as a permission: the same on every file, as at Google. */
export const permissionIdOf = (email: string) =>
  BigInt(`0x${createHash('sha256').update(email).digest('hex').slice(0, 16)}`)
    .toString()
    .padStart(20, '0')
