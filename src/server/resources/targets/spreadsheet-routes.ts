import { randomUUID } from 'node:crypto'
import {
  CreatedSpreadsheet,
  CreateSpreadsheet,
  RecentQuery,
  RecentSpreadsheets,
} from '#shared/api/spreadsheets.ts'
import { refuse } from '#server/http/refusal.ts'
import { route } from '#server/http/route.ts'
import { createSpreadsheet } from './create-spreadsheet.ts'
import { recentSpreadsheets } from './recent-spreadsheets.ts'
import { spreadsheetMakerFor } from './spreadsheet-maker.ts'

const PATH = '/api/ad/gs_spreadsheet/'

const create = route('POST', PATH, {
  summary:
    'Create a spreadsheet that you own and your reports can write to. Requests with the same Idempotency-Key create one.',
  level: 'external_user',
  transaction: 'own',
  body: CreateSpreadsheet,
  reply: CreatedSpreadsheet,
  status: 201,
  async run({ body, user, db, now, request, effects: { spreadsheets, settings } }) {
    const maker = await spreadsheetMakerFor(db, user, settings)
    if (maker === null) throw refuse('not_found')
    const { 'idempotency-key': header } = request.headers
    const sent = typeof header === 'string' && header !== '' ? header.slice(0, 200) : randomUUID()
    const key = { user_id: user.id, idempotency_key: sent }
    return await createSpreadsheet(body, { db, user, now, spreadsheets, settings, maker, key })
  },
})

const recent = route('GET', PATH, {
  summary: 'List the spreadsheets that you control, last used first.',
  // Whose each file is, which the response does not contain.
  rows: 'every',
  level: 'external_user',
  transaction: 'own',
  query: RecentQuery,
  reply: RecentSpreadsheets,
  run: async ({ query: { search }, user, db, effects: { settings } }) =>
    await recentSpreadsheets(search.trim(), { db, user, settings }),
})

export const spreadsheetRoutes = [create, recent]
