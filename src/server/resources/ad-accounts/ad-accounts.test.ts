import { describe, expect, it } from 'vitest'
import { AccountAdvertiserList, AdAccountList } from '#shared/api/ad-accounts.ts'
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
    expect(namesIn(await director.get(`${PATH}?ordering=name`))).toEqual([
      'Aurora main',
      'Borealis main',
      'Nobody’s',
    ])
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
    // The newest first, unless another order is requested.
    expect(namesIn(await get(`${PATH}?advertiser=${advertiser}`))).toEqual(['Cedar two', 'Cedar 雪松'])
    expect(namesIn(await get(`${PATH}?advertiser=${advertiser}&ordering=id`))).toEqual([
      'Cedar 雪松',
      'Cedar two',
    ])
    expect(namesIn(await get(`${PATH}?ids=${one},${two},999999`))).toEqual(['Cedar two', 'Cedar 雪松'])
    expectRefusal(await get(`${PATH}?ids=1,x`), 400, 'invalid', { ids: ['field_invalid'] })
    expectRefusal(await get(`${PATH}?channel=zz`), 400, 'invalid', { channel: ['field_invalid'] })
  })
})

describe('the list of advertisers with accounts', () => {
  const LIST = `${PATH}advertisers/`
  const read = (response: ApiResponse) => AccountAdvertiserList.parse(response.body)

  it('has those whose accounts a person may use, with how many of each channel', async () => {
    const client = await api.signedIn('external_user')
    const colleague = await api.signedIn('staff', { department: 5 })
    const manager = await api.signedIn('manager', { department: 5 })
    const fir = await api.advertiser('Fir', [client.user.id, colleague.user.id])
    const elm = await api.advertiser('elm', [client.user.id])
    await api.account({ advertiser: fir, name: 'One' })
    await api.account({ advertiser: fir, name: 'Two' })
    await api.account({ advertiser: fir, name: 'View', channel: 'ga4', provider: 'ga4' })
    await api.account({ advertiser: elm, name: 'Only' })
    const ofFir = {
      id: fir,
      name: 'Fir',
      channels: [
        { channel: 'fb', accounts: 2 },
        { channel: 'ga4', accounts: 1 },
      ],
    }
    expect(read(await client.get(LIST))).toMatchObject({
      count: 2,
      results: [{ id: elm, channels: [{ channel: 'fb', accounts: 1 }] }, ofFir],
    })
    expect(read(await manager.get(LIST)).results).toEqual([ofFir])
    expect(read(await client.get(`${LIST}?search=FI`)).results).toEqual([ofFir])
    expect(read(await client.get(`${LIST}?advertiser=${fir}`)).results).toEqual([ofFir])
    expect(read(await manager.get(`${LIST}?advertiser=${elm}`)).results).toEqual([])
    const last = read(await client.get(`${LIST}?limit=1&offset=1`))
    expect(last).toMatchObject({ count: 2, next: null, results: [{ id: fir }] })
    const other = await api.signedIn('external_user')
    expect(read(await other.get(LIST))).toMatchObject({ count: 0, results: [] })
  })

  it('leaves out accounts that are closed, and advertisers that are no longer active', async () => {
    const client = await api.signedIn('external_user')
    const yew = await api.advertiser('Yew', [client.user.id])
    const oak = await api.advertiser('Oak', [client.user.id])
    await api.account({ advertiser: yew, status: 'disabled' })
    await api.account({ advertiser: oak })
    await api.db.updateTable('advertiser').set({ is_active: false }).where('id', '=', oak).execute()
    expect(read(await client.get(LIST)).results).toEqual([])
  })
})
