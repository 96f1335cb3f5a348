import { hash } from 'node:crypto'
import { existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, describe, expect, onTestFinished, test, vi } from 'vitest'
import { hashedIdentifier } from './dataset/mail-people.ts'
import { openMemory } from './memory.ts'
import type { SandboxOptions } from './sandbox.ts'
import * as google from './testing/data-manager.ts'
import * as line from './testing/line.ts'
import * as meta from './testing/meta.ts'
import { audienceCalls, OUTLET, stateOf, TAIPEI, upTo } from './testing/meta-audiences.ts'
import * as tiktok from './testing/tiktok.ts'

const dir = mkdtempSync(join(tmpdir(), 'memory-'))
afterAll(() => rmSync(dir, { recursive: true, force: true }))

const NOON = '2026-11-20T04:00:00Z'
const LATER = '2026-11-20T04:01:00Z'
const emails = (count: number) => upTo(count).map(person => hashedIdentifier(person, 'email'))

let files = 0
/** The same platform, started again and again on one file. */
function onOneFile<Client extends { sandbox: { stop(): Promise<void> } }>(
  start: (now: string, options: SandboxOptions) => Promise<Client>,
) {
  files += 1
  const file = join(dir, `${files}.json`)
  let running: Client | null = null
  onTestFinished(() => running?.sandbox.stop())
  return {
    file,
    async start(now = NOON) {
      await running?.sandbox.stop()
      running = await start(now, { memory: openMemory(file) })
      return running
    },
  }
}

describe('after a restart', () => {
  test('Meta has audiences with their people, shares and terms', async () => {
    const place = onOneFile(meta.startClient)
    const first = await place.start()
    const { create, add, upload } = audienceCalls(first)
    const id = await create()
    await add(id, upTo(5000))
    const session = { session_id: 77, batch_seq: 1, last_batch_flag: false }
    await upload(`${id}/users`, [[hashedIdentifier(5000, 'email'), 'mary@mail.demo']], session)
    await first.post(`${id}/adaccounts`, { adaccounts: [OUTLET.slice(4)] })
    await first.control('PUT', 'terms', { account: '10150622911041007' })

    const again = await place.start(LATER)
    const calls = audienceCalls(again)
    expect(stateOf(await calls.read(id))).toEqual([200, 200, 3400, 3600])
    expect((await again.get(`${id}/adaccounts`)).body.data).toEqual([{ id: OUTLET.slice(4) }])
    expect((await again.control('GET', 'terms')).body).toEqual({ not_accepted: [] })
    // The session goes on, and ids do not come twice.
    const next = { ...session, batch_seq: 2, last_batch_flag: true }
    expect((await calls.upload(`${id}/users`, [['', '']], next)).body).toMatchObject({ num_received: 2 })
    expect(await calls.create('Another')).not.toBe(id)
    expect(readFileSync(place.file, 'utf8')).not.toContain('mary@mail.demo')
  })

  test('Meta still makes lookalikes of what it had, and has deleted what was deleted', async () => {
    const place = onOneFile(meta.startClient)
    const first = await place.start()
    const [seed, gone] = [
      await audienceCalls(first).create('Seed'),
      await audienceCalls(first).create('Gone'),
    ]
    await audienceCalls(first).add(seed, upTo(200))
    await first.post(gone, { method: 'DELETE' })

    const again = await place.start(LATER)
    expect((await again.get(gone)).status).toBe(400)
    const spec = { subtype: 'LOOKALIKE', origin_audience_id: seed, name: 'Like' }
    const like = { ...spec, lookalike_spec: { ratio: 0.01, country: 'TW' } }
    const { body } = await again.post(`${TAIPEI}/customaudiences`, like)
    const last = await place.start('2026-11-20T04:02:00Z')
    expect((await audienceCalls(last).read(body.id)).approximate_count_lower_bound).toBe(176_400)
    expect((await last.post(seed, { method: 'DELETE' })).body.error.code).toBe(2656)
  })

  test('Google has user lists, requests and whom it still works on', async () => {
    const place = onOneFile((_, options) => google.startClient(options))
    const first = await place.start()
    const list = await first.createList('VIP')
    const ingest = await first.call(
      'POST',
      'audienceMembers:ingest',
      google.ingestion(list, google.members(5000)),
    )
    const { requestId } = ingest.body

    const again = await place.start()
    expect((await again.statusOf(requestId)).requestStatusPerDestination[0].requestStatus).toBe('PROCESSING')
    again.sandbox.clock.set({ now: Date.parse(LATER) })
    const read = async (client: google.DataManagerClient) =>
      (await client.call('GET', `${google.pathOf(google.AURORA)}/userLists/${list}`)).body
    expect(await read(again)).toMatchObject({
      displayName: 'VIP',
      sizeInfo: { displayNetworkMembersCount: '3000' },
      ingestedUserListInfo: { contactIdInfo: { matchRatePercentage: 60 } },
    })
    // Processed by now: stored as members, no more as a change.
    const later = await place.start()
    expect(await read(later)).toMatchObject({
      sizeInfo: { displayNetworkMembersCount: '3000' },
      ingestedUserListInfo: { contactIdInfo: { matchRatePercentage: 60 } },
    })
    // Its terms have been accepted, and those of before can be removed.
    const { termsOfService: _terms, ...message } = google.ingestion(list, google.members(100))
    expect((await later.call('POST', 'audienceMembers:ingest', message)).status).toBe(200)
    const all = { destinations: [google.destination(list)], removeAsOfTime: NOON }
    expect((await later.call('POST', 'audienceMembers:removeAll', all)).status).toBe(200)
    expect(await later.createList('Another')).not.toBe(list)
  })

  test('TikTok has files, audiences and shares', async () => {
    const AURORA = '7012345678901230032'
    const FJORD = '7012345678901230036'
    const place = onOneFile(tiktok.startClient)
    const first = await place.start()
    const text = emails(5000).join('\n')
    const type = { advertiser_id: AURORA, calculate_type: 'EMAIL_SHA256' }
    const uploaded = await first.upload(
      { ...type, file_signature: hash('md5', text) },
      { name: 'a.csv', text },
    )
    const file_paths = [uploaded.body.data.file_path]
    const create = (client: tiktok.Client) =>
      client.post('dmp/custom_audience/create/', { ...type, custom_audience_name: 'VIP', file_paths })
    const id = (await create(first)).body.data.custom_audience_id
    const to = { shared_advertiser_ids: [FJORD], custom_audience_ids: [id], advertiser_id: AURORA }
    expect((await first.post('dmp/custom_audience/share/', to)).body.code).toBe(0)

    const again = await place.start(LATER)
    const { body } = await again.get('dmp/custom_audience/get/', {
      advertiser_id: AURORA,
      custom_audience_ids: [id],
    })
    expect(body.data.list[0]).toMatchObject({
      audience_details: { cover_num: 2500, is_valid: true, shared: true },
      audience_history: [{ action: 'create' }],
    })
    expect((await create(again)).body.data.custom_audience_id).not.toBe(id)
  })

  test('LINE has audiences with their jobs', async () => {
    const base = 'adaccounts/A37000000037/custom-audiences'
    const place = onOneFile(line.startClient)
    const first = await place.start()
    const file = { name: 'people.txt', text: emails(5000).join('\n') }
    const fields = { name: 'VIP', action: 'ADD', idType: 'HASHED_EMAIL' }
    const { id } = (await first.upload(`${base}/upload`, { fields, file })).body

    const again = await place.start(LATER)
    const { body } = await again.send(`${base}/${id}/upload-job`, { key: 'sandbox-agency' })
    expect(body.jobs).toMatchObject([{ jobStatus: 'FINISHED', audienceCount: 4000 }])
    expect((await again.upload(`${base}/upload`, { fields, file })).body.id).not.toBe(id)
  })

  test('nothing is left of what was reset', async () => {
    const place = onOneFile(meta.startClient)
    const first = await place.start()
    const id = await audienceCalls(first).create()
    await place.start()
    const again = await place.start()
    expect((await again.get(id)).status).toBe(200)
    await again.control('POST', 'reset', {})
    expect((await (await place.start()).get(id)).status).toBe(400)
  })
})

describe('the file', () => {
  test('is written within a second after a change, however many follow', () => {
    vi.useFakeTimers()
    onTestFinished(() => void vi.useRealTimers())
    const file = join(dir, 'soon.json')
    let value = 0
    const memory = openMemory(file)
    memory.attach('one', { dump: () => value, load: () => undefined })
    vi.advanceTimersByTime(5000)
    expect(existsSync(file)).toBe(false)
    for (value = 1; value < 10; value += 1) {
      memory.touch()
      vi.advanceTimersByTime(150)
    }
    expect(readFileSync(file, 'utf8')).toBe('{"one":7}')
    expect(existsSync(`${file}.new`)).toBe(false)
    memory.close()
    expect(readFileSync(file, 'utf8')).toBe('{"one":10}')
  })

  test('that cannot be read, or that another version has written, is begun anew', async () => {
    for (const text of ['{"meta":', '[]', '{"meta":{"lists":[["1",[{"id":5}]]]}}']) {
      const place = onOneFile(meta.startClient)
      writeFileSync(place.file, text)
      const client = await place.start()
      const id = await audienceCalls(client).create()
      expect((await (await place.start()).get(id)).status).toBe(200)
    }
  })

  test('is small: a bit for each person', async () => {
    const place = onOneFile(meta.startClient)
    const client = await place.start()
    const { create, add } = audienceCalls(client)
    const id = await create()
    for (const from of [0, 10_000, 20_000]) await add(id, upTo(10_000, from))
    await client.sandbox.stop()
    expect(readFileSync(place.file).length).toBeLessThan(10_000)
  })
})
