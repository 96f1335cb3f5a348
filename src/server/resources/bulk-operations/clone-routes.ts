import { randomUUID } from 'node:crypto'
import type { Trx } from '#server/db/transaction.ts'
import { CloneOutcome, CloneReports, MOST_AT_ONCE } from '#shared/api/bulk-operations.ts'
import type { Meanings } from '#shared/block-catalogue.ts'
import { limits } from '#shared/limits.ts'
import type { ApiSettings } from '#server/http/effects.ts'
import { route } from '#server/http/route.ts'
import type { SignedInUser } from '#server/http/session.ts'
import { writeAudit } from '#server/resources/audit/queries.ts'
import { readMeanings } from '#server/resources/insight-settings/meaning-queries.ts'
import type { ReportRow } from '#server/resources/reports/queries.ts'
import { refuseTooManyReports, roomForReports, tooManyReports } from '#server/resources/reports/quota.ts'
import { copyName, gapsOf } from '#server/resources/reports/rules.ts'
import { draftOf } from '#server/resources/reports/draft.ts'
import { checkNew, createReport } from '#server/resources/reports/save.ts'
import type { z } from 'zod'
import { sourceOf, targetOf, type CloneTarget } from './clone-source-and-target.ts'
import { eachReport } from './each-report.ts'
import { openFolderResolver, type FolderResolver } from './folder-resolver.ts'
import { BULK, refuseScope } from './paths.ts'
import { insertOperation, type Change } from './queries.ts'
import { mapAccounts, redefined, renameBlocks, renamed } from './rules.ts'

export const clone = route('POST', `${BULK}clone/`, {
  summary: 'Clone the reports of a client for another client, with accounts replaced.',
  level: 'external_user',
  body: CloneReports,
  reply: CloneOutcome,
  async run({ body, user, db, now, effects: { settings } }) {
    refuseScope(user, body.scope)
    const source = await sourceOf(db, user, body)
    const target = await targetOf(db, user, { ...body, source })
    const requested = source.ids.slice(0, MOST_AT_ONCE).map(id => ({ id }))
    const resolver = await openFolderResolver(db, user.id, { ...body, source, settings, now })
    const room = await roomForReports(db, user.id, settings)
    const meanings = await readMeanings(db, { advertisers: [target.advertiser] })
    const cloning = { user, settings, now, target, meanings, resolver, rename: body.rename, room }
    const about = {
      left_out: source.ids.length - requested.length,
      accounts: target.accounts,
    }
    const tried = await cloneEach(db, requested, { ...cloning, operation: null })
    const is_held_back = body.all_or_nothing && tried.some(({ status }) => status === 'refused')
    if (body.dry_run || is_held_back) return { ...about, dry_run: body.dry_run, deed: null, results: tried }

    const operation = randomUUID()
    const results = await cloneEach(db, requested, { ...cloning, operation })
    const changes = results.flatMap(({ made }): Change[] =>
      made === null ? [] : [{ report: made, version: 1, before: null }],
    )
    const is_done = changes.length > 0
    if (is_done)
      await insertOperation(
        db,
        { id: operation, kind: 'clone', actor: user.id, folders: resolver.created() },
        { changes, now },
      )
    return { ...about, dry_run: false, deed: is_done ? operation : null, results }
  },
})

interface Cloning {
  user: SignedInUser
  settings: ApiSettings
  now: Date
  target: CloneTarget
  /** What numbers mean to the new client. */
  meanings: Meanings
  resolver: FolderResolver
  rename: z.output<typeof CloneReports>['rename']
  /** How many more reports the person may have, during a dry run. */
  room: { left: number; limit: number }
  /** null: a dry run. */
  operation: string | null
}

type Copied = Pick<z.input<typeof CloneOutcome>['results'][number], 'copy' | 'made'>

async function cloneEach(trx: Trx, requested: { id: number }[], cloning: Cloning) {
  const { user, operation } = cloning
  const nothing: Copied = { copy: null, made: null }
  const each = { user, dry_run: operation === null, action: 'copy' as const, nothing }
  return await eachReport(trx, requested, each, row => cloneOne(trx, row, cloning))
}

async function cloneOne(
  trx: Trx,
  row: ReportRow,
  { user, settings, now, target, meanings, resolver, rename, room, operation }: Cloning,
): Promise<Copied> {
  const name = renamed(row.name, rename, limits.name)
  const mapped = mapAccounts(row.channels, target.pairs).map(block =>
    redefined(block, { meanings, advertisers: [target.advertiser] }),
  )
  const channels = renameBlocks(mapped, rename)
  const draft = {
    ...draftOf(row),
    name: name === row.name ? copyName(row.name) : name,
    // The target spreadsheet is unknown, and no schedule was requested.
    spreadsheet_url: '',
    sheet_name: '',
    update_frequency: 0,
    channels,
  }
  const saving = { owner: user.id, editor: user, saved_range: draft.date_range, settings, now }
  const copy = {
    name: draft.name,
    folder: resolver.namesOf(row.viewer_folder),
    accounts_left_out: new Set(row.channels.flatMap(block => block.accounts)).difference(target.mapped).size,
    gaps: gapsOf({ ...draft, spreadsheet_id: null, target_state: null }),
  }
  if (operation === null) {
    await checkNew(trx, draft, saving)
    if (room.left <= 0) throw tooManyReports(room.limit)
    room.left -= 1
    return { copy, made: null }
  }
  await checkNew(trx, draft, saving)
  await refuseTooManyReports(trx, user.id, settings)
  const folder = await resolver.folderOf(row.viewer_folder)
  const made = await createReport(trx, draft, { ...saving, folder, copied_by: user.id })
  const line = { actor: user.id, action: 'report.clone', object: 'report', object_id: made }
  const detail = { name: draft.name, from: row.id, advertiser: target.advertiser, deed: operation }
  await writeAudit(trx, { ...line, detail }, now)
  return { copy, made }
}
