import { describe, expect, it } from 'vitest'
import { testDatabase } from '#server/db/testing/database.ts'
import { readReportFiles } from './read-report-file.ts'
import { accountsForFile, missingAsProblems, resolveAccounts } from './report-file.ts'

const { db } = await testDatabase()
const text = (channels: string) => `
name: From a file
spreadsheet_url: https://docs.google.com/spreadsheets/d/1AbCdEfGhIjKlMnOpQrStUvWxYz0123456789
sheet_name: Data
dimensions: [date]
date_range: { start: null, end: null, dynamic_range: 1 }
channels:
${channels}`

async function resolved(channels: string) {
  const [read] = readReportFiles(text(channels))
  if (!read || typeof read === 'string' || 'problems' in read) throw new Error(JSON.stringify(read))
  return resolveAccounts(read.file, await accountsForFile(db, { advertisers: 'all' }))
}

const insert = (account: {
  channel: 'aw' | 'ga' | 'ga4'
  provider: 'google_ads' | 'universal_analytics' | 'ga4'
  external_id: string
  name: string
  property_name?: string
}) =>
  db
    .insertInto('ad_account')
    .values({ currency: 'TWD', timezone: 'Asia/Taipei', ...account })
    .returning('id')
    .executeTakeFirstOrThrow()

describe('the accounts of a report file', () => {
  it('are found by id or name, those of keywords and events under the channel that they are stored under', async () => {
    const ads = await insert({
      channel: 'aw',
      provider: 'google_ads',
      external_id: '4203141501',
      name: 'Aurora TW',
    })
    const view = await insert({
      channel: 'ga',
      provider: 'universal_analytics',
      external_id: '92653581',
      name: 'All data',
      property_name: 'Aurora shop',
    })
    const response = await resolved(`
  - { channel: aw, accounts: [Aurora TW], metrics: [cost] }
  - { channel: aw_keyword, accounts: [4203141501], metrics: [cost] }
  - { channel: ga, accounts: [92653581], metrics: [sessions] }
  - { channel: ga_event, accounts: [Aurora shop], metrics: [total_events] }`)
    expect(response.report.channels.map(({ accounts }) => accounts)).toEqual([
      [ads.id],
      [ads.id],
      [view.id],
      [view.id],
    ])
  })

  it('are refused by name where there is none or more than one', async () => {
    await insert({ channel: 'ga4', provider: 'ga4', external_id: '1', name: 'Shop' })
    await insert({ channel: 'ga4', provider: 'ga4', external_id: '2', name: 'Shop' })
    const { report, missing } = await resolved(
      '  - { channel: ga4, accounts: [Shop, Nobody], metrics: [sessions] }',
    )
    expect(report.channels).toMatchObject([{ channel: 'ga4', accounts: [] }])
    expect(missingAsProblems(missing)).toEqual([
      {
        path: 'channels.0.accounts',
        code: 'account_ambiguous',
        message: 'Shop: several accounts have this name; write its id',
      },
      {
        path: 'channels.0.accounts',
        code: 'account_unknown',
        message: 'Nobody: there is no such account',
      },
    ])
  })
})
