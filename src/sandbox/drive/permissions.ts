import { z } from 'zod'
import { badBody, forbidden, insufficientPermissions, permissionNotFound } from './errors.ts'
import type { DriveCall } from './drive-api.ts'
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

export function listPermissions(call: DriveCall) {
  const book = shareable(call)
  return { kind: 'drive#permissionList', permissions: book.permissions.map(viewPermission) }
}

export const getPermission = (call: DriveCall) =>
  viewPermission(permissionOf(shareable(call), call.params[1] ?? ''))

/** Share with a person. Sharing again with the same person changes the role. */
export function createPermission(call: DriveCall) {
  const book = shareable(call)
  const { type, role, emailAddress } = call.body(NewPermission)
  const email = type === 'anyone' ? null : (emailAddress ?? '').trim().toLowerCase()
  if (email !== null && !/^[^@\s]+@[^@\s]+$/.test(email)) {
    throw badBody('The specified emailAddress is invalid or not applicable for the given permission type.')
  }
  const id = email === null ? 'anyoneWithLink' : permissionIdOf(email)
  const known = book.permissions.find(each => each.id === id)
  const permission: Permission = known ?? { id, type, role: 'reader', email }
  if (known?.role === 'owner' && role !== 'owner') return viewPermission(known)
  if (type === 'anyone' && role === 'owner') throw badBody('Sharing with anyone as owner is not possible.')
  call.change(book, ['permissions.create'], () => {
    if (!known) book.permissions.push(permission)
    setRole(call, book, { permission, role })
  })
  return viewPermission(permission)
}

export function updatePermission(call: DriveCall) {
  const book = shareable(call)
  const permission = permissionOf(book, call.params[1] ?? '')
  const { role } = call.body(ChangedPermission)
  if (permission.role === 'owner' && role !== 'owner') throw insufficientPermissions()
  call.change(book, ['permissions.update'], () => setRole(call, book, { permission, role }))
  return viewPermission(permission)
}

/** Remove a share. Every person may give up their own. */
export function deletePermission(call: DriveCall) {
  const book = openFile(call, call.params[0] ?? '')
  const permission = permissionOf(book, call.params[1] ?? '')
  if (!isEditor(book, call.caller.email) && permission.email !== call.caller.email)
    throw insufficientPermissions()
  if (permission.role === 'owner') throw forbidden('The owner of a file cannot be removed.')
  call.change(book, ['permissions.delete'], () => {
    book.permissions = book.permissions.filter(each => each !== permission)
  })
  return null
}

function shareable(call: DriveCall): Book {
  const book = openFile(call, call.params[0] ?? '')
  if (!isEditor(book, call.caller.email)) throw insufficientPermissions()
  return book
}

function permissionOf(book: Book, id: string): Permission {
  const permission = book.permissions.find(each => each.id === id)
  if (!permission) throw permissionNotFound(id)
  return permission
}

/** Ownership moves only when that is requested by name, and only by the owner. */
function setRole(
  { query, caller }: DriveCall,
  book: Book,
  { permission, role }: { permission: Permission; role: Permission['role'] },
) {
  if (role === 'owner' && permission.role !== 'owner') {
    if (query.get('transferOwnership') !== 'true') {
      throw forbidden("The transferOwnership parameter must be enabled when the permission role is 'owner'.")
    }
    if (roleOf(book, caller.email) !== 'owner') throw insufficientPermissions()
    for (const each of book.permissions) if (each.role === 'owner') each.role = 'writer'
  }
  permission.role = role
}
