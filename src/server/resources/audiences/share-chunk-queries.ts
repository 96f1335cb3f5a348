import { sql } from 'kysely'
import type { MemberColumn } from '#shared/audiences.ts'
import type { Db } from '#server/db/connect.ts'

/** What is sent: the rows of one upload, or the whole list as the uploads up to a position have made it. */
export interface Content {
  audience: number
  upload: string | null
  up_to: number
}

/** The next upload that a share has to send; null when it has sent all. */
export async function nextUpload(db: Db, { audience, after }: { audience: number; after: number }) {
  const row = await db
    .selectFrom('audience_upload')
    .select(['id', 'action', 'position'])
    .where('audience', '=', audience)
    .where('state', '=', 'taken')
    .where('position', '>', after)
    .orderBy('position')
    .limit(1)
    .executeTakeFirst()
  return row?.position ? { ...row, position: row.position } : null
}

export async function lastPosition(db: Db, audience: number): Promise<number> {
  const { position } = await db
    .selectFrom('audience_upload')
    .select(eb => eb.fn.coalesce(eb.fn.max('position'), sql<number>`0`).as('position'))
    .where('audience', '=', audience)
    .where('state', '=', 'taken')
    .executeTakeFirstOrThrow()
  return position
}

const chunksOf = (db: Db, { audience, upload, up_to: last }: Content) =>
  db
    .selectFrom('audience_chunk as chunk')
    .innerJoin('audience_upload as upload', 'upload.id', 'chunk.upload')
    .where('chunk.audience', '=', audience)
    .where('chunk.rows', '>', 0)
    .where('upload.state', '=', 'taken')
    .where(eb =>
      upload === null
        ? eb.and([eb('upload.position', '<=', last), eb('upload.action', '<>', 'remove')])
        : eb('upload.id', '=', upload),
    )

export async function measureChunks(db: Db, content: Content) {
  const { columns, ...sums } = await chunksOf(db, content)
    .select(eb => [
      eb.fn.countAll<number>().as('chunks'),
      sql<number>`coalesce(sum(chunk.rows), 0)::bigint`.as('rows'),
      sql<MemberColumn[][]>`coalesce(jsonb_agg(distinct to_jsonb(chunk.columns)), '[]')`.as('columns'),
    ])
    .executeTakeFirstOrThrow()
  return { ...sums, columns: new Set(columns.flat()) }
}

/** Those that come next, without their rows. */
export async function nextChunks(
  db: Db,
  content: Content,
  { after, limit }: { after: number; limit: number },
): Promise<{ id: number; rows: number }[]> {
  return await chunksOf(db, content)
    .select(['chunk.id', 'chunk.rows'])
    .where('chunk.id', '>', after)
    .orderBy('chunk.id')
    .limit(limit)
    .execute()
}

/** Rows to be removed are kept no longer than until every share has sent them. */
export async function dropSentRemovals(db: Db, audience: number): Promise<void> {
  await sql`
    delete from audience_chunk chunk using audience_upload upload
    where chunk.audience = ${audience} and upload.id = chunk.upload
      and upload.state = 'taken' and upload.action = 'remove'
      and not exists (
        select from audience_share share
        where share.audience = ${audience} and share.mode <> 'shared'
          and share.state not in ('removing', 'removed') and share.sent_to < upload.position
      )`.execute(db)
}
