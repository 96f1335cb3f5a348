import { randomInt } from 'node:crypto'
import type { sheets_v4 } from '@googleapis/sheets'
import { mayEditProtected } from '#sandbox/sheets/access.ts'
import type { Book, Protection, Sheet } from '#sandbox/sheets/book.ts'
import { invalid, protectedCell } from '#sandbox/sheets/errors.ts'
import { wants } from '#sandbox/sheets/fields-mask.ts'
import type { Mask } from '#sandbox/sheets/fields-mask.ts'
import { readGridRange } from '#sandbox/sheets/grid-range.ts'
import { isWhole } from '#sandbox/sheets/rect.ts'
import { viewProtection } from '#sandbox/sheets/view.ts'
import type { Work } from '#sandbox/sheets/work.ts'
import { readFields } from './fields.ts'

type ProtectedRange = sheets_v4.Schema$ProtectedRange

export function addProtectedRange(
  work: Work,
  { protectedRange }: sheets_v4.Schema$AddProtectedRangeRequest,
): sheets_v4.Schema$Response {
  const requested = protectedRange ?? {}
  const { sheet, rect, named_range_id } = readPosition(work.book, requested)
  const id = requested.protectedRangeId ?? randomInt(1, 2 ** 31)
  if (all(work.book).some(each => each.protection.id === id))
    throw invalid(`Protected range with id: ${id} already exists.`)
  const protection: Protection = {
    id,
    rect,
    named_range_id,
    description: requested.description ?? '',
    warning_only: requested.warningOnly ?? false,
    editors: [],
    groups: [],
    unprotected: (requested.unprotectedRanges ?? []).map(each => readGridRange(work.book, each).rect),
  }
  refuseSecondWhole(sheet, protection)
  setEditors(work, protection, requested.editors)
  sheet.protections.push(protection)
  return {
    addProtectedRange: {
      protectedRange: viewProtection(work.book, sheet, { protection, email: work.email }),
    },
  }
}

export function updateProtectedRange(
  work: Work,
  { protectedRange, fields }: sheets_v4.Schema$UpdateProtectedRangeRequest,
) {
  const mask: Mask = readFields(fields, 'ProtectedRange')
  const requested = protectedRange ?? {}
  const { sheet, protection } = editable(work, requested.protectedRangeId)
  if (wants(mask, 'description')) protection.description = requested.description ?? ''
  if (wants(mask, 'warningOnly')) {
    protection.warning_only = requested.warningOnly ?? false
    if (protection.warning_only) protection.editors = []
    else if (protection.editors.length === 0) setEditors(work, protection, undefined)
  }
  if (wants(mask, 'editors')) setEditors(work, protection, requested.editors)
  if (wants(mask, 'unprotectedRanges')) {
    protection.unprotected = (requested.unprotectedRanges ?? []).map(
      each => readGridRange(work.book, each).rect,
    )
  }
  if (wants(mask, 'range') || 'namedRangeId' in mask) {
    const position = readPosition(work.book, requested)
    sheet.protections = sheet.protections.filter(each => each !== protection)
    Object.assign(protection, { rect: position.rect, named_range_id: position.named_range_id })
    refuseSecondWhole(position.sheet, protection)
    position.sheet.protections.push(protection)
  }
}

export function deleteProtectedRange(
  work: Work,
  { protectedRangeId }: sheets_v4.Schema$DeleteProtectedRangeRequest,
) {
  const { sheet, protection } = editable(work, protectedRangeId)
  sheet.protections = sheet.protections.filter(each => each !== protection)
}

const all = (book: Book) =>
  book.sheets.flatMap(sheet => sheet.protections.map(protection => ({ sheet, protection })))

function editable(work: Work, id: number | null | undefined) {
  const found = all(work.book).find(each => each.protection.id === id)
  if (!found) throw invalid(`No protected range with id: ${id ?? 0}`)
  if (!mayEditProtected(work.book, found.protection, work.email)) throw protectedCell()
  return found
}

function readPosition(book: Book, { range, namedRangeId }: ProtectedRange) {
  if (!namedRangeId) return { ...readGridRange(book, range), named_range_id: null }
  const named = book.named_ranges.find(each => each.id === namedRangeId)
  const sheet = named && book.sheets.find(each => each.sheet_id === named.sheet_id)
  if (!named || !sheet) throw invalid(`No named range with id: ${namedRangeId}`)
  return { sheet, rect: named.rect, named_range_id: namedRangeId }
}

function refuseSecondWhole(sheet: Sheet, { rect }: Protection) {
  if (isWhole(rect) && sheet.protections.some(each => isWhole(each.rect))) {
    throw invalid(`Sheet "${sheet.title}" already has sheet protection.`)
  }
}

/**
 * The creator of a protection stays an editor, whatever the list says, so that no one is locked out of their
 * own protection.
 */
function setEditors(
  work: Work,
  protection: Protection,
  editors: sheets_v4.Schema$Editors | null | undefined,
) {
  const users = (editors?.users ?? []).map(each => each.toLowerCase())
  const groups = editors?.groups ?? []
  if (protection.warning_only) {
    if (users.length > 0 || groups.length > 0)
      throw invalid('ProtectedRange is warningOnly. Editors cannot be set on it.')
    return
  }
  const everyone = editors?.domainUsersCanEdit
    ? work.book.permissions.flatMap(each => (each.email && each.role === 'writer' ? [each.email] : []))
    : []
  protection.editors = [...new Set([work.email, ...users, ...everyone])]
  protection.groups = groups
}
