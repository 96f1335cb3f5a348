import { hash } from 'node:crypto'
import { describe, expect, test } from 'vitest'
import { hashedIdentifier } from '#sandbox/dataset/mail-people.ts'
import { startClient } from '#sandbox/testing/tiktok.ts'
import { resetAfterEach } from '#sandbox/testing/reset.ts'
import type { Reply } from '#sandbox/testing/reply.ts'

const AURORA = '7012345678901230032'
const FJORD = '7012345678901230036'
const ELSEWHERE = '7012345678901230161'

const client = resetAfterEach(await startClient())

type Form = 'email' | 'phone_e164'
const TYPES = { email: 'EMAIL_SHA256', phone_e164: 'PHONE_SHA256' }
const hashes = (from: number, to: number, form: Form = 'email') =>
  Array.from({ length: to - from }, (_, index) => hashedIdentifier(from + index, form))
const post = (path: string, more: object, token?: string) =>
  client.post(`dmp/custom_audience/${path}/`, { advertiser_id: AURORA, ...more }, token)
const upload = (lines: string[], more: Record<string, string> = {}, fileName = 'people.csv') => {
  const text = lines.join('\n')
  const fields = { advertiser_id: AURORA, calculate_type: 'EMAIL_SHA256', file_signature: hash('md5', text) }
  return client.upload({ ...fields, ...more }, { name: fileName, text })
}
const pathOf = async (lines: string[], form: Form = 'email') =>
  (await upload(lines, { calculate_type: TYPES[form] })).body.data.file_path as string
const made = async (lines: string[], more: object = {}) => {
  const body = {
    custom_audience_name: 'VIP',
    calculate_type: 'EMAIL_SHA256',
    file_paths: [await pathOf(lines)],
  }
  return (await post('create', { ...body, ...more })).body.data.custom_audience_id as string
}
const update = async (id: string, action: string, lines: string[]) =>
  post('update', { custom_audience_id: id, action, file_paths: [await pathOf(lines)] })
const read = async (id: string, advertiser_id = AURORA) => {
  const { body } = await client.get('dmp/custom_audience/get/', { advertiser_id, custom_audience_ids: [id] })
  return body.data.list?.[0]?.audience_details
}
const at = (now: string) => client.control('PUT', 'clock', { now, speed: 0 })
const A_MINUTE_LATER = '2026-11-20T04:01:00Z'
const refusal = ({ body }: Reply) => [body.code, body.message]

describe('a file', () => {
  test('is given a path, and logged as how many lines it has', async () => {
    const lines = hashes(0, 3)
    const { body } = await upload([...lines, ''])
    expect(body.data).toEqual({ file_path: expect.stringMatching(/people\.csv$/) })
    const log = (await client.control('GET', 'requests')).body
    expect(log.requests.at(-1)).toMatchObject({ account: AURORA, counts: { lines: 3 } })
    expect(JSON.stringify(log)).not.toContain(lines[0])
  })

  test.each([
    ['with the MD5 of another one', { file_signature: hash('md5', 'x') }, 'people.csv', /MD5/],
    ['without a signature', { file_signature: '' }, 'people.csv', /file_signature: Missing/],
    ['that is no text', {}, 'people.xlsx', /Only csv and txt/],
    ['named like none', { file_name: 'people.zip' }, 'people.csv', /Only csv and txt/],
    ['of nothing that TikTok knows', { calculate_type: 'MOON' }, 'people.csv', /calculate_type/],
    ['with a field that TikTok does not know', { colour: 'red' }, 'people.csv', /Unknown field/],
  ])('%s is refused', async (_, more, name, message) => {
    expect(refusal(await upload(hashes(0, 3), more, name))).toEqual([40002, expect.stringMatching(message)])
  })

  test('has lines, and comes as a form', async () => {
    expect(refusal(await upload([]))).toEqual([40002, expect.stringContaining('empty')])
    expect(refusal(await client.upload({ advertiser_id: AURORA, calculate_type: 'EMAIL_SHA256' }))).toEqual([
      40002,
      expect.stringContaining('file: Missing'),
    ])
    expect(refusal(await post('file/upload', {}))).toEqual([40002, expect.stringContaining('multipart')])
  })

  test('of device ids is more than the sandbox does', async () => {
    expect((await upload(hashes(0, 3), { calculate_type: 'IDFA_SHA256' })).status).toBe(501)
  })
})

describe('an audience', () => {
  test('is filled within a minute with the people that TikTok knows', async () => {
    const id = await made([...hashes(0, 5000), ...hashes(0, 10)])
    expect(await read(id)).toMatchObject({ audience_id: id, name: 'VIP', is_valid: false, cover_num: 0 })
    await at(A_MINUTE_LATER)
    expect(await read(id)).toMatchObject({ is_valid: true, cover_num: 2500, owner_id: AURORA })
  })

  test('of fewer than a thousand people is never valid', async () => {
    const id = await made(hashes(0, 120))
    await at(A_MINUTE_LATER)
    expect(await read(id)).toMatchObject({ is_valid: false, cover_num: 60 })
  })

  test('finds phones by their form with a plus', async () => {
    const path = await pathOf(hashes(0, 5000, 'phone_e164'), 'phone_e164')
    const id = await made([], { calculate_type: 'PHONE_SHA256', file_paths: [path] })
    await at(A_MINUTE_LATER)
    expect(await read(id)).toMatchObject({ calculate_type: 'PHONE_SHA256', cover_num: 2500 })
  })

  test('takes as long to be filled as it is set', async () => {
    await client.control('PUT', 'limits', { tiktok_fill_s: 0 })
    expect(await read(await made(hashes(0, 5000)))).toMatchObject({ is_valid: true, cover_num: 2500 })
    expect((await client.control('PUT', 'limits', { tiktok_fill_s: -1 })).status).toBe(400)
  })

  test('expires after its retention, or a year after its last use', async () => {
    const short = await made(hashes(0, 5000), { retention_in_days: 30 })
    const usual = await made(hashes(0, 5000))
    expect(await read(short)).toMatchObject({ expired_time: '2026-12-20 04:00:00' })
    expect(await read(usual)).toMatchObject({ expired_time: '2027-11-20 04:00:00', is_expiring: false })
    await at('2026-12-20T04:00:00Z')
    expect([(await read(short)).is_valid, (await read(usual)).is_valid]).toEqual([false, true])
  })

  test.each([
    ['a file of another type', { calculate_type: 'PHONE_SHA256' }, /calculate_type/],
    ['a name of 129 characters', { custom_audience_name: 'x'.repeat(129) }, /Longer than 128/],
    ['fifty files', { file_paths: Array.from({ length: 50 }, (_, index) => `${index}`) }, /between 1 and 49/],
    ['a file that does not exist', { file_paths: ['other.csv'] }, /does not exist/],
    ['a retention of more than a year', { retention_in_days: 366 }, /between 1 and 365/],
    ['a retention of no day', { retention_in_days: 0 }, /between 1 and 365/],
    ['what TikTok does not know', { colour: 'red' }, /Unknown field/],
  ])('is not made of %s', async (_, more, message) => {
    const file_paths = [await pathOf(hashes(0, 3))]
    const body = { custom_audience_name: 'VIP', calculate_type: 'EMAIL_SHA256', file_paths, ...more }
    expect(refusal(await post('create', body))).toEqual([40002, expect.stringMatching(message)])
  })

  test('is listed before those that were always there, until it is deleted', async () => {
    const names = async () => {
      const { body } = await client.get('dmp/custom_audience/list/', { advertiser_id: AURORA })
      return body.data.list.map((each: { name: string }) => each.name)
    }
    const [id, twin] = [await made(hashes(0, 3)), await made(hashes(0, 3))]
    expect((await names()).slice(0, 3)).toEqual(['VIP', 'VIP', 'Buyers'])
    expect((await post('delete', { custom_audience_ids: [id, twin] })).body).toMatchObject({ code: 0 })
    expect((await names())[0]).toBe('Buyers')
    expect((await post('delete', { custom_audience_ids: [id] })).body.code).toBe(40007)
    expect((await post('delete', { custom_audience_ids: [] })).body.code).toBe(40002)
    expect((await post('delete', { custom_audience_ids: ['190003200'] })).status).toBe(501)
    const gone = { advertiser_id: AURORA, custom_audience_ids: [id] }
    expect((await client.get('dmp/custom_audience/get/', gone)).body.code).toBe(40007)
  })

  test('is found by its id in the list', async () => {
    const id = await made(hashes(0, 3))
    const parameters = { advertiser_id: AURORA, custom_audience_ids: [id] }
    const { body } = await client.get('dmp/custom_audience/list/', parameters)
    expect(body.data.list).toMatchObject([{ audience_id: id, is_creator: true, shared: false }])
  })
})

describe('an update', () => {
  test('adds, removes and replaces, and keeps a history', async () => {
    const id = await made(hashes(0, 4000))
    await at(A_MINUTE_LATER)
    await update(id, 'APPEND', hashes(3990, 5000))
    expect(await read(id)).toMatchObject({ is_valid: false, cover_num: 2000 })
    await at('2026-11-20T04:02:00Z')
    expect(await read(id)).toMatchObject({ is_valid: true, cover_num: 2500 })
    await update(id, 'REMOVE', hashes(0, 10))
    await at('2026-11-20T04:03:00Z')
    expect((await read(id)).cover_num).toBe(2495)
    await update(id, 'REPLACE', hashes(0, 2000))
    await at('2026-11-20T04:04:00Z')
    expect((await read(id)).cover_num).toBe(1000)
    const parameters = { advertiser_id: AURORA, custom_audience_ids: [id], history_size: 2 }
    const { body } = await client.get('dmp/custom_audience/get/', parameters)
    expect(body.data.list[0].audience_history).toMatchObject([{ action: 'replace' }, { action: 'remove' }])
  })

  test('replaces where it does not say what it does, and renames', async () => {
    const id = await made(hashes(0, 4000))
    await post('update', { custom_audience_id: id, file_paths: [await pathOf(hashes(0, 2000))] })
    await post('update', { custom_audience_id: id, custom_audience_name: 'VIP 2027' })
    await at(A_MINUTE_LATER)
    expect(await read(id)).toMatchObject({ name: 'VIP 2027', cover_num: 1000 })
    expect((await post('update', { custom_audience_id: id })).body.code).toBe(40002)
  })

  test('leaves a thousand people at least', async () => {
    const id = await made(hashes(0, 2000))
    const removed = await update(id, 'REMOVE', hashes(0, 1))
    expect(refusal(removed)).toEqual([40002, expect.stringContaining('less than 1000')])
    expect((await update(id, 'REPLACE', hashes(0, 1994))).body.code).toBe(40002)
    expect((await update(id, 'REMOVE', hashes(5, 10))).body.code).toBe(0)
  })

  test('waits while another one replaces', async () => {
    const id = await made(hashes(0, 2000))
    expect((await update(id, 'REPLACE', hashes(0, 3000))).body.code).toBe(0)
    const second = await update(id, 'REPLACE', hashes(0, 4000))
    expect(refusal(second)).toEqual([40002, expect.stringContaining('being updated')])
    expect((await update(id, 'APPEND', hashes(0, 10))).body.code).toBe(0)
    await at(A_MINUTE_LATER)
    expect((await update(id, 'REPLACE', hashes(0, 4000))).body.code).toBe(0)
  })

  test('is for its owner and for customer files alone', async () => {
    const id = await made(hashes(0, 5000))
    const share = { custom_audience_ids: [id], shared_advertiser_ids: [FJORD] }
    expect((await post('share', share)).body.code).toBe(0)
    expect(await read(id, FJORD)).toMatchObject({ is_creator: false, shared: true })
    const renamed = { advertiser_id: FJORD, custom_audience_id: id, custom_audience_name: 'Mine' }
    expect((await post('update', renamed)).body.code).toBe(40007)
    const static_id = { custom_audience_id: '190003200', custom_audience_name: 'Mine' }
    expect((await post('update', static_id)).status).toBe(501)
    expect((await post('share', { ...share, shared_advertiser_ids: [ELSEWHERE] })).body.code).toBe(40001)
    await post('delete', { custom_audience_ids: [id] })
    expect(await read(id, FJORD)).toBeUndefined()
  })
})

test('what TikTok has for audiences beside these is not emulated', async () => {
  for (const path of [
    'dmp/custom_audience/lookalike/create/',
    'dmp/saved_audience/list/',
    'segment/audience/',
  ])
    expect((await client.post(path, {})).status).toBe(501)
})

test('a reset forgets files and audiences', async () => {
  const id = await made(hashes(0, 3))
  await client.control('POST', 'reset', {})
  expect(await read(id)).toBeUndefined()
})
