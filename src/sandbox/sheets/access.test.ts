import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { assertion, OWNER, refusal, requestToken, startSheets } from '#sandbox/testing/sheets.ts'
import { SYSTEM_USER } from '#sandbox/oauth/key-pair.ts'

let harness: Awaited<ReturnType<typeof startSheets>>
beforeAll(async () => {
  harness = await startSheets()
  harness.control.setQuota({ per_user: 10_000, per_project: 10_000 })
})
afterAll(() => harness.stop())

const GUEST = 'guest@example.com'
const firstRow = { sheetId: 0, startRowIndex: 0, endRowIndex: 1, startColumnIndex: 0, endColumnIndex: 3 }

describe('a token', () => {
  const client = (claims: Record<string, unknown>, key = harness.control.serviceAccountKey()) =>
    requestToken(
      harness.origin,
      assertion(key, { scope: 'https://www.googleapis.com/auth/spreadsheets', ...claims }),
    ).then(async response => ({ status: response.status, body: await response.json() }))

  it('is given for an assertion that the system user signed, for either audience', async () => {
    expect(await client({})).toEqual({
      status: 200,
      body: { access_token: expect.stringMatching(/^ya29\./), expires_in: 3599, token_type: 'Bearer' },
    })
    expect((await client({ aud: `${harness.origin}/token` })).status).toBe(200)
  })

  it('is refused for a wrong key, a stale or too long assertion and an unknown account', async () => {
    const { generateKeyPairSync } = await import('node:crypto')
    const options = {
      modulusLength: 2048,
      privateKeyEncoding: { type: 'pkcs8', format: 'pem' },
      publicKeyEncoding: { type: 'spki', format: 'pem' },
    } as const
    const key = {
      ...harness.control.serviceAccountKey(),
      private_key: generateKeyPairSync('rsa', options).privateKey,
    }
    expect(await client({}, key)).toEqual({
      status: 400,
      body: { error: 'invalid_grant', error_description: 'Invalid JWT Signature.' },
    })
    const now = Math.floor(Date.now() / 1000)
    const stale = { body: { error_description: expect.stringContaining('Check your iat and exp values') } }
    expect(await client({ iat: now - 7200, exp: now - 3600 })).toMatchObject(stale)
    expect(await client({ iat: now, exp: now + 3700 })).toMatchObject(stale)
    expect(await client({ iss: 'gone@x.iam.gserviceaccount.com' })).toMatchObject({
      body: { error: 'invalid_grant', error_description: 'Invalid grant: account not found' },
    })
  })

  it('stops working when it is revoked, and an unknown one never works', async () => {
    const id = await harness.create()
    await harness.share(id, SYSTEM_USER, 'reader')
    const system = await harness.systemUser()
    await system.sheets.spreadsheets.get({ spreadsheetId: id })
    harness.control.revokeTokens()
    expect((await refusal(system.sheets.spreadsheets.get({ spreadsheetId: id }))).code).toBe(401)
    const refused = await refusal(harness.clients('nonsense').sheets.spreadsheets.get({ spreadsheetId: id }))
    expect(refused.body).toMatchObject({ error: { code: 401, status: 'UNAUTHENTICATED' } })
  })

  it('without the scope is refused before anything else', async () => {
    const system = await harness.systemUser('https://www.googleapis.com/auth/spreadsheets.readonly')
    const refused = await refusal(
      system.sheets.spreadsheets.values.clear({ spreadsheetId: 'x', range: 'A1' }),
    )
    expect(refused.body).toMatchObject({
      error: { code: 403, details: [{ reason: 'ACCESS_TOKEN_SCOPE_INSUFFICIENT' }] },
    })
  })
})

describe('a spreadsheet', () => {
  it('is not created for a service account', async () => {
    const system = await harness.systemUser(
      'https://www.googleapis.com/auth/drive https://www.googleapis.com/auth/spreadsheets',
    )
    const refused = await refusal(system.sheets.spreadsheets.create({ requestBody: {} }))
    expect(refused.code).toBe(403)
    expect(JSON.stringify(refused.body)).toContain('storageQuotaExceeded')
    const created = system.drive.files.create({
      requestBody: { name: 'x', mimeType: 'application/vnd.google-apps.spreadsheet' },
    })
    expect((await refusal(created)).body).toMatchObject({
      error: { errors: [{ reason: 'storageQuotaExceeded' }] },
    })
  })

  it('does not exist for Drive, and is forbidden at Sheets, until it is shared', async () => {
    const id = await harness.create()
    const guest = harness.person(GUEST)
    expect((await refusal(guest.sheets.spreadsheets.get({ spreadsheetId: id }))).body).toMatchObject({
      error: { code: 403, status: 'PERMISSION_DENIED', message: 'The caller does not have permission' },
    })
    expect((await refusal(guest.drive.files.get({ fileId: id }))).body).toMatchObject({
      error: {
        code: 404,
        message: `File not found: ${id}.`,
        errors: [{ reason: 'notFound', location: 'fileId' }],
      },
    })
    expect((await refusal(guest.sheets.spreadsheets.get({ spreadsheetId: 'missing' }))).body).toMatchObject({
      error: { code: 404, status: 'NOT_FOUND', message: 'Requested entity was not found.' },
    })
  })

  it.each([
    ['reader', { canEdit: false, canModifyContent: false }, 403],
    ['commenter', { canEdit: false, canModifyContent: false }, 403],
    ['writer', { canEdit: true, canModifyContent: true }, 200],
  ])('shared with a %s gives these capabilities: %j', async (role, capabilities, code) => {
    const id = await harness.create()
    await harness.share(id, GUEST, role)
    const guest = harness.person(GUEST)
    const fields = 'id,trashed,capabilities(canEdit,canModifyContent)'
    const { data } = await guest.drive.files.get({ fileId: id, supportsAllDrives: true, fields })
    expect(data).toEqual({ id, trashed: false, capabilities })
    await guest.sheets.spreadsheets.values.get({ spreadsheetId: id, range: 'A1' })
    const write = guest.sheets.spreadsheets.values.update({
      spreadsheetId: id,
      range: 'A1',
      valueInputOption: 'RAW',
      requestBody: { values: [[1]] },
    })
    expect(code === 200 ? (await write).status : (await refusal(write)).code).toBe(code)
  })

  it('shows who else has it only to those who may share it', async () => {
    const id = await harness.create()
    await harness.share(id, GUEST, 'reader')
    const guest = harness.person(GUEST)
    expect((await guest.drive.files.get({ fileId: id, fields: 'id,permissions' })).data).toEqual({ id })
    expect((await refusal(guest.drive.permissions.list({ fileId: id }))).body).toMatchObject({
      error: { code: 403, errors: [{ reason: 'insufficientFilePermissions' }] },
    })
    const { data } = await harness.owner.drive.permissions.list({
      fileId: id,
      fields: 'permissions(role,emailAddress)',
    })
    expect(data.permissions).toEqual([
      { role: 'owner', emailAddress: OWNER },
      { role: 'reader', emailAddress: GUEST },
    ])
  })

  it('is no longer reachable after the share was changed and removed', async () => {
    const id = await harness.create()
    const { data } = await harness.share(id, GUEST, 'writer')
    const permissionId = data.id ?? ''
    await harness.owner.drive.permissions.update({
      fileId: id,
      permissionId,
      requestBody: { role: 'reader' },
    })
    const guest = harness.person(GUEST)
    expect(
      (await refusal(guest.sheets.spreadsheets.values.clear({ spreadsheetId: id, range: 'A1' }))).code,
    ).toBe(403)
    await harness.owner.drive.permissions.delete({ fileId: id, permissionId })
    expect((await refusal(guest.sheets.spreadsheets.get({ spreadsheetId: id }))).code).toBe(403)
  })

  it('shared by link is readable by everyone and listed for no one else', async () => {
    const id = await harness.create()
    await harness.owner.drive.permissions.create({
      fileId: id,
      requestBody: { type: 'anyone', role: 'reader' },
    })
    const outsider = harness.person('stranger@example.com')
    await outsider.sheets.spreadsheets.get({ spreadsheetId: id })
    expect((await outsider.drive.files.list({})).data.files ?? []).toEqual([])
  })

  it('that is trashed or locked says so', async () => {
    const id = await harness.create()
    await harness.share(id, GUEST, 'writer')
    await harness.owner.drive.files.update({ fileId: id, requestBody: { trashed: true } })
    await harness.owner.drive.files.update({
      fileId: id,
      requestBody: { contentRestrictions: [{ readOnly: true, reason: 'done' }] },
    })
    const fields = 'trashed,capabilities(canEdit,canModifyContent),contentRestrictions(readOnly,reason)'
    const { data } = await harness.person(GUEST).drive.files.get({ fileId: id, fields })
    expect(data).toEqual({
      trashed: true,
      capabilities: { canEdit: true, canModifyContent: false },
      contentRestrictions: [{ readOnly: true, reason: 'done' }],
    })
    expect((await refusal(harness.write(id, 'A1', [[1]]))).code).toBe(403)
  })

  it('that is an Office file is no document for Sheets', async () => {
    const mimeType = 'application/vnd.openxmlformats-officedocument.spreadsheetml.sheet'
    const { data } = await harness.owner.drive.files.create({
      requestBody: { name: 'Budget.xlsx', mimeType },
    })
    const refused = await refusal(harness.owner.sheets.spreadsheets.get({ spreadsheetId: data.id ?? '' }))
    expect(refused.body).toEqual({
      error: {
        code: 400,
        message: 'This operation is not supported for this document',
        status: 'FAILED_PRECONDITION',
      },
    })
  })
})

describe('files.list', () => {
  it('pages through what the caller has, by kind and whereabouts', async () => {
    const lister = harness.person('lister@example.com')
    for (const title of ['one', 'two', 'three']) {
      await lister.sheets.spreadsheets.create({ requestBody: { properties: { title } } })
    }
    const { data: all } = await lister.drive.files.list({ fields: 'files(id,name)' })
    await lister.drive.files.update({ fileId: all.files?.[1]?.id ?? '', requestBody: { trashed: true } })
    const q = "mimeType='application/vnd.google-apps.spreadsheet' and trashed=false"
    const { data: page } = await lister.drive.files.list({ q, pageSize: 1 })
    expect(page.files?.map(file => file.name)).toEqual(['one'])
    const { data: rest } = await lister.drive.files.list({
      q,
      pageSize: 1,
      pageToken: page.nextPageToken ?? '',
    })
    expect(rest.files?.map(file => file.name)).toEqual(['three'])
    expect(rest.nextPageToken).toBeUndefined()
    expect((await refusal(lister.drive.files.list({ q: 'nonsense' }))).body).toMatchObject({
      error: { errors: [{ reason: 'invalid', location: 'q' }] },
    })
  })

  it('refuses fields and parameters that do not exist', async () => {
    const refused = await refusal(harness.owner.drive.files.list({ fields: 'files(idd)' }))
    expect(refused.message).toBe('Invalid field selection files.idd')
  })
})

describe('a protected range', () => {
  const protect = async (protectedRange: object) => {
    const id = await harness.create({ title: 'T', gridProperties: { rowCount: 20, columnCount: 6 } })
    await harness.share(id, GUEST, 'writer')
    await harness.batch(id, { addProtectedRange: { protectedRange } })
    const guest = harness.person(GUEST)
    const write = (range: string) =>
      guest.sheets.spreadsheets.values.update({
        spreadsheetId: id,
        range,
        valueInputOption: 'RAW',
        requestBody: { values: [[1]] },
      })
    return { id, guest, write }
  }

  it("refuses those who are not on its list, whole and with Google's words", async () => {
    const { id, guest, write } = await protect({ range: firstRow })
    const refused = await refusal(write('B1'))
    expect(refused.body).toMatchObject({
      error: {
        code: 400,
        message:
          'You are trying to edit a protected cell or object. Please contact the spreadsheet owner to remove protection if you need to edit.',
      },
    })
    expect((await write('B2')).status).toBe(200)
    await harness.write(id, 'B1', [[1]])
    const fields = 'sheets.protectedRanges'
    const { data } = await guest.sheets.spreadsheets.get({ spreadsheetId: id, fields })
    expect(data.sheets?.[0]?.protectedRanges?.[0]).not.toHaveProperty('requestingUserCanEdit')
  })

  it('lets through its editors, its holes, and everyone when it only warns', async () => {
    const listed = await protect({ range: firstRow, editors: { users: [GUEST] } })
    expect((await listed.write('B1')).status).toBe(200)
    const holed = await protect({ range: { sheetId: 0 }, unprotectedRanges: [firstRow] })
    expect((await holed.write('B1')).status).toBe(200)
    expect((await refusal(holed.write('B2'))).code).toBe(400)
    const warning = await protect({ range: firstRow, warningOnly: true })
    expect((await warning.write('B1')).status).toBe(200)
  })

  it('of a whole tab also protects its size, and must be the only one', async () => {
    const { id, guest } = await protect({ range: { sheetId: 0 } })
    const requests = [{ appendDimension: { sheetId: 0, dimension: 'ROWS', length: 1 } }]
    const grow = guest.sheets.spreadsheets.batchUpdate({ spreadsheetId: id, requestBody: { requests } })
    expect((await refusal(grow)).message).toMatch(
      /^Invalid requests\[0\]\.appendDimension: You are trying to edit a protected cell/,
    )
    const again = harness.batch(id, { addProtectedRange: { protectedRange: { range: { sheetId: 0 } } } })
    expect((await refusal(again)).message).toContain('Sheet "T" already has sheet protection.')
  })
})
