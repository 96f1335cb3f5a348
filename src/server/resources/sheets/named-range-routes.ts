import { randomInt } from 'node:crypto'
import { z } from 'zod'
import { CreateNamedRange, NamedRangeId, SpreadsheetId } from '#shared/api/sheets.ts'
import { isEmpty } from '#shared/rect.ts'
import { Refusal, refuse } from '#server/http/refusal.ts'
import { route } from '#server/http/route.ts'
import { noteSpreadsheet } from './audit.ts'
import { serviceFor } from './service.ts'

const PATH = '/api/sheets/:id/named-ranges/'
const Params = z.object({ id: SpreadsheetId })

const add = route('POST', PATH, {
  summary:
    'Name a range of a built-in spreadsheet, and protect it if you like: then reports cannot write there.',
  level: 'external_user',
  transaction: 'own',
  params: Params,
  body: CreateNamedRange,
  async run({ user, db, now, effects, params: { id }, body: { name, gid, rect, is_protected } }) {
    if (isEmpty(rect)) throw refuse('invalid', { fields: { rect: ['field_invalid'] } })
    const namedRangeId = String(randomInt(1, 2 ** 31))
    const [startRowIndex, startColumnIndex, endRowIndex, endColumnIndex] = rect
    const range = { sheetId: gid, startRowIndex, startColumnIndex, endRowIndex, endColumnIndex }
    const requests = [
      { addNamedRange: { namedRange: { namedRangeId, name, range } } },
      ...(is_protected
        ? [{ addProtectedRange: { protectedRange: { namedRangeId, description: name } } }]
        : []),
    ]
    await serviceFor(user, effects).change(id, requests).catch(asFieldProblem)
    await noteSpreadsheet(db, { user, action: 'name_range', id, detail: { name, is_protected }, now })
  },
})

const remove = route('DELETE', `${PATH}:range/`, {
  summary: 'Delete a named range of a built-in spreadsheet, and its protection; the cells stay.',
  level: 'external_user',
  transaction: 'own',
  params: Params.extend({ range: NamedRangeId }),
  async run({ user, db, now, effects, params: { id, range } }) {
    const service = serviceFor(user, effects)
    const { namedRanges, sheets } = await service.book(id, [])
    const named = namedRanges.find(({ namedRangeId }) => namedRangeId === range)
    if (!named) throw refuse('not_found')
    const protections = sheets
      .flatMap(sheet => sheet.protectedRanges)
      .filter(({ namedRangeId }) => namedRangeId === range)
    await service.change(id, [
      ...protections.map(({ protectedRangeId }) => ({ deleteProtectedRange: { protectedRangeId } })),
      { deleteNamedRange: { namedRangeId: range } },
    ])
    await noteSpreadsheet(db, { user, action: 'delete_named_range', id, detail: { name: named.name }, now })
  },
})

/** The service refuses names that are in use or look like a cell, and says so in words of its own. */
function asFieldProblem(error: unknown): never {
  if (error instanceof Refusal && error.code === 'invalid')
    throw refuse('invalid', { fields: { name: ['field_invalid'] } })
  throw error
}

export const namedRangeRoutes = [add, remove]
