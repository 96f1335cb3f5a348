import { describe, expect, test } from 'vitest'
import {
  AURORA,
  destination,
  FJORD,
  ingestion,
  members,
  refusalOf,
  startClient,
} from '#sandbox/testing/data-manager.ts'
import { resetAfterEach } from '#sandbox/testing/reset.ts'

const client = resetAfterEach(await startClient())
const MAIL = 'a'.repeat(64)
const ingest = (message: object) => client.call('POST', 'audienceMembers:ingest', message)
const member = (...userIdentifiers: object[]) => ({ userData: { userIdentifiers } })
const finished = async (requestId: string) => {
  client.sandbox.clock.set({ now: client.sandbox.clock.now() + 60_000 })
  return (await client.statusOf(requestId)).requestStatusPerDestination
}

describe('a request', () => {
  test('is refused as a whole for one malformed record, by the path of its field', async () => {
    const list = await client.createList('VIP')
    const refused = await ingest(
      ingestion(list, [
        ...members(3),
        member({ emailAddress: 'mary@mail.demo' }),
        member({ phoneNumber: 'abcd' }, { phoneNumber: MAIL }),
        member(),
        member({ emailAddress: MAIL, phoneNumber: MAIL }),
        member(...Array.from({ length: 11 }, () => ({ emailAddress: MAIL }))),
      ]),
    )
    const at = (index: number) => `audience_members[${index}].user_data.user_identifiers`
    expect(refusalOf(refused)).toEqual([
      400,
      'INVALID_HEX_ENCODING',
      `${at(3)}[0].email_address`,
      `${at(4)}[0].phone_number`,
      at(5),
      `${at(6)}[0]`,
      at(7),
    ])
    expect(refused.body.error).toMatchObject({
      code: 400,
      message: 'There was a problem with the request.',
      status: 'INVALID_ARGUMENT',
      details: [
        { '@type': 'type.googleapis.com/google.rpc.ErrorInfo', domain: 'datamanager.googleapis.com' },
        {
          '@type': 'type.googleapis.com/google.rpc.BadRequest',
          fieldViolations: expect.arrayContaining([
            expect.objectContaining({ reason: 'INVALID_SHA256_FORMAT', field: `${at(4)}[0].phone_number` }),
          ]),
        },
        { '@type': 'type.googleapis.com/google.rpc.RequestInfo', requestId: expect.any(String) },
      ],
    })
    await client.control('PUT', 'limits', { data_manager_filling_s: 0 })
    const { body } = await client.call('GET', `accountTypes/GOOGLE_ADS/accounts/${AURORA}/userLists/${list}`)
    expect(body.sizeInfo).toEqual({})
  })

  test('has at most 10,000 members and ten destinations, an encoding and the terms', async () => {
    const list = await client.createList('VIP')
    const reason = async (message: object) => refusalOf(await ingest(message))[1]
    const good = ingestion(list, members(1))
    expect(await reason(ingestion(list, members(10_001)))).toBe('TOO_MANY_AUDIENCE_MEMBERS')
    expect(await reason({ ...good, destinations: Array.from({ length: 11 }, () => destination(list)) })).toBe(
      'TOO_MANY_DESTINATIONS',
    )
    const twins = [destination(list, { reference: 's5' }), destination(list, { reference: 's5' })]
    expect(await reason({ ...good, destinations: twins })).toBe('DUPLICATE_DESTINATION_REFERENCE')
    expect(await reason({ ...good, encoding: undefined })).toBe('REQUIRED_FIELD_MISSING')
    expect(await reason({ ...good, audienceMembers: [] })).toBe('REQUIRED_FIELD_MISSING')
    expect(await reason({ ...good, destinations: [] })).toBe('REQUIRED_FIELD_MISSING')
    const terms = 'TERMS_AND_CONDITIONS_NOT_SIGNED'
    expect(await reason({ ...good, termsOfService: undefined })).toBe(terms)
    expect((await ingest(good)).status).toBe(200)
    expect((await ingest({ ...good, termsOfService: undefined })).status).toBe(200)
    const rejected = { customerMatchTermsOfServiceStatus: 'REJECTED' }
    expect(await reason({ ...good, termsOfService: rejected })).toBe(terms)
  })

  test('knows no member of another message, and both spellings of its own', async () => {
    const list = await client.createList('VIP')
    const { audienceMembers, ...rest } = ingestion(list, members(1))
    expect((await ingest({ ...rest, audience_members: audienceMembers })).status).toBe(200)
    const unknown = await ingest({ ...rest, audienceMembers, members: [] })
    expect(unknown.body.error.message).toContain('Unknown name "members": Cannot find field.')
    const removal = await client.call('POST', 'audienceMembers:remove', { ...rest, audienceMembers })
    expect(removal.body.error.message).toContain('Unknown name')
    expect((await ingest({ ...rest, audienceMembers, encoding: 'OCTAL' })).status).toBe(400)
    // Names of a list may be their numbers, as Google's own client writes them.
    expect((await ingest({ ...rest, audienceMembers, encoding: 1 })).status).toBe(200)
    expect((await ingest({ ...rest, audienceMembers, encoding: 9 })).status).toBe(400)
    expect((await client.call('POST', 'audienceMembers:ingest?x=1', rest)).status).toBe(400)
    expect((await client.call('POST', 'audienceMembers:ingest', '{')).status).toBe(400)
  })

  test('goes to lists of accounts that its login reaches', async () => {
    const list = await client.createList('VIP')
    const to = async (more: object, id = list) =>
      refusalOf(await ingest({ ...ingestion(id, members(1)), destinations: [destination(id, more)] }))
    const ads = (accountId: string) => ({ accountType: 'GOOGLE_ADS', accountId })
    expect(await to({}, '8999999999')).toEqual([
      400,
      'INVALID_USER_LIST_ID',
      'destinations[0].product_destination_id',
    ])
    expect((await to({ operatingAccount: ads('4203141502') }))[1]).toBe('INVALID_USER_LIST_ID')
    expect((await to({}, '7000000019'))[1]).toBe('INVALID_USER_LIST_TYPE')
    expect(await to({ loginAccount: undefined })).toEqual([403, 'PERMISSION_DENIED'])
    expect(await to({ loginAccount: ads('1110000002') })).toEqual([403, 'PERMISSION_DENIED'])
    expect(await to({ operatingAccount: ads(FJORD) })).toEqual([403, 'NOT_ALLOWLISTED'])
    expect(await to({ operatingAccount: ads('420-3141501') })).toEqual([
      400,
      'INVALID_FORMAT',
      'destinations[0].operating_account.account_id',
    ])
    const older = { product: 'GOOGLE_ADS', accountId: AURORA }
    const { status } = await ingest({
      ...ingestion(list, members(1)),
      destinations: [destination(list, { operatingAccount: older })],
    })
    expect(status).toBe(200)
  })
})

describe('the outcome of a request', () => {
  test('counts those who have denied their consent, each for themselves or all at once', async () => {
    const list = await client.createList('VIP')
    const denied = { adUserData: 'CONSENT_DENIED' }
    const [first, ...others] = members(120)
    const some = await ingest(ingestion(list, [{ ...first, consent: denied }, ...others]))
    const all = await ingest(ingestion(list, members(5), { consent: denied }))
    expect(await finished(some.body.requestId)).toMatchObject([
      {
        requestStatus: 'PARTIAL_SUCCESS',
        errorInfo: {
          errorCounts: [{ recordCount: '1', reason: 'PROCESSING_ERROR_REASON_DENIED_CONSENT' }],
        },
      },
    ])
    expect(await finished(all.body.requestId)).toMatchObject([
      { requestStatus: 'FAILED', errorInfo: { errorCounts: [{ recordCount: '5' }] } },
    ])
  })

  test('is one for each destination, in their order, with the members meant for it', async () => {
    const lists = [await client.createList('One'), await client.createList('Two')]
    const destinations = lists.map((list, index) => destination(list, { reference: `s${index}` }))
    const [first, ...others] = members(120)
    const { body } = await ingest({
      ...ingestion('', [{ ...first, destinationReferences: ['s1'] }, ...others]),
      destinations,
    })
    const outcomes = await finished(body.requestId)
    expect(outcomes.map((each: { destination: object }) => each.destination)).toEqual(destinations)
    expect(
      outcomes.map(
        (each: { audienceMembersIngestionStatus: { userDataIngestionStatus: { recordCount: string } } }) =>
          each.audienceMembersIngestionStatus.userDataIngestionStatus.recordCount,
      ),
    ).toEqual(['119', '120'])
  })

  test('is not known of a rehearsal, or of another number', async () => {
    const list = await client.createList('VIP')
    const { body } = await ingest(ingestion(list, members(1), { validateOnly: true }))
    for (const id of [body.requestId, 'guessed', '']) {
      const refused = await client.call('GET', `requestStatus:retrieve?requestId=${id}`)
      expect(refusalOf(refused)).toEqual([400, 'INVALID_REQUEST_ID', 'request_id'])
    }
  })

  test.each([
    [10, 0, 'MATCH_RATE_RANGE_51_TO_60'],
    [10, 99_995, 'MATCH_RATE_RANGE_LESS_THAN_20'],
    [6, 0, 'MATCH_RATE_RANGE_91_TO_100'],
    [7, 5, 'MATCH_RATE_RANGE_41_TO_50'],
    [4, 6, 'MATCH_RATE_RANGE_LESS_THAN_20'],
    [7, 3, 'MATCH_RATE_RANGE_41_TO_50'],
    [4, 5, 'MATCH_RATE_RANGE_20_TO_30'],
  ])('says what part of %i people from number %i on Google knows: %s', async (count, from, range) => {
    const list = await client.createList('VIP')
    const { body } = await ingest(ingestion(list, members(count, from)))
    const [{ audienceMembersIngestionStatus: status }] = await finished(body.requestId)
    expect(status.userDataIngestionStatus.uploadMatchRateRange).toBe(range)
  })
})
