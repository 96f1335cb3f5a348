import { expect, test, describe } from 'vitest'
import {
  AURORA,
  destination,
  FJORD,
  ingestion,
  JAPAN,
  members,
  pathOf,
  refusalOf,
  startClient,
  through,
  userList,
} from '#sandbox/testing/data-manager.ts'
import { resetAfterEach } from '#sandbox/testing/reset.ts'

const client = resetAfterEach(await startClient())
const LISTS = `${pathOf(AURORA)}/userLists`
const create = (displayName: string, more: object = {}) =>
  client.call('POST', LISTS, userList(displayName, more))
const namesIn = async (query: string) => {
  const { body } = await client.call('GET', `${LISTS}?${query}`)
  return (body.userLists ?? []).map(({ displayName }: { displayName: string }) => displayName)
}
const filtered = (filter: string) => namesIn(`filter=${encodeURIComponent(filter)}`)

describe('a user list', () => {
  test('is created, read, renamed and deleted', async () => {
    const { status, body } = await create('Aurora VIP 2026', { description: 'spring' })
    expect(status).toBe(200)
    expect(body).toMatchObject({
      name: `${LISTS}/${body.id}`,
      id: expect.stringMatching(/^8\d{9}$/),
      displayName: 'Aurora VIP 2026',
      membershipStatus: 'OPEN',
      accessReason: 'OWNED',
      membershipDuration: '46656000s',
      sizeInfo: {},
    })
    const path = `${LISTS}/${body.id}`
    const renamed = await client.call('PATCH', `${path}?updateMask=displayName`, { displayName: 'VIP' })
    expect([renamed.body.displayName, renamed.body.description]).toEqual(['VIP', 'spring'])
    expect((await client.call('GET', path)).body).toEqual(renamed.body)
    expect((await client.call('DELETE', path)).body).toEqual({})
    expect(refusalOf(await client.call('GET', path))).toEqual([404, 'NOT_FOUND'])
    expect(refusalOf(await client.call('DELETE', path))).toEqual([404, 'NOT_FOUND'])
  })

  test('is not created by a rehearsal, which is judged all the same', async () => {
    const rehearse = (displayName: string) =>
      client.call('POST', `${LISTS}?validateOnly=true`, userList(displayName))
    expect((await rehearse('VIP')).status).toBe(200)
    expect(await filtered('display_name = "VIP"')).toEqual([])
    await create('VIP')
    expect(refusalOf(await rehearse('VIP'))).toEqual([
      400,
      'DISPLAY_NAME_ALREADY_USED',
      'user_list.display_name',
    ])
  })

  test('has a name of its own in its account, and lasts whole days, at most 540', async () => {
    expect((await create('VIP')).status).toBe(200)
    expect(refusalOf(await create('VIP'))[1]).toBe('DISPLAY_NAME_ALREADY_USED')
    const other = await client.call('POST', `${pathOf(JAPAN)}/userLists`, userList('VIP'))
    expect(other.status).toBe(200)
    const lasting = async (membershipDuration: string) =>
      refusalOf(await create('Other', { membershipDuration })).slice(1)
    expect(await lasting('46742400s')).toEqual([
      'MEMBERSHIP_DURATION_TOO_LONG',
      'user_list.membership_duration',
    ])
    expect(await lasting('3600s')).toEqual(['INVALID_ARGUMENT', 'user_list.membership_duration'])
    expect((await create('Other', { membershipDuration: '30d' })).status).toBe(400)
    expect(refusalOf(await create(' ')).slice(1)).toEqual([
      'REQUIRED_FIELD_MISSING',
      'user_list.display_name',
    ])
  })

  test('keeps its key type and source; what cannot change is refused', async () => {
    const path = `${LISTS}/${await client.createList('VIP')}`
    const patch = async (mask: string, body: object) =>
      refusalOf(await client.call('PATCH', `${path}?updateMask=${mask}`, body))[1]
    const { ingestedUserListInfo: info } = userList('')
    expect(await patch('ingestedUserListInfo', { ingestedUserListInfo: info })).toBe(
      'IMMUTABLE_FIELD_FOR_UPDATE',
    )
    expect(await patch('colour', { displayName: 'x' })).toBe('INVALID_UPDATE_MASK')
    const [shared] = (await client.call('GET', `${pathOf(JAPAN)}/userLists?filter=access_reason=SHARED`)).body
      .userLists
    const refused = await client.call('PATCH', shared.name, { displayName: 'Mine' })
    expect([shared.readOnly, refusalOf(refused)[1]]).toEqual([true, 'OWNERSHIP_REQUIRED_FOR_UPDATE'])
  })

  test('is not for an account that is not allow-listed', async () => {
    const refused = await client.call('POST', `${pathOf(FJORD)}/userLists`, userList('VIP'))
    expect(refusalOf(refused)).toEqual([403, 'NOT_ALLOWLISTED'])
  })
})

describe('the lists of an account', () => {
  test('come in pages, and under a filter', async () => {
    for (const name of ['A "quoted" one', 'B', 'C']) await create(name, { integrationCode: `code-${name}` })
    expect(await filtered('display_name = "A \\"quoted\\" one"')).toEqual(['A "quoted" one'])
    expect(await filtered('displayName != "B" AND integration_code : "code"')).toEqual([
      'A "quoted" one',
      'C',
    ])
    expect(await filtered('integration_code = "code-B"')).toEqual(['B'])
    expect(await filtered('id > 8000000000')).toHaveLength(3)
    expect(await filtered('ingested_user_list_info.upload_key_types : CONTACT_ID')).toHaveLength(3)
    for (const wrong of ['display_name = "B" OR id > 1', 'colour = "red"', 'display_name'])
      expect(refusalOf(await client.call('GET', `${LISTS}?filter=${encodeURIComponent(wrong)}`))).toEqual([
        400,
        'INVALID_FILTER',
        'filter',
      ])
    const { body } = await client.call('GET', `${LISTS}?pageSize=3`)
    expect(await namesIn(`pageSize=3&pageToken=${body.nextPageToken}`)).toEqual(['C'])
    const elsewhere = `${LISTS}?filter=id>1&pageToken=${body.nextPageToken}`
    expect(refusalOf(await client.call('GET', elsewhere))[1]).toBe('INVALID_PAGE_TOKEN')
  })

  test('are reached through a manager above, or directly by a user of the account', async () => {
    const status = async (account: string, headers: Record<string, string>) =>
      (await client.call('GET', `${pathOf(account)}/userLists`, undefined, headers)).status
    expect(await status(AURORA, through())).toBe(200)
    expect(await status(AURORA, through('1110000002'))).toBe(403)
    expect(await status(AURORA, {})).toBe(403)
    expect(await status('7203141505', {})).toBe(200)
    expect(await status('6203141512', { authorization: 'Bearer sandbox-admin' })).toBe(200)
    expect(await status('5203141511', through())).toBe(403)
    expect(await status('420-314-15', through())).toBe(400)
    expect(await status(AURORA, { 'login-account': '1110000001' })).toBe(400)
  })
})

describe('the members of a list', () => {
  const sizesOf = async (list: string) => {
    const { sizeInfo, ingestedUserListInfo: info } = (await client.call('GET', `${LISTS}/${list}`)).body
    return [sizeInfo, info.contactIdInfo.matchRatePercentage]
  }
  const counted = (count: string) => ({
    displayNetworkMembersCount: count,
    searchNetworkMembersCount: count,
  })

  test('are counted once each, a minute after they were sent', async () => {
    const list = await client.createList('VIP')
    await client.call('POST', 'audienceMembers:ingest', ingestion(list, members(5000)))
    const { body } = await client.call('POST', 'audienceMembers:ingest', ingestion(list, members(5000)))
    expect(await sizesOf(list)).toEqual([{}, undefined])
    expect((await client.statusOf(body.requestId)).requestStatusPerDestination[0].requestStatus).toBe(
      'PROCESSING',
    )
    client.sandbox.clock.set({ now: client.sandbox.clock.now() + 60_000 })
    expect(await sizesOf(list)).toEqual([counted('3000'), 60])
    expect((await client.statusOf(body.requestId)).requestStatusPerDestination[0]).toMatchObject({
      requestStatus: 'SUCCESS',
      audienceMembersIngestionStatus: {
        userDataIngestionStatus: {
          recordCount: '5000',
          userIdentifierCount: '10000',
          uploadMatchRateRange: 'MATCH_RATE_RANGE_51_TO_60',
        },
      },
    })
  })

  test('leave it one by one, or all who were last added before a moment', async () => {
    await client.control('PUT', 'limits', { data_manager_filling_s: 0 })
    const list = await client.createList('VIP')
    await client.call('POST', 'audienceMembers:ingest', ingestion(list, members(100)))
    const { destinations, audienceMembers, encoding } = ingestion(list, members(10))
    const removed = await client.call('POST', 'audienceMembers:remove', {
      destinations,
      audienceMembers,
      encoding,
    })
    expect((await client.statusOf(removed.body.requestId)).requestStatusPerDestination[0]).toMatchObject({
      requestStatus: 'SUCCESS',
      audienceMembersRemovalStatus: { userDataRemovalStatus: { recordCount: '10' } },
    })
    expect((await sizesOf(list))[0]).toEqual(counted('54'))
    const later = client.sandbox.clock.now() + 1000
    client.sandbox.clock.set({ now: later })
    await client.call('POST', 'audienceMembers:ingest', ingestion(list, members(20, 50)))
    const removeAsOfTime = new Date(later).toISOString()
    const removeAll = (more: object) =>
      client.call('POST', 'audienceMembers:removeAll', { destinations: [destination(list)], ...more })
    expect((await removeAll({ removeAsOfTime })).status).toBe(200)
    expect((await sizesOf(list))[0]).toEqual(counted('12'))
    expect(refusalOf(await removeAll({ removeAsOfTime: '2027-01-01T00:00:00Z' }))[2]).toBe(
      'remove_as_of_time',
    )
  })
})
