// @vitest-environment happy-dom
import { screen, within } from '@testing-library/react'
import { userEvent } from '@testing-library/user-event'
import { afterEach, describe, expect, it, vi } from 'vitest'
import type { Audience } from '#shared/api/audiences.ts'
import { Problem } from '#web/client/problem.ts'
import { toasts } from '#web/client/toasts.ts'
import { listOf } from '#web/testing/fake-server.ts'
import { drawAudiences } from './testing/draw-audiences.tsx'
import { accountOf, audienceOf, shareOf, uploadOf } from './testing/samples.ts'

afterEach(() => vi.restoreAllMocks())

async function opened(
  audience: Audience,
  tab = 'overview',
  answers: Record<string, unknown> = {},
  identity?: 'superuser',
) {
  const page = drawAudiences({
    search: { audience: 5, tab },
    answers: { 'GET /api/lta/5/': audience, ...answers },
    ...(identity && { identity }),
  })
  const dialog = await screen.findByRole('dialog', { name: audience.name })
  return { ...page, drawer: within(dialog) }
}
const press = (within_: Pick<typeof screen, 'getByRole'>, name: string) =>
  userEvent.click(within_.getByRole('button', { name }))

describe('an audience', () => {
  it('says what it is', async () => {
    const { drawer } = await opened(audienceOf())
    const facts = drawer.getAllByRole('definition').map(each => each.textContent)
    expect(facts).toEqual(expect.arrayContaining(['Aurora', 'Customer file', '5,000', '540 days']))
    expect(facts).toContainEqual(expect.stringMatching(/by Mika Chen$/))
  })

  it.each([
    [audienceOf({ status: 'expired' }), /has been destroyed/],
    [audienceOf({ status: 'draft', rows: 0 }), /Upload a file before/],
    [audienceOf({ kind: 'ga4' }), /Google itself carries/],
  ])('says what state it is in', async (audience, text) => {
    const { drawer } = await opened(audience)
    expect((await drawer.findByText(text)).isConnected).toBe(true)
  })

  it('is changed in what was changed alone', async () => {
    const { drawer, changes } = await opened(audienceOf(), 'overview', {
      'PATCH /api/lta/5/': audienceOf({ version: 3, name: 'Aurora VIP' }),
    })
    await userEvent.clear(drawer.getByRole('textbox', { name: 'Name' }))
    await userEvent.type(drawer.getByRole('textbox', { name: 'Name' }), 'Aurora VIP')
    await press(drawer, 'Save')
    await expect.poll(changes).toEqual([['PATCH', '/api/lta/5/', { name: 'Aurora VIP', version: 2 }]])
  })

  it('shows what somebody else has saved meanwhile', async () => {
    const newer = audienceOf({ version: 3, description: 'Of the shop' })
    const { drawer } = await opened(audienceOf(), 'overview', {
      'PATCH /api/lta/5/': new Problem({ code: 'conflict', status: 409, body: { audience: newer } }),
    })
    await userEvent.type(drawer.getByRole('textbox', { name: 'Name' }), '!')
    await press(drawer, 'Save')
    expect((await drawer.findByText(/Description/, { selector: 'li, strong, p, span' })).isConnected).toBe(
      true,
    )
  })

  it('is read-only for people who may not change it', async () => {
    const { drawer } = await opened(audienceOf({ may_change: false, may_delete: false }))
    expect(drawer.queryByRole('textbox')).toBeNull()
    expect(drawer.queryByRole('button', { name: 'Share' })).toBeNull()
    expect(drawer.getByText(/Your plan is Basic/).isConnected).toBe(true)
  })

  it('may be missing', async () => {
    drawAudiences({
      search: { audience: 5 },
      answers: { 'GET /api/lta/5/': new Problem({ code: 'not_found', status: 404 }) },
    })
    expect((await screen.findByText(/does not exist/)).isConnected).toBe(true)
  })
})

describe('a share', () => {
  it('says its size, its match rate and how it is shared', async () => {
    const { drawer } = await opened(
      audienceOf({ shares: [shareOf({ match: '51–60 %', mode: 'copy' })] }),
      'shares',
    )
    const share = within(await drawer.findByRole('article', { name: 'Aurora Meta' }))
    expect(share.getByText('3400–3600').isConnected).toBe(true)
    expect(share.getByText('51–60 %').isConnected).toBe(true)
    expect(share.getByText('Own copy').isConnected).toBe(true)
  })

  it('that is under way says how far it is', async () => {
    const { drawer } = await opened(
      audienceOf({ shares: [shareOf({ state: 'uploading', sent_rows: 10_000, total_rows: 25_000 })] }),
      'shares',
    )
    expect((await drawer.findByText('10,000 of 25,000 sent')).isConnected).toBe(true)
  })

  it('that failed says why in our words and the platform’s, leads to its terms, and is tried again', async () => {
    const failed = shareOf({
      state: 'failed',
      code: 'terms_not_accepted',
      message: 'Permissions error',
      request_id: 'AbC',
    })
    const { drawer, changes } = await opened(audienceOf({ shares: [failed] }), 'shares', {
      'GET /api/lta/check-ad-account-permission': {
        result: 'terms_not_accepted',
        mode: 'copy',
        fix_url: 'https://business.facebook.com/ads/manage/customaudiences/tos/?act=1',
      },
      'POST /api/lta/5/shares/31/retry/': { share: 31, state: 'queued' },
    })
    expect((await drawer.findByText(/terms for audiences have not been accepted/)).isConnected).toBe(true)
    expect(drawer.getByText('The platform says: Permissions error').isConnected).toBe(true)
    const link = await drawer.findByRole<HTMLAnchorElement>('link', { name: 'Read and accept the terms' })
    expect([link.target, link.rel]).toEqual(['_blank', 'noopener noreferrer'])
    await press(drawer, 'Try again')
    await expect.poll(changes).toEqual([['POST', '/api/lta/5/shares/31/retry/', undefined]])
  })

  it('leads nowhere but to a page of the web', async () => {
    const failed = shareOf({ state: 'failed', code: 'terms_not_accepted' })
    const { drawer, calls } = await opened(audienceOf({ shares: [failed] }), 'shares', {
      'GET /api/lta/check-ad-account-permission': {
        result: 'terms_not_accepted',
        mode: null,
        fix_url: 'javascript:alert(1)',
      },
    })
    await expect.poll(() => calls.some(({ path }) => path.includes('check'))).toBe(true)
    expect(drawer.queryByRole('link', { name: 'Read and accept the terms' })).toBeNull()
  })

  it('is unshared once it is confirmed that its ads stop', async () => {
    const { drawer, changes } = await opened(audienceOf({ shares: [shareOf()] }), 'shares', {
      'DELETE /api/lta/5/shares/31/': { share: 31, state: 'removing' },
    })
    await press(drawer, 'Unshare')
    const question = within(await screen.findByRole('dialog', { name: 'Unshare from Aurora Meta?' }))
    expect(changes()).toEqual([])
    expect(question.getByText(/Ads that use it stop/).isConnected).toBe(true)
    await press(question, 'Unshare')
    await expect.poll(changes).toEqual([['DELETE', '/api/lta/5/shares/31/', undefined]])
    await expect.poll(() => toasts.get().at(-1)?.message).toBe('Aurora Meta is being unshared')
  })

  it('follows later uploads, or not', async () => {
    const { drawer, changes } = await opened(audienceOf({ shares: [shareOf()] }), 'shares', {
      'PATCH /api/lta/5/shares/31/': { share: 31, state: 'ready' },
    })
    await userEvent.click(drawer.getByRole('switch', { name: 'Later uploads follow' }))
    await expect.poll(changes).toEqual([['PATCH', '/api/lta/5/shares/31/', { auto_sync: false }]])
  })

  it('is nobody’s to change who only reads', async () => {
    const share = shareOf({ state: 'failed', code: 'no_access', may_unshare: false })
    const { drawer } = await opened(audienceOf({ may_change: false, shares: [share] }), 'shares')
    await drawer.findByRole('article', { name: 'Aurora Meta' })
    expect(drawer.queryByRole('switch')).toBeNull()
    expect(drawer.queryByRole('button', { name: 'Try again' })).toBeNull()
    expect(drawer.queryByRole('button', { name: 'Unshare' })).toBeNull()
  })
})

describe('sharing', () => {
  const accounts = listOf([
    accountOf(),
    accountOf({ id: 7, name: 'Delta Meta' }),
    accountOf({ id: 8, name: 'Aurora LY', channel: 'yg', provider: 'ly_display' }),
    accountOf({ id: 9, name: 'Aurora GA4', channel: 'ga4', provider: 'ga4' }),
    accountOf({ id: 10, name: 'Aurora Search', channel: 'aw', provider: 'google_ads' }),
  ])
  const check = ({ query }: { query: { ad_account: number } }) =>
    query.ad_account === 7
      ? { result: 'not_claimed_by_business', mode: null, fix_url: null }
      : { result: 'ok', mode: 'copy', fix_url: null }

  it('offers the accounts that would take it, and says of the others why not', async () => {
    const { drawer, changes } = await opened(audienceOf({ shares: [shareOf()] }), 'overview', {
      'GET /api/ad/account/': accounts,
      'GET /api/lta/check-ad-account-permission': check,
      'POST /api/lta/share-custom-audience': { shares: [{ ad_account: 10, share: 40, result: 'queued' }] },
    })
    await press(drawer, 'Share')
    const dialog = within(await screen.findByRole('dialog', { name: 'Share Aurora VIP 2026' }))
    const box = (name: RegExp) => dialog.findByRole<HTMLInputElement>('checkbox', { name })
    const delta = await box(/Delta Meta/)
    expect((await box(/Aurora Meta/)).disabled).toBe(true)
    await expect.poll(() => dialog.queryByText(/not claimed|business/i)?.isConnected).toBe(true)
    expect(delta.disabled).toBe(true)
    expect(dialog.getByText('Aurora LY').isConnected).toBe(true)
    expect(dialog.queryByText('Aurora GA4')).toBeNull()
    await expect.poll(async () => (await box(/Aurora Search/)).disabled).toBe(false)
    await userEvent.click(await box(/Aurora Search/))
    await press(dialog, 'Share with 1 account')
    await expect
      .poll(changes)
      .toEqual([
        ['POST', '/api/lta/share-custom-audience', { audience: 5, ad_accounts: [10], auto_sync: true }],
      ])
    await expect.poll(() => screen.queryByRole('dialog', { name: 'Share Aurora VIP 2026' })).toBeNull()
  })

  it('asks the platform again once somebody has accepted its terms there', async () => {
    const { drawer, calls } = await opened(audienceOf(), 'overview', {
      'GET /api/lta/check-ad-account-permission': ({ query }: { query: { again?: boolean } }) =>
        query.again === true
          ? { result: 'ok', mode: 'home', fix_url: null }
          : { result: 'terms_not_accepted', mode: null, fix_url: 'https://terms.example' },
    })
    await press(drawer, 'Share')
    const dialog = within(await screen.findByRole('dialog', { name: 'Share Aurora VIP 2026' }))
    await press(dialog, 'Check again')
    const box = dialog.getByRole<HTMLInputElement>('checkbox', { name: /Aurora Meta/ })
    await expect.poll(() => box.disabled).toBe(false)
    expect(dialog.queryByRole('link', { name: 'Read and accept the terms' })).toBeNull()
    expect(calls.filter(({ path }) => path.includes('check'))).toHaveLength(2)
  })

  it('stays open with what was refused', async () => {
    const { drawer } = await opened(audienceOf(), 'overview', {
      'GET /api/lta/check-ad-account-permission': check,
      'POST /api/lta/share-custom-audience': { shares: [{ ad_account: 1, result: 'terms_not_accepted' }] },
    })
    await press(drawer, 'Share')
    const dialog = within(await screen.findByRole('dialog', { name: 'Share Aurora VIP 2026' }))
    await expect
      .poll(() => dialog.queryByRole<HTMLInputElement>('checkbox', { name: /Aurora Meta/ })?.disabled)
      .toBe(false)
    await userEvent.click(dialog.getByRole('checkbox', { name: /Aurora Meta/ }))
    await press(dialog, 'Share with 1 account')
    expect((await dialog.findByText(/terms for audiences have not been accepted/)).isConnected).toBe(true)
  })

  it('waits for the first upload', async () => {
    const { drawer } = await opened(audienceOf({ status: 'draft', rows: 0 }))
    expect(drawer.getByRole<HTMLButtonElement>('button', { name: 'Share' }).disabled).toBe(true)
  })
})

describe('deleting', () => {
  it('needs the name where ads would stop', async () => {
    const { drawer, changes } = await opened(audienceOf({ shares: [shareOf()] }), 'overview', {
      'DELETE /api/lta/5/': null,
    })
    await press(drawer, 'Delete')
    const question = within(await screen.findByRole('dialog', { name: 'Delete Aurora VIP 2026?' }))
    const confirm = () => question.getByRole<HTMLButtonElement>('button', { name: 'Delete' })
    expect(confirm().disabled).toBe(true)
    await userEvent.type(question.getByRole('textbox'), 'Aurora VIP 2026')
    await userEvent.click(confirm())
    await expect.poll(changes).toEqual([['DELETE', '/api/lta/5/', { version: 2 }]])
  })

  it('says that lookalikes are made from it', async () => {
    const { drawer } = await opened(audienceOf(), 'overview', {
      'DELETE /api/lta/5/': new Problem({ code: 'has_lookalikes', status: 409 }),
    })
    await press(drawer, 'Delete')
    const question = within(await screen.findByRole('dialog', { name: 'Delete Aurora VIP 2026?' }))
    expect(question.queryByRole('textbox')).toBeNull()
    await press(question, 'Delete')
    expect((await question.findByText(/Lookalike audiences are made/)).isConnected).toBe(true)
  })

  it('says how many target audiences refer to it', async () => {
    const body = { by: { target_audiences: 2 } }
    const { drawer } = await opened(audienceOf(), 'overview', {
      'DELETE /api/lta/5/': new Problem({ code: 'in_use', status: 409, body }),
    })
    await press(drawer, 'Delete')
    const question = within(await screen.findByRole('dialog', { name: 'Delete Aurora VIP 2026?' }))
    await press(question, 'Delete')
    expect((await question.findByText(/^2 target audiences refer to it/)).isConnected).toBe(true)
  })
})

describe('what has happened', () => {
  it('is each upload with its counts', async () => {
    const { drawer } = await opened(audienceOf(), 'uploads', {
      'GET /api/lta/5/uploads/': [uploadOf(), uploadOf({ id: 'x', action: 'remove', rows: 1, counts: null })],
    })
    expect((await drawer.findByText('Added · 5,000 people')).isConnected).toBe(true)
    expect(drawer.getByText('Removed · 1 person').isConnected).toBe(true)
    expect(drawer.getByText('Duplicates').nextElementSibling?.textContent).toBe('12')
    expect(drawer.queryByText('Without consent')).toBeNull()
  })

  it('is in its history, with who did it', async () => {
    const event = { id: 1, at: '2026-11-20T01:00:00.000Z', actor_name: 'Mika Chen', changes: null }
    const nothing = { upload_action: null, rows: null, ad_accounts: [] }
    const { drawer } = await opened(audienceOf(), 'history', {
      'GET /api/lta/5/history/': [
        { ...event, ...nothing, action: 'audience.share', ad_accounts: ['Aurora Meta', 'Aurora LINE'] },
        { ...event, ...nothing, id: 2, action: 'audience.upload', upload_action: 'add', rows: 5000 },
        { ...event, ...nothing, id: 3, action: 'audience.change', changes: { name: { from: 'A', to: 'B' } } },
        { ...event, ...nothing, id: 4, action: 'audience.merge', actor_name: null },
      ],
    })
    expect((await drawer.findByText('Aurora Meta, Aurora LINE')).isConnected).toBe(true)
    expect(drawer.getByText('Added · 5,000 people').isConnected).toBe(true)
    expect(drawer.getByText(/Name: A → B/).isConnected).toBe(true)
    expect(drawer.getAllByText(/Mika Chen/)).toHaveLength(3)
    expect(drawer.getByText('audience.merge').isConnected).toBe(true)
  })

  it('says that it could not be read', async () => {
    const { drawer } = await opened(audienceOf(), 'history', {
      'GET /api/lta/5/history/': new Problem({ code: 'internal_error', status: 500 }),
    })
    expect((await drawer.findByRole('alert')).textContent).not.toBe('')
  })
})
