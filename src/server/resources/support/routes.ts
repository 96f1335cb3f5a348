import { isSupportEditor } from '#shared/access.ts'
import { IdPath } from '#shared/api/list.ts'
import {
  AddToIssue,
  CreateIssue,
  EditorCheck,
  Issue,
  IssueList,
  IssueQuery,
  UpdateIssue,
} from '#shared/api/support.ts'
import { nameOf } from '#shared/person-name.ts'
import type { Db } from '#server/db/connect.ts'
import type { Trx } from '#server/db/transaction.ts'
import { pageOf } from '#server/http/list.ts'
import { refuse } from '#server/http/refusal.ts'
import { route } from '#server/http/route.ts'
import type { SignedInUser } from '#server/http/session.ts'
import { readImage } from '#server/read-image.ts'
import { changedFields } from '#server/resources/audit/changed-fields.ts'
import { writeAudit } from '#server/resources/audit/queries.ts'
import { insertNotices } from '#server/resources/notifications/queries.ts'
import { lockReport, updateReport } from '#server/resources/reports/queries.ts'
import { visibleReports } from '#server/resources/reports/visible.ts'
import {
  countAdditions,
  countIssues,
  findImage,
  findIssue,
  insertAddition,
  insertImage,
  insertIssue,
  listAdditions,
  listIssues,
  listSupportEditors,
  lockIssue,
  lockReporter,
  updateIssue,
  type IssueRow,
} from './queries.ts'
import { changeOf, problemsOf, statusAfterAddition } from './rules.ts'

const PATH = '/api/support/'

const list = route('GET', PATH, {
  summary: 'List the issues that you have reported; for support editors, all issues.',
  level: 'external_user',
  query: IssueQuery,
  reply: IssueList,
  async run({ query, user, db, request }) {
    const { count, rows } = await listIssues(db, user, query)
    return pageOf(request.url, query, { count, results: await presentAll(db, rows) })
  },
})

const read = route('GET', `${PATH}:id/`, {
  summary: 'Get an issue with its status and answer.',
  level: 'external_user',
  params: IdPath,
  reply: Issue,
  run: async ({ params, user, db }) => show(db, user, params.id),
})

const create = route('POST', PATH, {
  summary: 'Report an issue to support.',
  level: 'external_user',
  body: CreateIssue,
  takes_form: true,
  reply: Issue,
  status: 201,
  async run({ body: { image: file, ...body }, user, db, now, effects: { settings } }) {
    const { report } = body
    const images = await refuseTooMany(db, user.id, { now, limit: settings.quotas.issues_a_day })
    const [visible] = report ? await visibleReports(db, user, [report]) : []
    const image = file ? await receiveImage(file, images) : null
    const fields = problemsOf(body, {
      isVisible: visible !== undefined,
      image: typeof image === 'string' ? image : null,
      now,
    })
    if (Object.keys(fields).length > 0) throw refuse('invalid', { fields })
    const id = await insertIssue(db, { ...body, reporter: user.id }, now)
    if (image !== null && typeof image !== 'string') await insertImage(db, id, image)
    const line = { actor: user.id, action: 'issue.create', object: 'issue', object_id: id }
    await writeAudit(db, { ...line, detail: { report: report ?? null, has_image: image !== null } }, now)
    await notifyEditors(db, 'issue_reported', { issue: id, user, now })
    return await show(db, user, id)
  },
})

/**
 * Counts what somebody has sent in a day, additions like issues, since each notifies every editor; returns
 * how many images were among it.
 */
async function refuseTooMany(db: Trx, reporter: number, { now, limit }: { now: Date; limit: number }) {
  await lockReporter(db, reporter)
  const a_day_ago = new Date(now.getTime() - DAY_MS)
  const { issues, images } = await countIssues(db, reporter, a_day_ago)
  if (issues + (await countAdditions(db, reporter, a_day_ago)) >= limit)
    throw refuse('too_many_issues', {
      extra: { limit },
      detail: `One person may report ${limit.toLocaleString('en')} issues in 24 hours.`,
      retry_after_s: DAY_MS / 24 / 1000,
    })
  return images
}

async function notifyEditors(
  db: Trx,
  kind: 'issue_reported' | 'issue_added',
  { issue, user, now }: { issue: number; user: SignedInUser; now: Date },
) {
  const detail = { issue, person: nameOf(user) }
  const editors = (await listSupportEditors(db)).filter(editor => editor !== user.id)
  await insertNotices(
    db,
    editors.map(user_id => ({ kind, user_id, detail })),
    now,
  )
}

/** The largest stored image; with a daily limit for each person, since images are large. */
async function receiveImage(file: File, sent: number) {
  if (sent >= MOST_IMAGES_A_DAY) return 'too_many_images'
  return readImage(new Uint8Array(await file.arrayBuffer()))
}

const DAY_MS = 24 * 60 * 60_000
const MOST_IMAGES_A_DAY = 20

const image = route('GET', `${PATH}:id/image/`, {
  summary: 'Get the image of an issue.',
  level: 'external_user',
  transaction: 'own',
  params: IdPath,
  async run({ params: { id }, user, db, reply }) {
    const found = await findImage(db, user, id)
    if (!found) throw refuse('not_found')
    await reply.type(found.type).send(Buffer.from(found.bytes))
  },
})

const update = route('PATCH', `${PATH}:id/`, {
  summary:
    'Answer an issue, change its status, or allow its report date ranges of up to three years. For support editors.',
  level: 'external_user',
  params: IdPath,
  body: UpdateIssue,
  reply: Issue,
  async run({ params: { id }, body, user, db, now }) {
    await find(db, user, id)
    if (!isSupportEditor(user)) throw refuse('forbidden')
    const before = await lockIssue(db, id)
    const { after, grants, has_answer, is_news } = changeOf(before, body)
    if (grants) {
      const report = before.report === null ? null : await lockReport(db, before.report)
      if (!report || report.deleted_at !== null)
        throw refuse('invalid', { fields: { grant_history: ['field_not_available'] } })
      await updateReport(db, report.id, { history_extended: true })
      const changes = changedFields({ history_extended: report.history_extended }, { history_extended: true })
      const detail = { name: report.name, issue: id, changes }
      await writeAudit(
        db,
        { actor: user.id, action: 'report.extend_history', object: 'report', object_id: report.id, detail },
        now,
      )
    }
    await updateIssue(db, id, { ...after, ...(has_answer && { answered_by: user.id }), now })
    await writeAudit(
      db,
      {
        actor: user.id,
        action: 'issue.change',
        object: 'issue',
        object_id: id,
        // Only that there is another answer, not its text, which the issue has.
        detail: {
          changes: changedFields(
            { status: before.status, grants_history: before.grants_history },
            { status: after.status, grants_history: after.grants_history },
          ),
          has_new_answer: has_answer,
        },
      },
      now,
    )
    if (is_news && before.reporter !== user.id)
      await insertNotices(
        db,
        [{ kind: 'issue_answered', user_id: before.reporter, detail: { issue: id } }],
        now,
      )
    return await show(db, user, id)
  },
})

const add = route('POST', `${PATH}:id/additions/`, {
  summary: 'Add to an issue that you have reported. One that was answered or closed is open again.',
  level: 'external_user',
  params: IdPath,
  body: AddToIssue,
  reply: Issue,
  status: 201,
  async run({ params: { id }, body: { text }, user, db, now, effects: { settings } }) {
    const { reporter } = await find(db, user, id)
    if (reporter !== user.id) throw refuse('forbidden')
    await refuseTooMany(db, user.id, { now, limit: settings.quotas.issues_a_day })
    const { answer, grants_history, ...before } = await lockIssue(db, id)
    await insertAddition(db, { issue: id, text, created_at: now })
    const status = statusAfterAddition(before.status)
    await updateIssue(db, id, { status, answer, grants_history, now })
    const detail = { changes: changedFields({ status: before.status }, { status }) }
    await writeAudit(db, { actor: user.id, action: 'issue.add', object: 'issue', object_id: id, detail }, now)
    await notifyEditors(db, 'issue_added', { issue: id, user, now })
    return await show(db, user, id)
  },
})

const editorCheck = route('GET', `${PATH}editor-check`, {
  summary: 'Get whether you can answer issues.',
  level: 'external_user',
  reply: EditorCheck,
  run: async ({ user }) => ({ editor: isSupportEditor(user) }),
})

async function find(db: Db, user: SignedInUser, id: number): Promise<IssueRow> {
  const issue = await findIssue(db, user, id)
  if (!issue) throw refuse('not_found')
  return issue
}

async function show(db: Db, user: SignedInUser, id: number): Promise<Issue> {
  const [issue] = await presentAll(db, [await find(db, user, id)])
  if (!issue) throw refuse('not_found')
  return issue
}

async function presentAll(db: Db, rows: readonly IssueRow[]): Promise<Issue[]> {
  const additions = await listAdditions(
    db,
    rows.map(({ id }) => id),
  )
  const ofIssue = Map.groupBy(additions, ({ issue }) => issue)
  return rows.map(row => present(row, ofIssue.get(row.id) ?? []))
}

function present(
  { report_id, report_name, image_type, image_width, image_height, ...row }: IssueRow,
  additions: readonly { text: string; created_at: Date }[],
): Issue {
  return {
    ...row,
    additions: additions.map(({ text, created_at }) => ({ text, created_at: created_at.toISOString() })),
    image:
      image_type === null ? null : { type: image_type, width: image_width ?? 0, height: image_height ?? 0 },
    report: report_id === null ? null : { id: report_id, name: report_name ?? '' },
    occurred_at: row.occurred_at.toISOString(),
    created_at: row.created_at.toISOString(),
    last_modified_at: row.last_modified_at.toISOString(),
  }
}

export const supportRoutes = [list, create, editorCheck, read, image, update, add]
