import { beforeEach, describe, expect, it } from 'vitest'
import {
  delta,
  ember,
  metaAudiencesOfFile,
  MINUTE,
  aurora,
  outlet,
  people,
  revoked,
  rowsOf,
  targetOf,
} from './testing/audiences.ts'

const meta = metaAudiencesOfFile()
const { of, sandbox, upload, uploadOf, wait, control, operations } = meta
beforeEach(meta.start)

const filled = async (count = 1000, changes: Parameters<typeof targetOf>[0] = {}) => {
  const target = await upload(targetOf(changes), uploadOf(), [people(count)])
  await wait(MINUTE)
  return target
}

describe('whether audiences can be made', () => {
  it('is asked of the account: its business, its terms, the right to it', async () => {
    expect(await of.check(aurora)).toEqual({
      result: 'ok',
      business: '2030000000000001',
      fix_url: null,
      message: null,
    })
    expect(await of.check(delta)).toMatchObject({
      result: 'terms_not_accepted',
      fix_url: expect.stringMatching(
        `^https?://[^/]+/ads/manage/customaudiences/tos/\\?act=${delta.external_id}$`,
      ),
    })
    expect(await of.check(ember)).toMatchObject({ result: 'not_claimed_by_business', business: null })
    expect(await of.check(revoked)).toMatchObject({ result: 'no_access', message: expect.any(String) })
    expect(await operations('sandbox-expired').check(aurora)).toMatchObject({ result: 'credential_expired' })
    await control('terms', { account: delta.external_id })
    expect(await of.check(delta)).toMatchObject({ result: 'ok', fix_url: null })
  })

  it('needs a consent to manage ads, not only to read them', async () => {
    const token = await meta.consentTo('ads_read')
    expect(await operations(token).check(aurora)).toMatchObject({
      result: 'no_access',
      message: 'ads_management is not granted',
    })
    await expect(operations(token).begin(targetOf(), uploadOf())).rejects.toMatchObject({ code: 'no_access' })
    expect(await operations(await meta.consentTo('ads_management')).check(aurora)).toMatchObject({
      result: 'ok',
    })
  })

  it('is not known while Meta does not respond', async () => {
    await sandbox.setFaults([{ platform: 'meta', action: 'server_error', status: 503 }])
    await expect(of.check(aurora)).rejects.toMatchObject({ code: 'platform_unavailable' })
  })
})

describe('sharing inside a business', () => {
  it('gives the audience to further accounts, and takes it back, each as often as one likes', async () => {
    const home = await filled()
    for (let time = 0; time < 2; time += 1) await of.share?.(home, [outlet])
    const shared = { ...targetOf({ account: outlet }), external_id: home.external_id }
    expect(await of.poll(shared)).toMatchObject({ state: 'ready', size: '600–800' })
    for (let time = 0; time < 2; time += 1) await of.unshare?.(home, outlet)
    expect(await of.poll(shared)).toMatchObject({ state: 'stopped', code: 'audience_gone' })
    expect(await of.poll(home)).toMatchObject({ state: 'ready' })
  })

  it('uses the other name of the edge where Meta does not know the first', async () => {
    const home = await filled()
    await sandbox.setFaults([{ platform: 'meta', action: 'error', code: 2500, path: '/adaccounts$' }])
    await of.share?.(home, [outlet])
    expect(await sandbox.countOf(/POST .*\/ad_accounts$/)).toBe(1)
  })

  it('is refused by name', async () => {
    const home = await filled()
    await expect(of.share?.(home, [delta])).rejects.toMatchObject({ code: 'terms_not_accepted' })
    await expect(of.share?.(home, [ember])).rejects.toMatchObject({ code: 'not_claimed_by_business' })
  })
})

describe('a lookalike', () => {
  it('is made of a seed, filled, and goes before it', async () => {
    const seed = await filled()
    const target = targetOf()
    const lookalike = { seed_external_id: seed.external_id ?? '', country: 'TW', ratio: 7 }
    const made = { ...target, ...(await of.createLookalike?.(target, lookalike)) }
    expect(await of.createLookalike?.(target, lookalike)).toMatchObject({ external_id: made.external_id })
    expect(await of.poll(made)).toMatchObject({ state: 'matching', size: null })
    await wait(MINUTE)
    expect(await of.poll(made)).toMatchObject({ state: 'ready', size: '1234800–1285200' })
    await expect(of.remove(seed)).rejects.toMatchObject({ code: 'has_lookalikes' })
    await of.remove(made)
    await of.remove(seed)
  })

  it('of a small or a flagged seed is refused', async () => {
    const ofSeed = async (seed_external_id: string) =>
      of.createLookalike?.(targetOf(), { seed_external_id, country: 'TW', ratio: 1 })
    await expect(ofSeed((await filled(120)).external_id ?? '')).rejects.toMatchObject({
      code: 'platform_error',
      platform_message: expect.stringContaining('fewer than 100'),
    })
    const target = targetOf()
    target.audience.name = 'Arthritis'
    const flagged = await upload(target, uploadOf(), [people(1000)])
    await wait(MINUTE)
    await expect(ofSeed(flagged.external_id ?? '')).rejects.toMatchObject({ code: 'audience_flagged' })
    expect(await of.poll(flagged)).toMatchObject({ state: 'stopped', code: 'audience_flagged' })
  })
})

describe('visitors of a website', () => {
  it.each([
    { match: 'all', values: [] },
    { match: 'url_contains', values: ['/cart', '/checkout'] },
    { match: 'url_equals', values: ['https://shop.aurora.demo/'] },
    { match: 'event', values: ['Purchase'] },
  ] as const)('are found by a pixel and a rule: $match', async ({ match, values }) => {
    const [pixel] = (await of.listPixels?.(aurora)) ?? []
    expect(pixel).toEqual({ id: '339000000000001', name: 'Aurora Cosmetics shop' })
    const target = targetOf()
    const visitors = { pixel: pixel?.id ?? '', rule: { match, values: [...values] }, window_days: 30 }
    const made = { ...target, ...(await of.createVisitors?.(target, visitors)) }
    expect(await of.poll(made)).toMatchObject({ state: 'matching' })
    await wait(MINUTE)
    expect(await of.poll(made)).toMatchObject({ state: 'ready', size: expect.stringMatching(/^\d+–\d+$/) })
  })
})

describe('an audience that is there', () => {
  it('is removed, and removed again', async () => {
    const target = await filled()
    await of.remove(target)
    await of.remove(target)
    expect(await of.poll(target)).toMatchObject({ state: 'stopped', code: 'audience_gone', size: null })
  })

  it('is removed by its tag where the response to its making was lost', async () => {
    const target = targetOf()
    await of.remove(target)
    const { external_id } = await of.begin(target, uploadOf())
    await of.remove(target)
    expect(await of.poll({ ...target, external_id })).toMatchObject({ code: 'audience_gone' })
  })

  it('of an account that the login has lost is not gone but out of reach', async () => {
    const target = await filled(1000)
    await sandbox.setFaults([{ platform: 'meta', action: 'error', code: 100, error_subcode: 33 }])
    expect(await of.poll(target)).toMatchObject({ state: 'stopped', code: 'no_access' })
  })

  it('loses people whose data is erased, in every customer file of the account', async () => {
    const [one, two] = [await filled(5000), await filled(120)]
    expect(await of.erase?.(aurora, rowsOf(people(5000, 100)))).toBe('done')
    await wait(MINUTE)
    expect(await of.poll(one)).toMatchObject({ state: 'too_small', size: '0–100' })
    expect(await of.poll(two)).toMatchObject({ size: '0–100' })
  })
})

it('nothing that is sent about people stands in the log of the platform', async () => {
  await filled()
  expect(JSON.stringify(await sandbox.requests())).not.toMatch(/[0-9a-f]{64}/)
})
