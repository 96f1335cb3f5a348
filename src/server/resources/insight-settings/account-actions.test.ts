import { beforeEach, describe, expect, it } from 'vitest'
import { Actions } from '#shared/api/insight-settings.ts'
import { PlatformFailure, ReportPending, sourceOf, type Source } from '#server/connectors/connector.ts'
import { meta } from '#server/connectors/meta/report.ts'
import { testContext } from '#server/connectors/testing/context.ts'
import { sandboxOfFile } from '#server/connectors/testing/sandbox.ts'
import { expectRefusal, testApi } from '#server/http/testing/api.ts'
import { createAccountActions } from './account-actions.ts'

const NOW = '2026-11-21T04:00:00Z'
const sandbox = sandboxOfFile(NOW)
const real = sourceOf(meta, { access_token: 'sandbox-admin', app_secret: 'sandbox-app-secret' })
let source: Source | null = real
/** Each call of the platform, with what it remembers of reports under way. */
const listing = (work: Source['listActions']): Source => ({ ...real, listActions: work })
const api = await testApi({
  effects: {
    accountActions: account =>
      createAccountActions({ sourceOf: async () => source, platforms: testContext(sandbox.base_url, NOW) })(
        account,
      ),
  },
})
beforeEach(() => {
  source = real
})

const staff = await api.signedIn('staff')
const client = await api.signedIn('external_user')
const ours = await api.advertiser('Ours', [staff.user.id, client.user.id])
const theirs = await api.advertiser('Theirs')
const PATH = '/api/insight-setting/conversions/actions/?ad_account='
// Of the sandbox.
const aurora = await api.account({ advertiser: ours, external_id: '10150357160960121' })

describe('the actions of an account', () => {
  it('are those of its platform, most conversions first', async () => {
    const { channel, actions, ...state } = Actions.parse((await staff.get(`${PATH}${aurora}`)).body)
    expect({ channel, ...state }).toEqual({ channel: 'fb', is_pending: false, code: null })
    expect(actions.map(({ name }) => name)).toContain('offsite_conversion.fb_pixel_purchase')
    const counts = actions.map(({ conversions }) => conversions)
    expect(counts).toEqual(counts.toSorted((one, other) => other - one))
    expect(actions.some(({ value }) => Number(value) > 0)).toBe(true)
  })

  it('are only of accounts that the person may use, in channels that have any', async () => {
    const foreign = await api.account({ advertiser: theirs })
    const spread = await api.account({ advertiser: ours })
    await api.db.updateTable('ad_account').set({ channel: 'tt' }).where('id', '=', spread).execute()
    for (const id of [foreign, spread, 987_654])
      expectRefusal(await staff.get(`${PATH}${id}`), 400, 'invalid', { ad_account: ['field_not_available'] })
    expectRefusal(await client.get(`${PATH}${aurora}`), 403, 'forbidden')
  })

  it('are pending while the platform prepares them, and why there are none is said', async () => {
    const stateOf = async () => Actions.parse((await staff.get(`${PATH}${aurora}`)).body)
    for (const failure of [new ReportPending(1000), new PlatformFailure('platform_timeout')]) {
      source = listing(() => Promise.reject(failure))
      expect(await stateOf()).toEqual({ channel: 'fb', actions: [], is_pending: true, code: null })
    }
    source = listing(() => Promise.reject(new PlatformFailure('account_access_lost')))
    expect(await stateOf()).toMatchObject({ actions: [], is_pending: false, code: 'account_access_lost' })
    source = null
    expect(await stateOf()).toMatchObject({ is_pending: false, code: 'credential_missing' })
  })

  it('are asked for again where the last request has left off', async () => {
    const account = {
      provider: 'meta' as const,
      public_account: null,
      external_id: '1',
      currency: 'TWD',
      timezone: 'UTC',
      via: null,
    }
    const begun: string[] = []
    const slow = listing(async ({ external_id }, { jobs }) => {
      const known = await jobs.find(external_id)
      if (known !== null) return [{ name: known, conversions: 1, value: null }]
      await jobs.startOnce(external_id, async () => {
        begun.push(external_id)
        return 'job'
      })
      throw new ReportPending(1000)
    })
    const ask = createAccountActions({
      sourceOf: async () => slow,
      platforms: testContext(sandbox.base_url, NOW),
    })
    expect(await ask(account)).toMatchObject({ is_pending: true })
    expect(await ask(account)).toMatchObject({ is_pending: false, actions: [{ name: 'job' }] })
    expect(await ask(account)).toMatchObject({ is_pending: true })
    expect(begun).toEqual(['1', '1'])
  })
})
