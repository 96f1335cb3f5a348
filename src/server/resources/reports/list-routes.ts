import { z } from 'zod'
import { IdPath } from '#shared/api/list.ts'
import { CreateReportView, ReportView, UpdateReportView } from '#shared/api/report-views.ts'
import { Deleted, EndingCounts } from '#shared/api/reports.ts'
import { refuse } from '#server/http/refusal.ts'
import { route } from '#server/http/route.ts'
import { deleteFavourites, insertFavourites } from './favourite-queries.ts'
import { countEnding } from './list-queries.ts'
import { REPORTS } from './routes.ts'
import { visibleReport } from './visible.ts'
import { deleteView, insertView, isViewNameTaken, listViews, lockViews, updateView } from './view-queries.ts'

// What a person has around the list of reports; nobody else sees it.

const VIEWS = '/api/gs-template-view/'
/** More would be no shortcut. */
const MOST_VIEWS = 30

const ending = route('GET', `${REPORTS}ending/`, {
  summary: 'Count the reports that end by themselves within a week, and that have within the last two.',
  level: 'external_user',
  reply: EndingCounts,
  run: async ({ user, db, now }) => countEnding(db, { user_id: user.id, now }),
})

const mark = route('POST', `${REPORTS}:id/favourite/`, {
  summary: 'Mark a report as your favourite. Nobody else sees that.',
  level: 'external_user',
  params: IdPath,
  async run({ params: { id }, user, db }) {
    await visibleReport(db, user, id)
    await insertFavourites(db, { reports: [id], user_id: user.id })
  },
})

const unmark = route('DELETE', `${REPORTS}:id/favourite/`, {
  summary: 'Remove a report from your favourites.',
  level: 'external_user',
  params: IdPath,
  async run({ params: { id }, user, db }) {
    await visibleReport(db, user, id)
    await deleteFavourites(db, { reports: [id], user_id: user.id })
  },
})

const views = route('GET', VIEWS, {
  summary: 'List your saved views of the report list, in the order in which you saved them.',
  level: 'external_user',
  reply: z.array(ReportView),
  run: async ({ user, db }) => listViews(db, user.id),
})

const saveView = route('POST', VIEWS, {
  summary: 'Save filters, search and order of the report list under a name.',
  level: 'external_user',
  body: CreateReportView,
  reply: ReportView,
  status: 201,
  async run({ body, user, db, now }) {
    await lockViews(db, user.id)
    const saved = await listViews(db, user.id)
    if (saved.length >= MOST_VIEWS) throw refuse('invalid', { fields: { name: ['field_too_many'] } })
    if (await isViewNameTaken(db, { owner: user.id, name: body.name })) throw nameTaken()
    return { id: await insertView(db, { ...body, owner: user.id }, now), ...body }
  },
})

const changeView = route('PATCH', `${VIEWS}:id/`, {
  summary: 'Rename a saved view, or save other filters in it.',
  level: 'external_user',
  params: IdPath,
  body: UpdateReportView,
  reply: ReportView,
  async run({ params: { id }, body, user, db, now }) {
    await lockViews(db, user.id)
    const before = (await listViews(db, user.id)).find(view => view.id === id)
    if (!before) throw refuse('not_found')
    const { name = before.name, filters = before.filters } = body
    if (await isViewNameTaken(db, { owner: user.id, name, except: id })) throw nameTaken()
    await updateView(db, { id, name, filters }, now)
    return { id, name, filters }
  },
})

const removeView = route('DELETE', `${VIEWS}:id/`, {
  summary: 'Delete a saved view; its reports stay as they are.',
  level: 'external_user',
  params: IdPath,
  reply: Deleted,
  async run({ params: { id }, user, db }) {
    if (!(await deleteView(db, { id, owner: user.id }))) throw refuse('not_found')
    return { id }
  },
})

const nameTaken = () => refuse('invalid', { fields: { name: ['name_taken'] } })

export const listRoutes = [ending, mark, unmark, views, saveView, changeView, removeView]
