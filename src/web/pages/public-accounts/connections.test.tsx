// @vitest-environment happy-dom
import { screen, waitFor, within } from '@testing-library/react'
import { userEvent } from '@testing-library/user-event'
import { afterAll, beforeAll, beforeEach, describe, expect, it, onTestFinished, vi } from 'vitest'
import type { IdentityName } from '#shared/access.ts'
import { takeFromAddress } from '#web/client/came-back.ts'
import { Problem } from '#web/client/problem.ts'
import { toasts } from '#web/client/toasts.ts'
import { switchLanguage } from '#web/i18n/i18n.ts'
import { drawAt } from '#web/testing/draw-for.tsx'
import { changesIn, listOf, serve } from '#web/testing/fake-server.ts'
import { Finish } from './connect-callback.tsx'
import { PublicAccounts } from './public-accounts.tsx'
import { accountOf, keeperOf, permissionOf, platformOf, resultOf, serviceOf } from './testing/samples.ts'

const user = userEvent
const SCOPE = 'https://www.googleapis.com/auth/'
const begun = { url: 'https://platform.test/consent?state=state-1', nonce: 'nonce-1', expires_at: '' }

interface Drawn {
  answers?: Record<string, unknown>
  identity?: IdentityName
}

function drawPage({ answers = {}, identity = 'superuser' }: Drawn = {}) {
  const calls = serve({
    'GET /api/public-account/': listOf([accountOf()]),
    'GET /api/public-account-platform/': [
      platformOf('google'),
      platformOf('meta', { ready: false, client_id: null, has_client_secret: false, version: 0 }),
      platformOf('line'),
    ],
    'GET /api/public-account-service/': [
      serviceOf(),
      serviceOf({ id: 12, service: 'audiences', enabled: false, missing: [`${SCOPE}datamanager`] }),
    ],
    'GET /api/public-account-permission/': [
      permissionOf(),
      permissionOf({ service: 'audiences', scope: `${SCOPE}datamanager`, granted: false }),
      permissionOf({ service: 'spreadsheets', scope: `${SCOPE}spreadsheets`, granted: false, needed: false }),
    ],
    'GET /api/public-account-user/': [keeperOf()],
    'GET /api/user/': listOf([]),
    'GET /api/users/': [],
    'POST /api/public-account/connect/': begun,
    ...answers,
  })
  const went = drawAt(
    <PublicAccounts />,
    { path: '/setting/public-account', search: { search: '', page: 1 } },
    { identity },
  )
  return {
    calls,
    went,
    changes: () => changesIn(calls).map(({ method, path, body }) => [method, path, body]),
  }
}

const button = async (name: string | RegExp) => await screen.findByRole('button', { name })
const press = async (name: string | RegExp) => await user.click(await button(name))
const choose = async (field: string, option: string) => {
  await user.click(await screen.findByRole('combobox', { name: field }))
  await user.click(await screen.findByRole('option', { name: option }))
}
/** Where the browser would have left for. */
let left: string[] = []
beforeEach(() => {
  left = []
  sessionStorage.clear()
  const leaving = vi.spyOn(window.location, 'assign').mockImplementation(to => void left.push(String(to)))
  onTestFinished(() => leaving.mockRestore())
})

const openDrawer = async () => {
  await press('Actions for Google · mei@agency.demo')
  await user.click(await screen.findByRole('menuitem', { name: 'Details' }))
  return within(await screen.findByRole('dialog'))
}

describe('connecting a platform', () => {
  it('asks what for, says which permissions that takes, and leaves for the platform', async () => {
    const { changes } = drawPage()
    await press('Connect a platform')
    await choose('Platform', 'Google')
    expect(await screen.findByText('Asks for: adwords, analytics.readonly')).toBeTruthy()
    await user.click(screen.getByRole('checkbox', { name: /Audience lists/ }))
    await press('Connect at Google')
    const body = { platform: 'google', services: ['reporting', 'audiences'] }
    await waitFor(() => expect(left).toEqual([begun.url]))
    expect(changes()).toEqual([['POST', '/api/public-account/connect/', body]])
    expect(sessionStorage.getItem('connect:state-1')).toBe('nonce-1')
  })

  it('leads to the app settings where the app is not set up, and does not leave', async () => {
    const { changes } = drawPage()
    await press('Connect a platform')
    await choose('Platform', 'Meta')
    await screen.findByText('The agency’s app at Meta is not set up yet.')
    await press('Connect at Meta')
    expect([changes(), left]).toEqual([[], []])
    await press('Set up the app')
    expect(await screen.findByText('Apps at the platforms')).toBeTruthy()
  })

  it('takes keys as before, where a platform has no page for it and where somebody prefers that', async () => {
    const made = accountOf({ id: 5, kind: 'keys', platform: 'meta', name: 'By hand' })
    const { changes } = drawPage({
      answers: {
        'POST /api/public-account/': made,
        'POST /api/public-account/5/import-accounts/': { accounts: 1, new: 1 },
      },
    })
    await press('Connect a platform')
    await choose('Platform', 'LINE Ads')
    expect(await screen.findByLabelText(/Access key/)).toBeTruthy()
    await choose('Platform', 'Meta')
    await user.click(await screen.findByText('Enter keys by hand'))
    await user.type(await screen.findByLabelText(/System user access token/, { selector: 'input' }), 'EAAB')
    await press('Connect')
    await waitFor(() => expect(changes()).toHaveLength(2))
    const login = { access_token: 'EAAB', app_secret: '' }
    expect(changes()[0]?.[2]).toMatchObject({ platform: 'meta', name: 'Meta', login })
  })
})

describe('the apps at the platforms', () => {
  it('show their callback URL, and keep a secret that is not typed again', async () => {
    const { changes } = drawPage({
      answers: { 'PATCH /api/public-account-platform/google/': platformOf('google', { version: 3 }) },
    })
    await press('App settings')
    const google = within(await screen.findByRole('region', { name: 'Google' }))
    expect(google.getByText('Ready')).toBeTruthy()
    expect(google.getByText('https://reports.agency.test/oauth/callback')).toBeTruthy()
    await user.clear(google.getByLabelText('Client ID'))
    await user.type(google.getByLabelText('Client ID'), 'new-id')
    await user.type(google.getByLabelText(/^Developer token/), 'dev-1')
    await user.click(google.getByRole('button', { name: 'Save' }))
    await waitFor(() => expect(changes()).toHaveLength(1))
    expect(changes()).toEqual([
      [
        'PATCH',
        '/api/public-account-platform/google/',
        { version: 2, client_id: 'new-id', developer_token: 'dev-1' },
      ],
    ])
  })

  it('say what is wrong with a field, and when somebody else has changed them', async () => {
    const problem = new Problem({ code: 'invalid', fields: { client_id: ['field_invalid'] } })
    const conflict = new Problem({ code: 'conflict', status: 409 })
    const answers = [problem, conflict]
    drawPage({ answers: { 'PATCH /api/public-account-platform/meta/': () => answers.shift() } })
    await press('App settings')
    const meta = within(await screen.findByRole('region', { name: 'Meta' }))
    expect(meta.getByText('Not set up')).toBeTruthy()
    await user.click(meta.getByRole('button', { name: 'Save' }))
    await waitFor(() => expect(meta.getByLabelText('App ID').getAttribute('aria-invalid')).toBe('true'))
    await user.click(meta.getByRole('button', { name: 'Save' }))
    expect(await meta.findByRole('alert')).toBeTruthy()
  })
})

describe('a connected login', () => {
  it('shows what it is used for and what it lacks, and switches that', async () => {
    const { changes } = drawPage({
      answers: { 'PATCH /api/public-account-service/11/': serviceOf({ enabled: false }) },
    })
    const drawer = await openDrawer()
    const reports = await drawer.findByRole('switch', { name: /Reports/ })
    expect(drawer.getByText('Not granted: datamanager')).toBeTruthy()
    expect(drawer.getByText('Missing')).toBeTruthy()
    expect(drawer.getByText('not needed')).toBeTruthy()
    await user.click(reports)
    await waitFor(() =>
      expect(changes()).toEqual([['PATCH', '/api/public-account-service/11/', { enabled: false }]]),
    )
  })

  it('is checked at the platform, and a refusal is said', async () => {
    const { changes } = drawPage({
      answers: {
        'POST /api/public-account-permission/check/': new Problem({
          code: 'credential_expired',
          status: 400,
        }),
      },
    })
    const drawer = await openDrawer()
    await user.click(await drawer.findByRole('button', { name: 'Check now' }))
    expect(await drawer.findByRole('alert')).toBeTruthy()
    expect(changes()).toEqual([['POST', '/api/public-account-permission/check/', { public_account: 4 }]])
  })

  it('has keepers, who come and go', async () => {
    const { changes } = drawPage({
      answers: {
        'GET /api/user/': listOf([]),
        'DELETE /api/public-account-user/21/': null,
      },
    })
    const drawer = await openDrawer()
    await user.click(await drawer.findByRole('button', { name: 'Kim Keeper keeps it no longer' }))
    await waitFor(() => expect(changes()).toEqual([['DELETE', '/api/public-account-user/21/', undefined]]))
  })

  it('is connected again with the services that it has', async () => {
    const { changes } = drawPage()
    const drawer = await openDrawer()
    await user.click(await drawer.findByRole('button', { name: 'Connect again' }))
    await press('Connect at Google')
    await waitFor(() => expect(left).toEqual([begun.url]))
    expect(changes()[0]?.[2]).toEqual({
      platform: 'google',
      services: ['reporting', 'audiences'],
      public_account: 4,
    })
  })

  it('is disconnected once it was said what stops', async () => {
    const stops = {
      accounts: 2,
      reports: { count: 3, names: ['Weekly', 'Monthly'] },
      audiences: { count: 1, names: ['VIP'] },
      revokes: true,
    }
    const { changes } = drawPage({
      answers: {
        'GET /api/public-account/4/disconnect/': stops,
        'POST /api/public-account/4/disconnect/': { accounts: 2, revoked: false },
      },
    })
    const drawer = await openDrawer()
    await user.click(await drawer.findByRole('button', { name: 'Disconnect' }))
    for (const text of ['3 reports stop:', 'Weekly', '… and 1 more', /1 audience list is not/, 'VIP'])
      expect(await screen.findByText(text), String(text)).toBeTruthy()
    expect(changes()).toEqual([])
    const [, confirm] = await screen.findAllByRole('button', { name: 'Disconnect' })
    if (confirm) await user.click(confirm)
    await waitFor(() => expect(changes()).toEqual([['POST', '/api/public-account/4/disconnect/', undefined]]))
    expect(toasts.get().at(-1)?.message).toContain('is disconnected here')
  })
})

describe('a keeper', () => {
  it('sees the logins that they keep, and connects one again', async () => {
    const { changes } = drawPage({ identity: 'staff' })
    expect(await screen.findByRole('heading', { name: 'Logins that you keep' })).toBeTruthy()
    await press('Connect again')
    await waitFor(() => expect(left).toEqual([begun.url]))
    expect(changes()[0]?.[2]).toEqual({ platform: 'google', public_account: 4 })
  })

  it('of nothing finds no such page', async () => {
    drawPage({ identity: 'director', answers: { 'GET /api/public-account-user/': [] } })
    expect(await screen.findByRole('heading', { name: 'This page does not exist' })).toBeTruthy()
  })
})

const FINISH = 'POST /api/public-account/connect/finish/'

/** Back from the platform at this address, with this answer of the server. */
function comeBack(query: string, answers: Record<string, unknown>) {
  history.replaceState(null, '', `/oauth/callback${query}`)
  sessionStorage.setItem('connect:state-1', 'nonce-1')
  takeFromAddress()
  const calls = serve({ 'POST /api/public-account/connect/': begun, ...answers })
  drawAt(<Finish />, { path: '/oauth/callback' }, { identity: 'superuser' })
  return { changes: () => changesIn(calls).map(({ path, body }) => [path, body]) }
}
const finishes = (body: object) => ['/api/public-account/connect/finish/', body]

describe('the page that platforms send people back to', () => {
  it('drops its address at once, finishes once, and shows what the login can do', async () => {
    const { changes } = comeBack('?code=secret-code&state=state-1&scope=x', {
      [FINISH]: resultOf(),
      'POST /api/public-account/4/import-accounts/': { accounts: 12, new: 10 },
    })
    expect([location.pathname, location.search]).toEqual(['/oauth/callback', ''])
    expect(
      await screen.findByRole('heading', { name: '“Google · mei@agency.demo” is connected' }),
    ).toBeTruthy()
    expect(sessionStorage.getItem('connect:state-1')).toBeNull()
    expect(screen.getByText('12 accounts can be imported (10 of them new).')).toBeTruthy()
    await press('Import accounts')
    expect(await screen.findByText('12 accounts imported, 10 of them new.')).toBeTruthy()
    expect(changes()[0]).toEqual(finishes({ state: 'state-1', nonce: 'nonce-1', code: 'secret-code' }))
    expect(changes()).toHaveLength(2)
    expect(document.body.textContent).not.toContain('secret-code')
  })

  it('says what was not granted, and asks for it again', async () => {
    const scopes = [`${SCOPE}datamanager`]
    const services = [
      serviceOf(),
      serviceOf({ id: 12, service: 'audiences', enabled: false, missing: scopes }),
    ]
    const { changes } = comeBack('?code=c&state=state-1', {
      [FINISH]: resultOf({ services, code: 'scope_missing', scopes, accounts: null }),
    })
    expect(await screen.findByText(/everything else works: datamanager/)).toBeTruthy()
    await press('Ask again')
    await waitFor(() => expect(left).toEqual([begun.url]))
    expect(changes()[1]?.[1]).toEqual({
      platform: 'google',
      public_account: 4,
      services: ['reporting', 'audiences'],
    })
  })

  it.each([
    ['connect_denied', 'error=access_denied', /agree at the platform/],
    ['state_unknown', 'code=c', /within ten minutes/],
    ['connect_failed', 'code=c', /Check the app settings/],
    ['platform_not_ready', 'code=c', /sets up the app/],
    ['platform_unavailable', 'code=c', /Connect again\. If/],
  ] as const)('says what can be done about %s', async (code, query, todo) => {
    comeBack(`?${query}&state=state-1`, {
      [FINISH]: new Problem({ code, status: 400, body: { platform_message: 'invalid_grant: Bad Request' } }),
    })
    expect(await screen.findByText(todo)).toBeTruthy()
    expect(screen.getByText('The platform says: invalid_grant: Bad Request')).toBeTruthy()
    expect(screen.getByRole('link', { name: 'Public accounts' })).toBeTruthy()
  })

  it.each([
    ['Use ken@agency.demo', true],
    ['Keep the previous person', false],
  ])('asks whether somebody else was meant: %s', async (name, isMeant) => {
    const person = { before: 'mei@agency.demo', now: 'ken@agency.demo' }
    const answers: unknown[] = [
      new Problem({ code: 'connect_other_person', status: 409, body: { person } }),
      isMeant ? resultOf() : new Problem({ code: 'connect_denied', status: 400 }),
    ]
    const { changes } = comeBack('?code=c&state=state-1', { [FINISH]: () => answers.shift() })
    expect(await screen.findByText(/it was mei@agency.demo, now it is ken@agency.demo/)).toBeTruthy()
    await press(name)
    await waitFor(() => expect(changes()).toHaveLength(2))
    expect(changes()[1]).toEqual(
      finishes({ state: 'state-1', nonce: 'nonce-1', confirm_other_person: isMeant }),
    )
  })

  it('has nothing to finish when it is opened by hand', async () => {
    const { changes } = comeBack('', {})
    expect(await screen.findByText(/Nothing is being connected here/)).toBeTruthy()
    expect(changes()).toEqual([])
  })
})

describe('in Chinese', () => {
  beforeAll(() => switchLanguage('zh-TW'))
  afterAll(() => switchLanguage('en'))

  it('the drawer, its dialogs and the way back say the same', async () => {
    drawPage({
      answers: {
        'GET /api/public-account/4/disconnect/': {
          accounts: 2,
          reports: { count: 1, names: ['每週'] },
          audiences: { count: 0, names: [] },
          revokes: false,
        },
      },
    })
    await press('Google · mei@agency.demo 的操作')
    await user.click(await screen.findByRole('menuitem', { name: '詳細資料' }))
    const drawer = within(await screen.findByRole('dialog'))
    for (const text of ['授權者：mei@agency.demo', '用途', '未授予：datamanager', '保管人', '缺少', '不需要'])
      expect(await drawer.findByText(text), text).toBeTruthy()
    await user.click(await drawer.findByRole('button', { name: '中斷連接' }))
    expect(await screen.findByText('1 份報表將停止更新：')).toBeTruthy()
    expect(await screen.findByText(/須由本人在平台的設定中解除/)).toBeTruthy()
  })

  it('the way back says the same', async () => {
    comeBack('?error=access_denied&state=state-1', {
      [FINISH]: new Problem({ code: 'connect_denied', status: 400 }),
    })
    expect(await screen.findByText('您在平台上拒絕了授權，沒有儲存任何資料。')).toBeTruthy()
    expect(screen.getByText('若並非本意，請重新連接並在平台上同意。')).toBeTruthy()
  })
})
