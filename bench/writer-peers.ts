import { readFileSync } from 'node:fs'
import { request } from 'node:http'
import { auth, sheets } from '@googleapis/sheets'
import { GoogleSpreadsheet } from 'google-spreadsheet'

// Other writers, used as their documentation shows. Each sends the table as one body of 16 MB, which the
// service refuses from 10 MiB on; the sink accepts it. None replaces the table before it atomically.

interface PeerTable {
  origin: string
  header: string[]
  rows: (string | number)[][]
}

export const peers = [
  { name: 'bare: one body', write: sendWhole },
  { name: named('google-spreadsheet'), write: withGoogleSpreadsheet },
  // The client of the package googleapis (100 MB and more), for this service alone.
  { name: named('@googleapis/sheets'), write: withGoogleapis },
]

function named(name: string): string {
  const file = new URL(`../node_modules/${name}/package.json`, import.meta.url)
  const { version }: { version: string } = JSON.parse(readFileSync(file, 'utf8'))
  return `${name} ${version}`
}

async function withGoogleSpreadsheet({ origin, header, rows }: PeerTable): Promise<void> {
  const document = new GoogleSpreadsheet('S', { token: 'sink' })
  const sheetsApi = document.sheetsApi.extend({ prefix: `${origin}/v4/spreadsheets/S` })
  Object.assign(document, { sheetsApi })
  await document.loadInfo()
  const sheet = document.sheetsByIndex[0]
  await sheet?.setHeaderRow(header)
  await sheet?.addRows(rows, { raw: true })
}

async function withGoogleapis({ origin, header, rows }: PeerTable): Promise<void> {
  const client = new auth.OAuth2()
  client.setCredentials({ access_token: 'sink' })
  const service = sheets({ version: 'v4', auth: client, rootUrl: origin })
  await service.spreadsheets.values.update({
    spreadsheetId: 'S',
    range: `T!A1:P${rows.length + 1}`,
    valueInputOption: 'RAW',
    requestBody: { values: [header, ...rows] },
  })
}

function sendWhole({ origin, header, rows }: PeerTable) {
  return new Promise<void>((resolve, reject) => {
    const body = Buffer.from(JSON.stringify({ values: [header, ...rows] }))
    const headers = { 'content-type': 'application/json', 'content-length': body.length }
    request(`${origin}/x`, { method: 'PUT', headers }, response =>
      response.on('error', reject).on('end', resolve).resume(),
    )
      .on('error', reject)
      .end(body)
  })
}
