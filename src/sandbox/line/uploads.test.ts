import { describe, expect, test } from 'vitest'
import { hashedIdentifier } from '#sandbox/dataset/mail-people.ts'
import { type Client, type Reply, sign, startClient } from '#sandbox/testing/line.ts'
import { resetAfterEach } from '#sandbox/testing/reset.ts'

const NOON = '2026-11-20T04:00:00Z'
const AURORA = 'A37000000037'
const CEDAR = 'A39000000039'
const KEY = 'sandbox-agency'

const line = resetAfterEach(await startClient(NOON))

const at = (now: string) => line.control('PUT', 'clock', { now, speed: 0 })
const A_MINUTE_LATER = '2026-11-20T04:01:00Z'
type Form = Parameters<typeof hashedIdentifier>[1]
const hashes = (from: number, to: number, form: Form = 'email') =>
  Array.from({ length: to - from }, (_, index) => hashedIdentifier(from + index, form))
const fields = { name: 'VIP', action: 'ADD', idType: 'HASHED_EMAIL' }
const fileOf = (lines: string[], name = 'people.txt') => ({ name, text: lines.join('\n') })
const upload = (more: Record<string, string>, lines: string[], key = KEY, account = AURORA) =>
  line.upload(
    `adaccounts/${account}/custom-audiences/upload`,
    { fields: { ...fields, ...more }, file: fileOf(lines) },
    key,
  )
const more = (id: string, action: string, lines: string[]) => {
  const body = { fields: { id, action, idType: 'HASHED_EMAIL' }, file: fileOf(lines) }
  return line.upload(`adaccounts/${AURORA}/custom-audiences/upload`, body)
}
const send = (path: string, options: Parameters<Client['send']>[1] = {}) =>
  line.send(`adaccounts/${AURORA}/custom-audiences/${path}`, { key: KEY, ...options })
const read = async (id: string) => {
  const { body } = await line.send(`adaccounts/${AURORA}/custom-audiences?size=100`, { key: KEY })
  return body.audienceGroups.find((each: { id: string }) => each.id === id)
}
const reason = ({ status, body }: Reply) => [status, body.errors?.[0]?.reason, body.errors?.[0]?.property]

describe('an upload', () => {
  test('is accepted, and ready a minute later', async () => {
    const { status, body } = await upload({}, hashes(0, 5000))
    expect([status, body]).toEqual([
      202,
      {
        id: expect.stringMatching(/^\d+$/),
        name: 'VIP',
        functionType: 'HASHED_EMAIL_UPLOAD',
        status: 'IN_PROGRESS',
        estimatedAudienceSize: '-',
        created: '2026-11-20T12:00:00+08:00',
      },
    ])
    await at(A_MINUTE_LATER)
    expect(await read(body.id)).toMatchObject({ status: 'READY', estimatedAudienceSize: '4000' })
  })

  test('of few people is described, not counted', async () => {
    const { body } = await upload({}, hashes(0, 120))
    await at(A_MINUTE_LATER)
    expect(await read(body.id)).toMatchObject({ status: 'READY', estimatedAudienceSize: '100 or fewer' })
  })

  test('finds phones in both forms', async () => {
    const phones = [...hashes(0, 1000, 'phone'), ...hashes(1000, 2000, 'phone_e164')]
    const { body } = await upload({ idType: 'HASHED_PHONE_NUMBER' }, phones)
    await at(A_MINUTE_LATER)
    expect(await read(body.id)).toMatchObject({
      functionType: 'HASHED_PHONE_NUMBER_UPLOAD',
      estimatedAudienceSize: '1600',
    })
  })

  test('adds to an audience or replaces it, one after the other', async () => {
    const { id } = (await upload({}, hashes(0, 1000))).body
    await more(id, 'ADD', hashes(900, 2000))
    const { jobs } = (await send(`${id}/upload-job`)).body
    expect(jobs).toMatchObject([
      { audienceGroupId: Number(id), audienceGroupJobId: 2, type: 'DIFF_ADD', jobStatus: 'QUEUED' },
      { audienceGroupId: Number(id), audienceGroupJobId: 1, jobStatus: 'WORKING', failedType: null },
    ])
    await at('2026-11-20T04:02:00Z')
    expect(await read(id)).toMatchObject({ estimatedAudienceSize: '1600' })
    await more(id, 'REPLACE', hashes(0, 500))
    expect(await read(id)).toMatchObject({ status: 'IN_PROGRESS', estimatedAudienceSize: '1600' })
    await at('2026-11-20T04:03:00Z')
    expect(await read(id)).toMatchObject({ status: 'READY', estimatedAudienceSize: '400' })
    expect((await send(`${id}/upload-job`)).body.jobs[0]).toMatchObject({
      type: 'REPLACE',
      jobStatus: 'FINISHED',
      audienceCount: 400,
    })
  })

  test('may fail later', async () => {
    await line.control('PUT', 'faults', [{ platform: 'line', action: 'upload_failed', count: 1 }])
    const { id } = (await upload({}, hashes(0, 1000))).body
    await at(A_MINUTE_LATER)
    expect(await read(id)).toMatchObject({ status: 'FAILED', estimatedAudienceSize: '-' })
    expect((await send(`${id}/upload-job`)).body.jobs).toMatchObject([
      { jobStatus: 'FAILED', failedType: 'INTERNAL_ERROR' },
    ])
  })

  test('that replaces is one of three of an account at a time', async () => {
    const ids = []
    for (let index = 0; index < 4; index++) ids.push((await upload({}, hashes(0, 10))).body.id)
    const statuses = []
    for (const id of ids) statuses.push((await more(id, 'REPLACE', hashes(0, 10))).status)
    expect(statuses).toEqual([202, 202, 202, 429])
    expect((await more(ids[3], 'ADD', hashes(0, 10))).status).toBe(202)
    await at('2026-11-20T04:03:00Z')
    expect((await more(ids[3], 'REPLACE', hashes(0, 10))).status).toBe(202)
  })

  test('takes as long as it is set', async () => {
    await line.control('PUT', 'limits', { line_fill_s: 0 })
    const { id } = (await upload({}, hashes(0, 1000))).body
    expect(await read(id)).toMatchObject({ status: 'READY', estimatedAudienceSize: '800' })
  })

  test('is logged as how many lines it has', async () => {
    const lines = hashes(0, 4)
    await upload({}, [...lines, ''])
    const log = (await line.control('GET', 'requests')).body
    expect(log.requests.at(-1)).toMatchObject({ account: AURORA, counts: { lines: 4 } })
    expect(JSON.stringify(log)).not.toContain(lines[0])
  })
})

describe('an upload is refused', () => {
  test.each([
    ['with a heading', {}, ['email', ...hashes(0, 2)], [400, 'INVALID_FORMAT', 'file']],
    ['without a line', {}, [], [400, 'INVALID_FORMAT', 'file']],
    ['without a name', { name: '' }, hashes(0, 1), [400, 'REQUIRED', 'name']],
    ['with a long name', { name: 'x'.repeat(121) }, hashes(0, 1), [400, 'OUT_OF_RANGE', 'name']],
    ['with a name and an id', { id: '9100000001' }, hashes(0, 1), [400, 'REQUIRED', 'name']],
    ['to remove', { action: 'REMOVE' }, hashes(0, 1), [400, 'INVALID_ENUM', 'action']],
    ['of names', { idType: 'NAME' }, hashes(0, 1), [400, 'INVALID_ENUM', 'idType']],
    ['with what LINE does not know', { colour: 'red' }, hashes(0, 1), [400, 'INVALID_REQUEST', 'colour']],
  ] as const)('%s', async (_, changes, lines, expected) => {
    expect(reason(await upload(changes, [...lines]))).toEqual(expected)
  })

  test('of another type than the audience, of no file and to no audience', async () => {
    const { id } = (await upload({}, hashes(0, 10))).body
    const path = `adaccounts/${AURORA}/custom-audiences/upload`
    const changed = { id, action: 'ADD', idType: 'HASHED_PHONE_NUMBER' }
    const phones = { fields: changed, file: fileOf(hashes(0, 10, 'phone')) }
    expect(reason(await line.upload(path, phones))).toEqual([400, 'INVALID_VALUE', 'idType'])
    expect(reason(await line.upload(path, { fields }))).toEqual([400, 'REQUIRED', 'file'])
    const table = { fields, file: fileOf(hashes(0, 1), 'people.xlsx') }
    expect(reason(await line.upload(path, table))).toEqual([400, 'INVALID_FORMAT', 'file'])
    expect(reason(await more('9100000099', 'ADD', hashes(0, 1)))).toEqual([
      400,
      'ENTITY_NOT_FOUND_INVALID_ID',
      'id',
    ])
    expect(reason(await send('upload', { method: 'POST', body: fields }))).toEqual([
      400,
      'REQUIRED_REQUEST_BODY',
      undefined,
    ])
  })

  test('of device ids, and to audiences that were always there, as not emulated', async () => {
    expect((await upload({ idType: 'IFA' }, hashes(0, 1))).status).toBe(501)
    expect((await more('9000003700', 'ADD', hashes(0, 1))).status).toBe(501)
  })

  test('when its body is part of the signature', async () => {
    const path = `/api/v3/adaccounts/${AURORA}/custom-audiences/upload`
    const type = 'multipart/form-data; boundary=x'
    const body = '--x\r\ncontent-disposition: form-data; name="name"\r\n\r\nVIP\r\n--x--\r\n'
    const signed = (of: object) => sign({ key: KEY, secret: KEY, path, now: new Date(NOON), ...of })
    const post = async (of: object) =>
      (await line.bare(path, 'POST', { ...signed(of), 'content-type': type }, body)).status
    expect(await post({ body, type: 'multipart/form-data' })).toBe(401)
    expect(await post({ type })).toBe(401)
    expect(await post({ type: 'multipart/form-data' })).toBe(400)
  })
})

describe('roles', () => {
  test('only data providers upload; ad tech partners read', async () => {
    const { id } = (await upload({}, hashes(0, 10))).body
    const denied = [403, 'PARTNER_PERMISSION_DENIED', undefined]
    expect(reason(await upload({}, hashes(0, 10), 'sandbox-admin'))).toEqual(denied)
    expect(reason(await send(id, { method: 'POST', body: { name: 'x' }, key: 'sandbox-admin' }))).toEqual(
      denied,
    )
    expect((await send(`${id}/upload-job`, { key: 'sandbox-admin' })).status).toBe(200)
    expect(reason(await send(`${id}/upload-job`, { key: 'sandbox-reporting' }))).toEqual(denied)
    expect(reason(await upload({}, hashes(0, 10), 'sandbox-reporting'))).toEqual(denied)
  })

  test('an account may grant nothing of audiences', async () => {
    expect(reason(await upload({}, hashes(0, 10), KEY, CEDAR))).toEqual([
      403,
      'PARTNER_PERMISSION_DENIED',
      undefined,
    ])
    const list = await line.send(`adaccounts/${CEDAR}/custom-audiences`, { key: KEY })
    expect(reason(list)[1]).toBe('PARTNER_PERMISSION_DENIED')
  })
})

describe('an audience', () => {
  test('is listed beside those that were always there, renamed and deleted', async () => {
    const { id } = (await upload({}, hashes(0, 10))).body
    const renamed = await send(id, { method: 'POST', body: { name: 'VIP 2027' } })
    expect([renamed.status, renamed.body]).toMatchObject([200, { id, name: 'VIP 2027' }])
    const found = await line.send(`adaccounts/${AURORA}/custom-audiences?name=vip`, { key: KEY })
    expect(found.body).toMatchObject({ totalElements: 1, audienceGroups: [{ id }] })
    const { status, bytes } = await send(`${id}?ids=${id}`, { method: 'DELETE' })
    expect([status, bytes.length]).toEqual([202, 0])
    expect(await read(id)).toBeUndefined()
    expect(await read('9000003700')).toMatchObject({ name: 'Buyers' })
  })

  test('is deleted by its id twice, and by its own account', async () => {
    const { id } = (await upload({}, hashes(0, 10))).body
    const remove = async (query: string) => reason(await send(`${id}${query}`, { method: 'DELETE' }))
    expect(await remove('')).toEqual([400, 'REQUIRED', 'ids'])
    expect(await remove('?ids=1')).toEqual([400, 'INVALID_VALUE', 'ids'])
    expect(reason(await send(id, { method: 'POST', body: { colour: 'red' } }))).toEqual([
      400,
      'INVALID_REQUEST',
      'colour',
    ])
    const elsewhere = `adaccounts/A38000000038/custom-audiences/${id}?ids=${id}`
    expect(reason(await line.send(elsewhere, { method: 'DELETE', key: KEY }))[1]).toBe(
      'ENTITY_NOT_FOUND_INVALID_ID',
    )
  })

  test('is forgotten by a reset', async () => {
    const { id } = (await upload({}, hashes(0, 10))).body
    await line.control('POST', 'reset', {})
    await at(NOON)
    expect(await read(id)).toBeUndefined()
  })
})
