import { createServer } from 'node:http'
import { parentPort } from 'node:worker_threads'

// Accepts every body and stores nothing: only the writer is measured. One tab as wide as the table, nothing
// written yet.
const structure = JSON.stringify({
  spreadsheetId: 'S',
  properties: { title: 'S' },
  sheets: [
    {
      properties: {
        sheetId: 0,
        title: 'T',
        sheetType: 'GRID',
        gridProperties: { rowCount: 1000, columnCount: 16 },
      },
    },
  ],
})
const replies: [RegExp, string][] = [
  [/^\/token/, JSON.stringify({ access_token: 'sink', expires_in: 3599, token_type: 'Bearer' })],
  [/^GET/, structure],
]
/** As to any write; the last members are what google-spreadsheet reads. */
const written = JSON.stringify({
  spreadsheetId: 'S',
  updates: { updatedRange: 'T!A2:P2', updatedData: { values: [] } },
  updatedData: { values: [Array.from({ length: 16 }, (_, index) => `c${index}`)] },
})

const server = createServer((request, response) => {
  request.on('data', () => {})
  request.on('end', () => {
    const reply = replies.find(
      ([pattern]) => pattern.test(request.url ?? '') || pattern.test(request.method ?? ''),
    )
    response.writeHead(200, { 'content-type': 'application/json; charset=UTF-8' })
    response.end(reply?.[1] ?? written)
  })
})
if (parentPort) server.listen(0, '127.0.0.1', () => parentPort?.postMessage(server.address()))
