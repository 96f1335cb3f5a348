import { mkdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { beforeEach, describe, expect, inject, it } from 'vitest'
import type { PageRequest } from '#shared/drawn-page.ts'
import type { ApiReply } from '#server/rendering/messages.ts'
import { testApi } from './testing/api.ts'

const web_dir = join(inject('test_folder'), 'drawn-web')
mkdirSync(web_dir, { recursive: true })
writeFileSync(
  join(web_dir, 'index.html'),
  '<!doctype html><html lang="en"><head><script type="module" crossorigin src="/assets/main.js"></script><title>Sheetcast</title><link rel="modulepreload" crossorigin href="/assets/first.js"><link rel="stylesheet" crossorigin href="/assets/first.css"></head><body><div id="root"></div></body></html>',
)
const files = ['/assets/page.css', '/assets/page.js']
const styled = { style: '/assets/all.css', en: files, 'zh-TW': files }
writeFileSync(
  join(web_dir, 'pages.json'),
  JSON.stringify({
    first_paint: '/assets/first-paint.js',
    pages: { '*': styled, '/sign-in': styled },
    parts: { 'part.tsx': { style: '/assets/all-of-part.css', files: ['/assets/part.css'] } },
  }),
)

let isReady = true
let drawn: PageRequest[] = []
let identity: ApiReply | null = null
const api = await testApi({
  web_dir,
  pages: {
    isReady: () => isReady,
    async draw(page, read) {
      drawn.push(page)
      if (page.href === '/left') return null
      const token = /access_token=([^;]+)/.exec(page.cookies)?.[1] ?? ''
      identity = await read({ path: '/users/identity/', headers: { authorization: `Bearer ${token}` } })
      return {
        title: 'A < B',
        markup: '<p>drawn</p>',
        css: '#root{color:red}',
        parts: ['part.tsx'],
        state: '{"a":1}',
      }
    },
  },
})
beforeEach(() => {
  drawn = []
  identity = null
})

const look = { is_dark: true, time_zone: 'Asia/Taipei', stored: { 'sheetcast.sidebar': 'rail' } }
const cookieOf = (value: unknown) => `look=${encodeURIComponent(JSON.stringify(value))}`

async function open(path: string, cookies: readonly string[] = [], headers: Record<string, string> = {}) {
  const response = await fetch(api.origin + path, {
    headers: { accept: 'text/html', cookie: cookies.join('; '), ...headers },
  })
  return { headers: response.headers, text: await response.text() }
}

const alice = await api.signedIn('staff')
const signedIn = `access_token=${alice.token}`

describe('a page', () => {
  it('is sent drawn, with what was read as the person who opens it', async () => {
    const { text, headers } = await open('/gs-template?p=1', [
      signedIn,
      cookieOf(look),
      'language=zh-TW',
      'refresh_token=secret',
      'other=x',
    ])
    expect(text).toContain('<div id="root"><p>drawn</p></div>')
    expect(text.match(/<title>.*?<\/title>/g)).toEqual(['<title>A &lt; B</title>'])
    expect(text.match(/<link rel="stylesheet".*?>/g)).toEqual([
      '<link rel="stylesheet" crossorigin href="/assets/all.css" data-has="/assets/first.css /assets/page.css">',
      '<link rel="stylesheet" crossorigin href="/assets/all-of-part.css" data-has="/assets/part.css">',
    ])
    expect(text).toContain('<script type="application/json" id="drawn">{"a":1}</script>')
    expect(text).toContain('<html data-mantine-color-scheme="dark" lang="zh-Hant-TW">')
    expect(drawn).toEqual([
      {
        href: '/gs-template?p=1',
        origin: api.origin,
        cookies: `${signedIn}; language=zh-TW`,
        look,
        at_ms: expect.any(Number),
      },
    ])
    expect(JSON.parse(identity?.body ?? '')).toMatchObject({ user_id: alice.user.id })
    expect(headers.get('cache-control')).toBe('no-store')
  })

  it('names its styles at once and its scripts for later, and allows its one style sheet alone', async () => {
    const { text, headers } = await open('/', [signedIn, cookieOf(look)])
    expect(text).toContain(
      '<script async src="/assets/first-paint.js" data-main="/assets/main.js" data-files="/assets/first.js /assets/page.js"></script>',
    )
    expect(text).not.toMatch(/modulepreload|type="module"/)
    const nonce = /<style nonce="([^"]+)">#root\{color:red\}<\/style>/.exec(text)?.[1] ?? ''
    expect(headers.get('content-security-policy')).toContain(`style-src 'self' 'nonce-${nonce}';`)
    expect(headers.get('content-security-policy')).toContain("script-src 'self';")
    const again = await open('/', [signedIn, cookieOf(look)])
    expect(again.text).not.toContain(nonce)
  })

  it('is drawn before signing in, where nothing is known of the browser', async () => {
    const { text } = await open('/sign-in')
    expect(text).toContain('<p>drawn</p>')
    expect(text).toContain('<script src="/assets/first-paint.js"')
    expect(drawn).toMatchObject([{ look: null, cookies: '' }])
  })

  it('is left to the browser where the renderer does so, with its scripts', async () => {
    const { text } = await open('/left', [signedIn, cookieOf(look)])
    expect(text).toContain('<div id="root"></div>')
    expect(text).toContain('data-main="/assets/main.js"')
  })

  it('is left to the browser, which waits for nothing, while the renderer is not ready', async () => {
    isReady = false
    const { text } = await open('/', [signedIn, cookieOf(look)])
    isReady = true
    expect(drawn).toEqual([])
    expect(text).toContain('<script type="module"')
  })

  it('is not drawn where it is not known how it looks, or who is there', async () => {
    const wrong = [
      {},
      { ...look, time_zone: 'Mars/Olympus' },
      { ...look, stored: { 'sheetcast.draft.1': 'x' } },
      { ...look, more: 1 },
      { ...look, stored: { 'sheetcast.theme': 'x'.repeat(501) } },
    ]
    for (const each of wrong) await open('/', [signedIn, cookieOf(each)])
    await open('/', [signedIn, 'look=%7B'])
    await open('/', [signedIn])
    await open('/', [cookieOf(look)])
    await open('/sign-in', ['refresh_token_exp=99999999999'])
    await open('/oauth/callback?code=x', [signedIn, cookieOf(look)])
    const { text, headers } = await open('/set-password?token=x', [signedIn, cookieOf(look)])
    expect(drawn).toEqual([])
    expect(text).toContain('<script type="module"')
    expect(headers.get('content-security-policy')).not.toContain('nonce')
  })

  it('is drawn for a session that can be renewed, and leaves its refresh token as it is', async () => {
    const refresh = await api.effects.tokens.signRefresh(alice.claims)
    const cookies = [`refresh_token=${refresh}`, 'refresh_token_exp=99999999999', cookieOf(look)]
    for (let time = 0; time < 2; time++) {
      await open('/', cookies)
      expect(JSON.parse(identity?.body ?? '')).toMatchObject({ user_id: alice.user.id })
    }
    const renewal = await api.anonymous.post('/api/token/refresh/', { refresh })
    expect(renewal.status).toBe(200)
    drawn = []
    // Used: it could be a stolen one.
    const { text } = await open('/', cookies)
    await open('/', ['refresh_token=forged', 'refresh_token_exp=99999999999', cookieOf(look)])
    expect(drawn).toEqual([])
    expect(text).toContain('<div id="root"></div>')
    await api.pool.query('update refresh_family set revoked_at = now() where id = $1', [alice.claims.family])
    await open('/', [
      `refresh_token=${Object(renewal.body).refresh}`,
      'refresh_token_exp=99999999999',
      cookieOf(look),
    ])
    expect(drawn).toEqual([])
  })

  it('with a token that the API refuses shows nobody’s data', async () => {
    await open('/', ['access_token=forged', cookieOf(look)])
    expect(identity?.status).toBe(401)
  })
})
