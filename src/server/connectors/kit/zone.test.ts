import { describe, expect, it } from 'vitest'
import { AdAccount as LineAccount } from '#server/connectors/line/schema.ts'
import { Zone } from './zone.ts'

describe('the time zone of an account', () => {
  it.each(['Asia/Taipei', 'America/Argentina/Buenos_Aires', 'Etc/GMT-8', 'UTC'])('may be %s', name => {
    expect(Zone.safeParse(name).success).toBe(true)
  })

  it.each(['', '-', 'Mars/Olympus', 'TZ_UNKNOWN', 'constructor', null, 8])('is never %j', name => {
    expect(Zone.safeParse(name).success).toBe(false)
  })

  it('follows from a market of LINE, and from nothing that only sounds like one', () => {
    const account = { id: 'A1', name: 'A', configuredStatus: 'ACTIVE', currency: 'TWD' }
    expect(LineAccount.safeParse({ ...account, country: 'TW' }).data?.timezone).toBe('Asia/Taipei')
    expect(LineAccount.safeParse({ ...account, country: 'constructor' }).success).toBe(false)
  })
})
