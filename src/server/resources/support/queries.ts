import { sql, type NotNull } from 'kysely'
import { isSupportEditor, type Person } from '#shared/access.ts'
import type { CreateIssue, IssueQuery, IssueState } from '#shared/api/support.ts'
import { lockUntilEnd } from '#server/db/advisory-lock.ts'
import type { Db } from '#server/db/connect.ts'
import { personName } from '#server/db/person-name.ts'
import { containing, directionOf } from '#server/db/list-terms.ts'
import type { Trx } from '#server/db/transaction.ts'
import { maySignIn } from '#server/http/session.ts'
import type { ReadImage } from '#server/read-image.ts'

/** Editors see all; everybody else their own. */
function visibleIssues(db: Db, person: Person) {
  const issues = db
    .selectFrom('support_issue as issue')
    .innerJoin('users as reporter', 'reporter.id', 'issue.reporter')
    .leftJoin('users as answerer', 'answerer.id', 'issue.answered_by')
    .leftJoin('support_image as image', 'image.issue', 'issue.id')
  return isSupportEditor(person) ? issues : issues.where('issue.reporter', '=', person.id)
}

/** With the name of the report, as long as the reader may see it. */
const issueRows = (db: Db, person: Person) =>
  visibleIssues(db, person)
    .leftJoin('report', join =>
      join
        .onRef('report.id', '=', 'issue.report')
        .on('report.deleted_at', 'is', null)
        .on(eb =>
          eb.or([
            eb.lit(isSupportEditor(person)),
            eb('report.owner', '=', person.id),
            eb.exists(
              eb
                .selectFrom('report_share as share')
                .select('share.report')
                .whereRef('share.report', '=', 'report.id')
                .where('share.user_id', '=', person.id),
            ),
          ]),
        ),
    )
    .select([
      'issue.id',
      'issue.reporter',
      personName<string>('reporter').as('reporter_name'),
      'issue.report_type',
      'report.id as report_id',
      'report.name as report_name',
      'issue.occurred_at',
      'issue.description',
      'issue.status',
      'issue.answer',
      personName('answerer').as('answered_by_name'),
      'issue.grants_history',
      'image.type as image_type',
      'image.width as image_width',
      'image.height as image_height',
      'issue.created_at',
      'issue.last_modified_at',
    ])

export async function listIssues(db: Db, person: Person, query: IssueQuery) {
  const pattern = containing(query.search ?? '')
  const { status } = query
  const { count } = await visibleIssues(db, person)
    .where(containsText(pattern))
    .$if(status !== undefined, issues => issues.where('issue.status', '=', status ?? 'open'))
    .select(eb => eb.fn.countAll<number>().as('count'))
    .executeTakeFirstOrThrow()
  const direction = directionOf(query.ordering)
  const rows = await issueRows(db, person)
    .where(containsText(pattern))
    .$if(status !== undefined, issues => issues.where('issue.status', '=', status ?? 'open'))
    .orderBy(sql.ref(`issue.${query.ordering.replace('-', '')}`), direction)
    .orderBy('issue.id', direction)
    .limit(query.limit)
    .offset(query.offset)
    .execute()
  return { count, rows }
}

const containsText = (pattern: string) => sql<boolean>`(
  issue.description ilike ${pattern} or issue.answer ilike ${pattern} or exists (
    select from support_addition addition where addition.issue = issue.id and addition.text ilike ${pattern}
  )
)`

export async function findIssue(db: Db, person: Person, id: number) {
  return await issueRows(db, person).where('issue.id', '=', id).executeTakeFirst()
}
export type IssueRow = NonNullable<Awaited<ReturnType<typeof findIssue>>>

/** What was added to these issues, oldest first. */
export async function listAdditions(db: Db, issues: readonly number[]) {
  if (issues.length === 0) return []
  return await db
    .selectFrom('support_addition')
    .select(['issue', 'text', 'created_at'])
    .where('issue', 'in', [...issues])
    .orderBy('id')
    .execute()
}

export async function insertAddition(
  trx: Trx,
  addition: { issue: number; text: string; created_at: Date },
): Promise<void> {
  await trx.insertInto('support_addition').values(addition).execute()
}

/** How often somebody has added to their issues since. */
export async function countAdditions(trx: Trx, reporter: number, since: Date): Promise<number> {
  const { additions } = await trx
    .selectFrom('support_addition as addition')
    .innerJoin('support_issue as issue', 'issue.id', 'addition.issue')
    .select(eb => eb.fn.countAll<number>().as('additions'))
    .where('issue.reporter', '=', reporter)
    .where('addition.created_at', '>', since)
    .executeTakeFirstOrThrow()
  return additions
}

/** Its row, locked. */
export async function lockIssue(trx: Trx, id: number) {
  return await trx
    .selectFrom('support_issue')
    .selectAll()
    .where('id', '=', id)
    .forNoKeyUpdate()
    .executeTakeFirstOrThrow()
}

export async function insertIssue(
  trx: Trx,
  { report, occurred_at, ...issue }: Omit<CreateIssue, 'image'> & { reporter: number },
  now: Date,
): Promise<number> {
  const { id } = await trx
    .insertInto('support_issue')
    .values({
      ...issue,
      report: report ?? null,
      occurred_at: new Date(occurred_at),
      created_at: now,
      last_modified_at: now,
    })
    .returning('id')
    .executeTakeFirstOrThrow()
  return id
}

export async function insertImage(trx: Trx, issue: number, image: ReadImage): Promise<void> {
  await trx
    .insertInto('support_image')
    .values({ ...image, issue, bytes: Buffer.from(image.bytes) })
    .execute()
}

/** Locks the count of this person's issues. */
export async function lockReporter(trx: Trx, reporter: number): Promise<void> {
  await lockUntilEnd(trx, `issues of ${reporter}`)
}

/** How many issues, and how many images with them, somebody has sent since. */
export async function countIssues(
  trx: Trx,
  reporter: number,
  since: Date,
): Promise<{ issues: number; images: number }> {
  return await trx
    .selectFrom('support_issue as issue')
    .leftJoin('support_image as image', 'image.issue', 'issue.id')
    .select(eb => [eb.fn.countAll<number>().as('issues'), eb.fn.count<number>('image.issue').as('images')])
    .where('issue.reporter', '=', reporter)
    .where('issue.created_at', '>', since)
    .executeTakeFirstOrThrow()
}

/** The image of an issue that the person sees. */
export async function findImage(db: Db, person: Person, issue: number) {
  return await visibleIssues(db, person)
    .where('issue.id', '=', issue)
    .where('image.type', 'is not', null)
    .select(['image.type', 'image.bytes'])
    .$narrowType<{ type: NotNull; bytes: NotNull }>()
    .executeTakeFirst()
}

export async function updateIssue(
  trx: Trx,
  id: number,
  {
    now,
    ...changes
  }: {
    status: IssueState
    answer: string | null
    grants_history: boolean
    answered_by?: number
    now: Date
  },
): Promise<void> {
  await trx
    .updateTable('support_issue')
    .set({ ...changes, last_modified_at: now })
    .where('id', '=', id)
    .execute()
}

/** The people who are notified of a new issue: those who are `isSupportEditor` and can sign in. */
export async function listSupportEditors(db: Db): Promise<number[]> {
  const people = await db
    .selectFrom('users')
    .select(['id', 'identity', 'department'])
    .where(maySignIn)
    .where(eb => eb.or([eb('identity', '=', 'superuser'), eb('department', 'is not', null)]))
    .execute()
  return people.filter(isSupportEditor).map(({ id }) => id)
}
