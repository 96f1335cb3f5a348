import { expect, test } from 'vitest'
import { readReply } from '#sandbox/testing/reply.ts'
import { startClient } from '#sandbox/testing/meta.ts'
import { audienceCalls, customerFile, OUTLET, rowsOf, TAIPEI, upTo } from '#sandbox/testing/meta-audiences.ts'
import { resetAfterEach } from '#sandbox/testing/reset.ts'

const client = resetAfterEach(await startClient())
const { fill, read } = audienceCalls(client)

/**
 * Requests as facebook-nodejs-business-sdk 24 writes them: the token in the address, a body of JSON with the
 * id of the object in it, and all parameters of a DELETE in the address beside an empty body.
 */
const send = (method: 'POST' | 'DELETE', path: string, parameters: Record<string, unknown> = {}) => {
  const id = path.split('/')[0] ?? ''
  const query = new URLSearchParams(
    method === 'POST'
      ? {}
      : Object.entries({ ...parameters, id }).map(([name, value]) => [
          name,
          typeof value === 'string' ? value : JSON.stringify(value),
        ]),
  )
  query.set('access_token', 'sandbox-agency')
  return readReply(
    fetch(`${client.sandbox.origin}/v25.0/${path}?${query}`, {
      method,
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify(method === 'POST' ? { ...parameters, id } : {}),
    }),
  )
}
const listOf = (count: number) => ({ schema: ['EMAIL', 'PHONE'], data: rowsOf(upTo(count)) })
const upper = async (id: string) => {
  fill()
  return (await read(id)).approximate_count_upper_bound
}

test('Meta’s own client fills, replaces and empties an audience', async () => {
  const { id } = (await send('POST', `${TAIPEI}/customaudiences`, customerFile('VIP'))).body
  const session = { session_id: 1, batch_seq: 1, last_batch_flag: true, estimated_num_total: 5000 }
  const added = await send('POST', `${id}/users`, { payload: listOf(5000), session })
  expect(added.body).toMatchObject({ audience_id: id, num_received: 5000, num_invalid_entries: 0 })
  expect(await upper(id)).toBe(3600)
  const again = { ...session, session_id: 2, estimated_num_total: 3000 }
  const replaced = await send('POST', `${id}/usersreplace`, { payload: listOf(3000), session: again })
  expect(replaced.body).toMatchObject({ num_received: 3000 })
  expect(await upper(id)).toBe(2200)
  expect((await send('DELETE', `${id}/users`, { payload: listOf(500) })).status).toBe(200)
  expect(await upper(id)).toBe(1800)
  expect((await send('DELETE', `${TAIPEI}/usersofanyaudience`, { payload: listOf(1500) })).status).toBe(200)
  expect(await upper(id)).toBe(1100)
  expect((await send('DELETE', id)).body).toEqual({ success: true })
})

test('Meta’s own client shares an audience, and makes others like it', async () => {
  const { id } = (await send('POST', `${TAIPEI}/customaudiences`, customerFile('VIP'))).body
  await send('POST', `${id}/users`, { payload: listOf(1000) })
  fill()
  const adaccounts = [OUTLET.replace('act_', '')]
  expect((await send('POST', `${id}/adaccounts`, { adaccounts })).status).toBe(200)
  const outlet = async () => (await client.get(`${OUTLET}/customaudiences`, { fields: 'id' })).body.data
  expect(await outlet()).toContainEqual({ id })
  expect((await send('DELETE', `${id}/adaccounts`, { adaccounts })).status).toBe(200)
  expect(await outlet()).not.toContainEqual({ id })
  const lookalike = { name: 'Like VIP', subtype: 'LOOKALIKE', origin_audience_id: id }
  const spec = { lookalike_spec: { ratio: 0.01, country: 'TW' } }
  const made = await send('POST', `${TAIPEI}/customaudiences`, { ...lookalike, ...spec })
  expect(made).toMatchObject({ status: 200, body: { id: expect.any(String) } })
})
