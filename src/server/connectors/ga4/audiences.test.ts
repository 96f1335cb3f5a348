import { expect, it } from 'vitest'
import type { AccountRef } from '#server/connectors/connector.ts'
import { sandboxOfFile } from '#server/connectors/testing/sandbox.ts'
import { testContext } from '#server/connectors/testing/context.ts'
import { ga4 } from './report.ts'
import { Ga4Login } from './schema.ts'

const NOW = '2026-11-21T04:00:00Z'
const sandbox = sandboxOfFile(NOW)

const listed = (property: string) => {
  const account: AccountRef = {
    provider: 'ga4',
    external_id: property,
    currency: 'TWD',
    timezone: 'Asia/Taipei',
    via: null,
  }
  const login = Ga4Login.parse({
    client_id: '100000000000-sandbox.apps.googleusercontent.com',
    client_secret: 'GOCSPX-sandbox-client-secret',
    refresh_token: 'sandbox-agency',
  })
  return ga4.listAudiences?.(account, { ...testContext(sandbox.base_url, NOW), login })
}

it('a property has its audiences listed, with the people of the last 30 days', async () => {
  expect(await listed('384626431')).toEqual([
    { id: '77', name: 'Cart, no purchase', window_days: 30, users: 1840 },
    { id: '78', name: '購買者 "VIP" 100%_[new]', window_days: 180, users: 912 },
  ])
  expect((await listed('384626433'))?.map(({ users }) => users)).toEqual([655, 41])
})

it('a property without audiences has none, and one that was taken back says so', async () => {
  expect(await listed('384626432')).toEqual([])
  await expect(listed('384626441')).rejects.toThrow('account_access_lost')
})

it('an API that is not switched on is about the login', async () => {
  await sandbox.setFaults([{ platform: 'ga4', action: 'service_disabled', path: 'audiences' }])
  await expect(listed('384626431')).rejects.toThrow('credential_expired')
})
