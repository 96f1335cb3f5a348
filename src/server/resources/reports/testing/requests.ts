import { expect } from 'vitest'
import { Report, ReportList } from '#shared/api/reports.ts'
import type { ApiResponse, TestApi } from '#server/http/testing/api.ts'

export const REPORTS = '/api/gs-template-setting/'
export const SHEET = 'https://docs.google.com/spreadsheets/d/1AbCdEfGhIjKlMnOpQrStUvWxYz0123456789/edit#gid=0'
const SHEET_ID = '1AbCdEfGhIjKlMnOpQrStUvWxYz0123456789'

export const reportIn = (response: ApiResponse) => {
  expect(response.status, JSON.stringify(response.body)).toBeLessThan(300)
  return Report.parse(response.body)
}
export const idsIn = (response: ApiResponse) =>
  ReportList.parse(response.body).results.map(report => report.id)

/** A person with an advertiser and one of its accounts, and a body that needs nothing more to run. */
export async function ready(api: TestApi, identity: 'staff' | 'external_user' = 'staff') {
  const client = await api.signedIn(identity)
  const advertiser = await api.advertiser(`Advertiser of ${client.user.username}`, [client.user.id])
  const account = await api.account({ advertiser })
  const url = SHEET.replace('0123456789', String(client.user.id).padStart(10, '0'))
  await api.db
    .insertInto('spreadsheet_binding')
    .values({
      spreadsheet_id: SHEET_ID.replace('0123456789', String(client.user.id).padStart(10, '0')),
      advertiser,
      proven_by: client.user.id,
      proof: 'code',
    })
    .execute()
  const body = {
    name: 'Acme daily',
    spreadsheet_url: url,
    sheet_name: 'Data',
    start_cell: 'C4',
    dimensions: ['date', 'campaign'],
    channels: [{ channel: 'fb', accounts: [account], metrics: ['impressions', 'clicks', 'cost', 'ctr'] }],
    update_frequency: 2,
  }
  return { ...client, advertiser, account, body }
}
