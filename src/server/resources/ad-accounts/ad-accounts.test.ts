import { describe, expect, it } from 'vitest'
import { AdAccountList } from '#shared/api/ad-accounts.ts'
import { expectRefusal, testApi, type ApiResponse } from '#server/http/testing/api.ts'

const api = await testApi()
const PATH = '/api/ad/account/'
const namesIn = (response: ApiResponse) =>
  AdAccountList.parse(response.body).results.map(account => account.name)

describe('the list of ad accounts', () => {
  it('has those that a person may use in a report: by membership, by department, or all', async () => {
    const staff = await api.signedIn('staff', { department: 2 })
    const manager = await api.signedIn('manager', { department: 2 })
    const elsewhere = await api.signedIn('manager', { department: 3 })
    const client = await api.signedIn('external_user')
    const director = await api.signedIn('director')
    const advertiser = await api.advertiser('Aurora', [staff.user.id, client.user.id])
    await api.account({ advertiser, name: 'Aurora main' })
    await api.account({ advertiser: await api.advertiser('Borealis'), name: 'Borealis main' })
    await api.account({ advertiser: null, name: 'Nobody’s' })
    for (const { get } of [staff, manager, client]) expect(namesIn(await get(PATH))).toEqual(['Aurora main'])
    expect(namesIn(await elsewhere.get(PATH))).toEqual([])
    expect(namesIn(await director.get(PATH))).toEqual(['Aurora main', 'Borealis main', 'Nobody’s'])
  })

  it('does not include the department’s advertisers through a client who is in it', async () => {
    const manager = await api.signedIn('manager', { department: 6 })
    const client = await api.signedIn('external_user', { department: 6 })
    await api.account({ advertiser: await api.advertiser('Odd', [client.user.id]), name: 'Odd' })
    expect(namesIn(await manager.get(PATH))).toEqual([])
  })

  it('is searched by name and number, and filtered', async () => {
    const { get } = await api.signedIn('director')
    const advertiser = await api.advertiser('Cedar')
    const one = await api.account({ advertiser, name: 'Cedar 雪松', external_id: '7770001' })
    const two = await api.account({ advertiser, name: 'Cedar two', external_id: '7770002' })
    expect(namesIn(await get(`${PATH}?search=${encodeURIComponent('雪')}`))).toEqual(['Cedar 雪松'])
    expect(namesIn(await get(`${PATH}?search=7770002&channel=fb`))).toEqual(['Cedar two'])
    expect(namesIn(await get(`${PATH}?advertiser=${advertiser}&ordering=-id`))).toEqual([
      'Cedar two',
      'Cedar 雪松',
    ])
    expect(namesIn(await get(`${PATH}?ids=${one},${two},999999`))).toEqual(['Cedar two', 'Cedar 雪松'])
    expectRefusal(await get(`${PATH}?ids=1,x`), 400, 'invalid', { ids: ['field_invalid'] })
    expectRefusal(await get(`${PATH}?channel=zz`), 400, 'invalid', { channel: ['field_invalid'] })
  })
})
