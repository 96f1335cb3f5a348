import { expect, it } from 'vitest'
import { testDatabase } from '#server/db/testing/database.ts'
import { insertReport } from '#server/resources/runs/testing/reports.ts'
import { followSpreadsheets } from './moved-spreadsheets.ts'

const { db } = await testDatabase()

it.each([
  ['http://127.0.0.1:3001/spreadsheets/d/a/edit#gid=0', 'http://127.0.0.1:4291/spreadsheets/d/a/edit#gid=0'],
  ['http://localhost:3001/spreadsheets/u/1/d/a/edit', 'http://127.0.0.1:4291/spreadsheets/u/1/d/a/edit'],
  ['http://127.0.0.1:4291/spreadsheets/d/a/edit', 'http://127.0.0.1:4291/spreadsheets/d/a/edit'],
  ['https://docs.google.com/spreadsheets/d/a/edit', 'https://docs.google.com/spreadsheets/d/a/edit'],
  ['http://127.0.0.1:3001/elsewhere/d/a/edit', 'http://127.0.0.1:3001/elsewhere/d/a/edit'],
  ['', ''],
])('a report that has %j has %j once the built-in service has moved', async (before, now) => {
  const { report } = await insertReport(db, { spreadsheet_url: before })
  await followSpreadsheets(db, 'http://127.0.0.1:4291')
  const { spreadsheet_url } = await db
    .selectFrom('report')
    .select('spreadsheet_url')
    .where('id', '=', report)
    .executeTakeFirstOrThrow()
  expect(spreadsheet_url).toBe(now)
})
