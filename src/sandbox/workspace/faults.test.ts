import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { OWNER, refusal, startSheets } from '#sandbox/testing/sheets.ts'

let harness: Awaited<ReturnType<typeof startSheets>>
beforeAll(async () => void (harness = await startSheets()))
beforeEach(() => harness.control.reset({ keep_files: true }))
afterAll(() => harness.stop())

const arm = (fault: object) =>
  harness.control.setFaults([{ platform: 'sheets', method: 'PUT', path: '/values/', ...fault }])
const put = (id: string) =>
  fetch(`${harness.origin}/v4/spreadsheets/${id}/values/A1?valueInputOption=RAW`, {
    method: 'PUT',
    headers: { authorization: `Bearer sandbox-user:${OWNER}` },
    body: JSON.stringify({ values: [['x']] }),
  })

describe('a fault', () => {
  it.each([
    ['429', 429, 'RESOURCE_EXHAUSTED'],
    ['500', 500, 'INTERNAL'],
    ['503', 503, 'UNAVAILABLE'],
    ['expired_token', 401, 'UNAUTHENTICATED'],
    ['forbidden', 403, 'PERMISSION_DENIED'],
  ])('%s is the response as often as it was armed, and nothing is done', async (action, code, status) => {
    const id = await harness.create()
    arm({ action, skip: 1, count: 2 })
    expect((await put(id)).status).toBe(200)
    await harness.owner.sheets.spreadsheets.values.clear({ spreadsheetId: id, range: 'A1' })
    for (let i = 0; i < 2; i++) {
      const response = await put(id)
      expect(response.status).toBe(code)
      expect(await response.json()).toMatchObject({ error: { code, status } })
    }
    expect(await harness.values(id, 'A1')).toBeUndefined()
    expect((await put(id)).status).toBe(200)
    expect(harness.control.getFaults()).toEqual([])
  })

  it('drop_before_commit cuts the connection and does nothing', async () => {
    const id = await harness.create()
    arm({ action: 'drop_before_commit' })
    await expect(put(id)).rejects.toThrow('fetch failed')
    expect(await harness.values(id, 'A1')).toBeUndefined()
  })

  it('drop_after_commit cuts the connection when all is done', async () => {
    const id = await harness.create()
    arm({ action: 'drop_after_commit' })
    await expect(put(id)).rejects.toThrow('fetch failed')
    expect(await harness.values(id, 'A1')).toEqual([['x']])
  })

  it('land_late cuts the connection and does it later', async () => {
    const id = await harness.create()
    arm({ action: 'land_late', delay_ms: 150 })
    await expect(put(id)).rejects.toThrow('fetch failed')
    expect(await harness.values(id, 'A1')).toBeUndefined()
    await expect.poll(() => harness.values(id, 'A1')).toEqual([['x']])
  })

  it('delay does it late, truncate returns half', async () => {
    const id = await harness.create()
    arm({ action: 'delay', delay_ms: 20 })
    expect((await put(id)).status).toBe(200)
    arm({ action: 'truncate' })
    const text = await (await put(id)).text()
    expect(() => JSON.parse(text)).toThrow(SyntaxError)
  })

  it('edit changes the spreadsheet as its owner first', async () => {
    const id = await harness.create({ title: 'T' })
    const rename = {
      updateSheetProperties: { properties: { sheetId: 0, title: 'Renamed' }, fields: 'title' },
    }
    harness.control.setFaults([
      { platform: 'sheets', action: 'edit', path: ':batchUpdate$', requests: [rename] },
    ])
    await harness.batch(id, { appendDimension: { sheetId: 0, dimension: 'ROWS', length: 1 } })
    expect(
      (await harness.owner.sheets.spreadsheets.get({ spreadsheetId: id })).data.sheets?.[0]?.properties
        ?.title,
    ).toBe('Renamed')
  })

  it('of Drive speaks Drive', async () => {
    const id = await harness.create()
    harness.control.setFaults([{ platform: 'drive', action: '429' }])
    expect((await refusal(harness.owner.drive.files.get({ fileId: id }))).body).toMatchObject({
      error: { code: 403, errors: [{ domain: 'usageLimits', reason: 'userRateLimitExceeded' }] },
    })
  })

  it('that is none is refused, and those armed before stay', () => {
    arm({ action: '500' })
    expect(() => harness.control.setFaults([{ platform: 'sheets', action: 'explode' }])).toThrow(
      'Invalid option',
    )
    expect(() => harness.control.setFaults([{ platform: 'sheets', action: '500', path: '(' }])).toThrow(
      'regular expression',
    )
    expect(harness.control.getFaults()).toHaveLength(1)
  })
})

describe('quotas', () => {
  it('let 60 writes a minute pass and refuse the 61st until a minute has gone', async () => {
    const id = await harness.create()
    harness.control.reset({ keep_files: true })
    for (let i = 0; i < 60; i++) expect((await put(id)).status).toBe(200)
    const response = await put(id)
    expect(response.status).toBe(429)
    expect(response.headers.get('retry-after')).toBeNull()
    expect(await response.json()).toMatchObject({
      error: {
        message:
          "Quota exceeded for quota metric 'Write requests' and limit 'Write requests per minute per user' of service 'sheets.googleapis.com' for consumer 'project_number:123456789012'.",
        status: 'RESOURCE_EXHAUSTED',
        details: [{ reason: 'RATE_LIMIT_EXCEEDED', metadata: { quota_limit_value: '60' } }, {}],
      },
    })
    expect((await harness.owner.sheets.spreadsheets.get({ spreadsheetId: id })).status).toBe(200)
    harness.time.now = new Date(harness.time.now.getTime() + 60_000)
    expect((await put(id)).status).toBe(200)
  })

  it('count all users of a project together', async () => {
    const id = await harness.create()
    harness.control.setQuota({ per_project: 2 })
    await harness.share(id, 'b@example.com', 'writer')
    const read = (email: string) => harness.person(email).sheets.spreadsheets.get({ spreadsheetId: id })
    await read(OWNER)
    await read('b@example.com')
    expect((await refusal(read('b@example.com'))).message).toContain("limit 'Read requests per minute'")
  })
})

describe('the journal', () => {
  it('names what was done, and not what was refused', async () => {
    const id = await harness.create()
    await harness.batch(id, { appendDimension: { sheetId: 0, dimension: 'ROWS', length: 1 } })
    await refusal(harness.batch(id, { deleteSheet: { sheetId: 5 } }))
    expect(harness.control.journal()).toMatchObject([
      { email: OWNER, spreadsheet_id: id, changes: ['create'] },
      { email: OWNER, spreadsheet_id: id, changes: ['appendDimension'] },
    ])
  })
})

describe('the folder', () => {
  it('stores spreadsheets, tokens and the key over a restart', async () => {
    const id = await harness.create()
    await harness.share(id, 'sheetcast@sheetcast-sandbox.iam.gserviceaccount.com', 'writer')
    const system = await harness.systemUser()
    await harness.write(id, 'A1', [['kept', 1.5, true, '=x']])
    const key = harness.control.serviceAccountKey()
    harness.reopen()
    expect(await harness.values(id, 'A1:D1')).toEqual([['kept', 1.5, true, '=x']])
    expect(harness.control.serviceAccountKey()).toEqual(key)
    expect((await system.sheets.spreadsheets.get({ spreadsheetId: id })).status).toBe(200)
  })
})
