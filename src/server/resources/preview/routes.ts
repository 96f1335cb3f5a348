import { isInternal } from '#shared/access.ts'
import { Preview, PreviewReport } from '#shared/api/preview.ts'
import { dateRangeOf, rangeOfRun, todayIn } from '#shared/date-range.ts'
import { route } from '#server/http/route.ts'
import { disconnectSignal } from '#server/http/disconnect.ts'
import { visibleReport } from '#server/resources/reports/visible.ts'
import { refuseTable } from '#server/resources/reports/save.ts'
import { lastRunOf, withRowsOf } from './queries.ts'

const preview = route('POST', '/api/gs-template-setting/preview/', {
  summary:
    "Preview the first rows of a report's table, with an estimate of its size. Nothing is saved or written.",
  level: 'external_user',
  transaction: 'own',
  kind: 'preview',
  body: PreviewReport,
  reply: Preview,
  async run({ body, user, db, now, effects, reply }) {
    const { settings } = effects
    const draft = {
      ...body,
      name: body.name ?? '',
      timezone: body.timezone ?? settings.time_zone,
      header_language: body.header_language ?? user.language,
    }
    const before = body.report === null ? null : await visibleReport(db, user, body.report)
    const accounts = await refuseTable(db, draft, {
      owner: before?.owner ?? user.id,
      editor: user,
      before,
      ...(before && { saved_range: dateRangeOf(before) }),
      settings,
      now,
    })
    const last_run = before && (await lastRunOf(db, before, draft))
    const made = await effects.preview(db, {
      person: user.id,
      isInternal: isInternal(user),
      report: draft,
      accounts: accounts.map(account => account.id),
      range: rangeOfRun(draft.date_range, todayIn(draft.timezone, now)),
      last_rows: last_run?.rows ?? null,
      // They may have fetched something newer.
      signal: disconnectSignal(reply),
      now,
    })
    // People who may fetch all of it may also see the last result.
    const lacks = made.blocks.some(({ status }) => status === 'later')
    return lacks && last_run ? await withRowsOf(db, last_run, made) : made
  },
})

export const previewRoutes = [preview]
