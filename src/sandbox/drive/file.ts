import { isEditor, isListed, isLocked, roleOf } from '#sandbox/sheets/access.ts'
import type { Book, Permission } from '#sandbox/sheets/book.ts'

/**
 * Member → type of the messages that field masks name; every other member of a file exists but has no value
 * here.
 */
const MESSAGES: Record<string, string> = {
  File: `appProperties:* capabilities:* clientEncryptionDetails:* contentHints:* contentRestrictions:[]ContentRestriction
    copyRequiresWriterPermission createdTime description downloadRestrictions:* driveId explicitlyTrashed exportLinks:* fileExtension
    folderColorRgb fullFileExtension hasAugmentedPermissions hasThumbnail headRevisionId iconLink id imageMediaMetadata:*
    inheritedPermissionsDisabled isAppAuthorized kind labelInfo:* lastModifyingUser:User linkShareMetadata:* md5Checksum mimeType
    modifiedByMe modifiedByMeTime modifiedTime name originalFilename ownedByMe owners:[]User parents permissionIds
    permissions:[]Permission properties:* quotaBytesUsed resourceKey sha1Checksum sha256Checksum shared sharedWithMeTime
    sharingUser:User shortcutDetails:* size spaces starred teamDriveId thumbnailLink thumbnailVersion trashed trashedTime
    trashingUser:User version videoMediaMetadata:* viewedByMe viewedByMeTime viewersCanCopyContent webContentLink webViewLink
    writersCanShare`,
  Permission: `allowFileDiscovery deleted displayName domain emailAddress expirationTime id inheritedPermissionsDisabled kind
    pendingOwner permissionDetails:* photoLink role teamDrivePermissionDetails:* type view`,
  FileList: 'files:[]File incompleteSearch kind nextPageToken',
  PermissionList: 'kind nextPageToken permissions:[]Permission',
  About:
    'appInstalled canCreateDrives canCreateTeamDrives driveThemes:* exportFormats:* folderColorPalette importFormats:* kind maxImportSizes:* maxUploadSize storageQuota:* teamDriveThemes:* user:User',
  User: 'displayName emailAddress kind me permissionId photoLink',
  ContentRestriction:
    'ownerRestricted readOnly reason restrictingUser:User restrictionTime systemRestricted type',
}

/** Member → type of a Drive message; undefined for those that are not described. */
export function shapeOf(message: string): Map<string, string> | undefined {
  const line = MESSAGES[message]
  if (line === undefined) return undefined
  return new Map(
    line.split(/\s+/).map(entry => {
      const [name = '', type = 's'] = entry.split(':')
      return [name, type] as const
    }),
  )
}

/** A file as the caller sees it: its permissions are shown only to those who may share. */
export function viewFile(book: Book, email: string, origin: string) {
  const owner = book.permissions.find(each => each.role === 'owner')?.email ?? ''
  const mayShare = isEditor(book, email)
  return {
    kind: 'drive#file',
    id: book.id,
    name: book.title,
    mimeType: book.mime_type,
    starred: false,
    trashed: book.trashed,
    explicitlyTrashed: book.trashed,
    spaces: ['drive'],
    version: String(book.version),
    webViewLink: `${origin}/spreadsheets/d/${book.id}/edit`,
    createdTime: book.created_at,
    modifiedTime: book.modified_at,
    owners: [viewUser(owner, email)],
    ownedByMe: owner === email,
    lastModifyingUser: viewUser(book.modified_by, email),
    shared: book.permissions.length > 1,
    capabilities: capabilities(book, email),
    viewersCanCopyContent: true,
    copyRequiresWriterPermission: false,
    writersCanShare: true,
    ...(mayShare && {
      permissions: book.permissions.map(viewPermission),
      permissionIds: book.permissions.map(each => each.id),
    }),
    ...(book.content_restrictions.length > 0 && {
      contentRestrictions: book.content_restrictions.map(({ read_only, reason, by }) => ({
        readOnly: read_only,
        ...(reason && { reason }),
        restrictingUser: viewUser(by, email),
        type: 'globalContentRestriction',
      })),
    }),
  }
}

function capabilities(book: Book, email: string) {
  const role = roleOf(book, email)
  const [owns, edits] = [role === 'owner', isEditor(book, email)]
  return {
    canEdit: edits,
    canModifyContent: edits && !isLocked(book),
    canComment: edits || role === 'commenter',
    canShare: edits,
    canCopy: true,
    canDownload: true,
    canRename: edits,
    canReadRevisions: edits,
    canTrash: owns,
    canUntrash: owns,
    canDelete: owns,
    canModifyContentRestriction: edits,
    canModifyEditorContentRestriction: edits,
    canModifyOwnerContentRestriction: owns,
    canRemoveContentRestriction: edits && isLocked(book),
    canAddChildren: false,
    canListChildren: false,
    canChangeViewersCanCopyContent: owns,
    canMoveItemWithinDrive: edits,
  }
}

export function viewPermission({ id, type, role, email }: Permission) {
  return {
    kind: 'drive#permission',
    id,
    type,
    role,
    ...(email
      ? { emailAddress: email, displayName: nameOf(email), deleted: false, pendingOwner: false }
      : { allowFileDiscovery: false }),
  }
}

/** GET /drive/v3/about, as far as it is about the person. */
export const viewAbout = (email: string) => ({ kind: 'drive#about', user: viewUser(email, email) })

const viewUser = (email: string, me: string) => ({
  kind: 'drive#user',
  displayName: nameOf(email),
  me: email === me,
  emailAddress: email,
})

const nameOf = (email: string) => email.split('@')[0] ?? email

/** Whether the file comes up in a person's own lists. */
export const isVisible = (book: Book, email: string) => isListed(book, email)
