import { z } from 'zod'
import { badBody, forbidden, insufficientPermissions, permissionNotFound } from './errors.ts'
import type { DriveAsk } from './drive-api.ts'
import { viewPermission } from './file.ts'
import { openFile } from './files.ts'
import { isEditor, permissionIdOf, roleOf } from '#sandbox/sheets/access.ts'
import type { Book, Permission } from '#sandbox/sheets/book.ts'

const Role = z.enum(['owner', 'writer', 'commenter', 'reader'])

const NewPermission = z.strictObject({
  type: z.enum(['user', 'group', 'anyone']),
  role: Role,
  emailAddress: z.string().optional(),
  allowFileDiscovery: z.boolean().optional(),
})
const ChangedPermission = z.strictObject({ role: Role, expirationTime: z.string().optional() })

export function listPermissions(ask: DriveAsk) {
  const book = shareable(ask)
  return { kind: 'drive#permissionList', permissions: book.permissions.map(viewPermission) }
}

export const getPermission = (ask: DriveAsk) =>
  viewPermission(permissionOf(shareable(ask), ask.params[1] ?? ''))

/** Share with somebody. Sharing again with the same person changes the role. */
export function createPermission(ask: DriveAsk) {
  const book = shareable(ask)
  const { type, role, emailAddress } = ask.body(NewPermission)
  const email = type === 'anyone' ? null : (emailAddress ?? '').trim().toLowerCase()
  if (email !== null && !/^[^@\s]+@[^@\s]+$/.test(email)) {
    throw badBody('The specified emailAddress is invalid or not applicable for the given permission type.')
  }
  const id = email === null ? 'anyoneWithLink' : permissionIdOf(email)
  const known = book.permissions.find(each => each.id === id)
  const permission: Permission = known ?? { id, type, role: 'reader', email }
  if (known?.role === 'owner' && role !== 'owner') return viewPermission(known)
  if (type === 'anyone' && role === 'owner') throw badBody('Sharing with anyone as owner is not possible.')
  ask.change(book, ['permissions.create'], () => {
    if (!known) book.permissions.push(permission)
    setRole(ask, book, permission, role)
  })
  return viewPermission(permission)
}

export function updatePermission(ask: DriveAsk) {
  const book = shareable(ask)
  const permission = permissionOf(book, ask.params[1] ?? '')
  const { role } = ask.body(ChangedPermission)
  if (permission.role === 'owner' && role !== 'owner') throw insufficientPermissions()
  ask.change(book, ['permissions.update'], () => setRole(ask, book, permission, role))
  return viewPermission(permission)
}

/** Take a share back. Everybody may give up their own. */
export function deletePermission(ask: DriveAsk) {
  const book = openFile(ask, ask.params[0] ?? '')
  const permission = permissionOf(book, ask.params[1] ?? '')
  if (!isEditor(book, ask.caller.email) && permission.email !== ask.caller.email)
    throw insufficientPermissions()
  if (permission.role === 'owner') throw forbidden('The owner of a file cannot be removed.')
  ask.change(book, ['permissions.delete'], () => {
    book.permissions = book.permissions.filter(each => each !== permission)
  })
  return null
}

function shareable(ask: DriveAsk): Book {
  const book = openFile(ask, ask.params[0] ?? '')
  if (!isEditor(book, ask.caller.email)) throw insufficientPermissions()
  return book
}

function permissionOf(book: Book, id: string): Permission {
  const permission = book.permissions.find(each => each.id === id)
  if (!permission) throw permissionNotFound(id)
  return permission
}

/** Ownership moves only when that is asked for by name, and only by the owner. */
function setRole({ query, caller }: DriveAsk, book: Book, permission: Permission, role: Permission['role']) {
  if (role === 'owner' && permission.role !== 'owner') {
    if (query.get('transferOwnership') !== 'true') {
      throw forbidden("The transferOwnership parameter must be enabled when the permission role is 'owner'.")
    }
    if (roleOf(book, caller.email) !== 'owner') throw insufficientPermissions()
    for (const each of book.permissions) if (each.role === 'owner') each.role = 'writer'
  }
  permission.role = role
}
