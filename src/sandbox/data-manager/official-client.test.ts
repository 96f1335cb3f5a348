import { expect, test } from 'vitest'
import { AURORA, MANAGER, members, startClient } from '#sandbox/testing/data-manager.ts'
import { resetAfterEach } from '#sandbox/testing/reset.ts'

const client = resetAfterEach(await startClient())

/**
 * Requests as @google-ads/datamanager 0.3 writes them over REST: enumerations as their numbers. It reads
 * names as well.
 */
const send = (method: 'GET' | 'POST', path: string, body?: object) => {
  const sign = path.includes('?') ? '&' : '?'
  const headers = { 'x-goog-api-client': 'gax/5.0.8-fallback gapic/0.3.0', accept: '*/*' }
  return client.call(method, `${path}${sign}$alt=json%3Benum-encoding=int`, body, headers)
}

test('Google’s own client adds people to a list, takes them out, and asks what came of it', async () => {
  const list = await client.createList('VIP')
  const facts = {
    destinations: [
      {
        loginAccount: { accountId: MANAGER, accountType: 1 },
        operatingAccount: { accountId: AURORA, accountType: 1 },
        productDestinationId: list,
      },
    ],
    encoding: 1,
  }
  const added = await send('POST', 'audienceMembers:ingest', {
    ...facts,
    audienceMembers: members(1000),
    consent: { adUserData: 1, adPersonalization: 1 },
    termsOfService: { customerMatchTermsOfServiceStatus: 1 },
  })
  const removed = await send('POST', 'audienceMembers:remove', { ...facts, audienceMembers: members(10) })
  client.sandbox.clock.set({ now: client.sandbox.clock.now() + 60_000 })
  for (const { status, body } of [added, removed]) {
    expect([status, body]).toEqual([200, { requestId: expect.any(String) }])
    const reply = await send('GET', `requestStatus:retrieve?requestId=${body.requestId}`)
    expect(reply.body.requestStatusPerDestination).toMatchObject([{ requestStatus: 'SUCCESS' }])
  }
})
