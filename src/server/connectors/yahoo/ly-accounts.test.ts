import { describe, expect, it } from 'vitest'
import type { ReportRequest, ConnectorContext } from '#server/connectors/connector.ts'
import { sandboxOfFile } from '#server/connectors/testing/sandbox.ts'
import { fetchPages, rowsOf } from '#server/connectors/testing/context.ts'
import { aurora, NOW, recordedContext, requestOf, search, searchAccount } from './testing/sandbox.ts'

const sandbox = sandboxOfFile(NOW)

const context = (changes: Partial<ConnectorContext> = {}) => recordedContext(sandbox.base_url, changes)
const fetchRows = (request: Partial<ReportRequest> = {}, to = context()) =>
  rowsOf(fetchPages(search, requestOf(request), to.context))

const fault = (action: string, more: object = {}) => ({ platform: 'ly_search', action, ...more })

describe('LY Ads', () => {
  it('knows the accounts of both products with their manager, and each once', async () => {
    const accounts = (await Array.fromAsync(search.listAccounts(context().context))).flat()
    const ids = accounts.map(({ external_id }) => external_id).toSorted()
    expect(ids.join(' ')).toBe(
      '1001926 1001927 1001980 1001982 1001983 1001984 1001985 1001986 1002928 1002929 1002980 1002986',
    )
    expect(accounts[0]).toEqual({
      ...aurora,
      name: 'Aurora 検索広告',
      status: 'enabled',
      owner_name: 'Sheetcast Agency MCC',
      analytics: null,
    })
    expect(accounts.find(({ external_id }) => external_id === '1001980')?.status).toBe('disabled')
  })

  it('reaches an account by itself where the login has no manager', async () => {
    const own = { ...aurora, via: '1001926' }
    expect(await search.checkAccount(own, context().context)).toMatchObject({
      via: '1001926',
      owner_name: null,
    })
    expect(await search.checkAccount({ ...own, via: null }, context().context)).toMatchObject({
      via: '1001926',
    })
    expect(await fetchRows({ account: own })).toEqual(await fetchRows())
  })

  it.each([
    ['a revoked account', '1001983', 'account_access_lost'],
    ['a closed account', '1001982', 'account_access_lost'],
    ['an account that does not exist', '1999999', 'account_access_lost'],
    ['an account that is no number', '1001926,"x":1', 'account_access_lost'],
    ['an account whose login has ended', '1001984', 'credential_expired'],
  ])('refuses %s', async (_, id, code) => {
    await expect(search.checkAccount(searchAccount(id), context().context)).rejects.toThrow(code)
    await expect(fetchRows({ account: searchAccount(id) })).rejects.toThrow(code)
  })

  it('lists one product where the other is closed to the login', async () => {
    await sandbox.setFaults([fault('revoked')])
    const accounts = (await Array.fromAsync(search.listAccounts(context().context))).flat()
    expect(new Set(accounts.map(({ provider }) => provider))).toEqual(new Set(['ly_display']))
    await sandbox.setFaults([fault('revoked'), { ...fault('revoked'), platform: 'ly_display' }])
    await expect(Array.fromAsync(search.listAccounts(context().context))).rejects.toThrow(
      'account_access_lost',
    )
  })

  it('has no rows for an account without delivery', async () => {
    expect(await fetchRows({ account: searchAccount('1001985'), dimensions: ['ad'] })).toEqual([])
  })
})
