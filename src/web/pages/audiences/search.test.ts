import { describe, expect, it } from 'vitest'
import { audienceKinds, audienceStatuses, shareStates } from '#shared/audiences.ts'
import { audiencesSearch, kinds, states, statuses } from './search.ts'

describe('the address of the list of audiences', () => {
  it('has filters, order, the open audience and what of it', () => {
    const address = {
      search: 'vip',
      page: 2,
      ordering: '-rows',
      advertiser: 3,
      kind: 'customer_file',
      status: 'ready',
      share_state: 'too_small',
      channel: 'fb',
      audience: 7,
      tab: 'shares',
    } as const
    expect(audiencesSearch(address)).toEqual(address)
  })

  it('knows every kind, status and state', () => {
    expect([kinds, statuses, states]).toEqual([audienceKinds, audienceStatuses, shareStates])
  })

  it('has nothing else, and no part of an audience that is not open', () => {
    expect(
      audiencesSearch({
        page: 0,
        ordering: 'password',
        advertiser: 'x',
        kind: 'pixel',
        status: 1,
        share_state: '',
        channel: 'ms',
        tab: 'shares',
        more: 1,
      }),
    ).toEqual({ search: '', page: 1 })
    expect(audiencesSearch({ audience: 7, tab: 'nothing' })).toEqual({ search: '', page: 1, audience: 7 })
  })
})
