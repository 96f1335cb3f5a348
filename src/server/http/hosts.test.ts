import { describe, expect, it } from 'vitest'
import { sendBytes } from './testing/bytes.ts'
import { hostsOf } from './hosts.ts'
import { testApi } from './testing/api.ts'

const settings = {
  host: '127.0.0.1',
  public_url: 'https://Reports.example.com:8443/desk',
  allowed_hosts: null,
  metrics_token: null,
}
const anywhere = { ...settings, host: '0.0.0.0' }
const call = async (origin: string, host: string, path = '/healthz') =>
  (await sendBytes(origin, `GET ${path} HTTP/1.1\r\n${host}connection: close\r\n\r\n`)).status

describe('a product on loopback', async () => {
  const { origin } = await testApi({ hosts: hostsOf(settings) })

  it('responds under its own names and that of its public address, at any port', async () => {
    for (const name of ['localhost', '127.0.0.1', '[::1]', 'LOCALHOST', 'reports.example.com'])
      for (const port of ['', ':3000', ':8443'])
        expect([name, port, await call(origin, `host: ${name}${port}\r\n`)]).toEqual([name, port, 200])
  })

  it('does not respond under a name that only points at this machine', async () => {
    const paths = ['/', '/healthz', '/metrics', '/api/docs', '/api/schema.json', '/api/demo/', '/api/events/']
    for (const path of [...paths, '/assets/x.js', '/%zz', '/nothing'])
      expect([path, await call(origin, 'host: evil.example\r\n', path)]).toEqual([path, 421])
    for (const name of [
      'localhost.evil.example',
      'xlocalhost',
      'localhost.',
      '127.0.0.1.nip.io',
      '127.0.0.2',
      '[::2]',
    ])
      expect([name, await call(origin, `host: ${name}:3000\r\n`)]).toEqual([name, 421])
  })

  it('reads no body, and accepts no sign-in', async () => {
    const response = await sendBytes(
      origin,
      'POST /api/token/ HTTP/1.1\r\nhost: evil.example\r\nconnection: close\r\ncontent-type: application/json\r\ncontent-length: 50\r\n\r\n{',
    )
    expect(response.status).toBe(421)
    expect(JSON.parse(response.body)).toMatchObject({ code: 'wrong_host', status: 421 })
  })

  it('checks the host in the request target as well', async () => {
    expect(await call(origin, 'host: localhost\r\n', 'http://localhost/healthz')).toBe(200)
    expect(await call(origin, 'host: localhost\r\n', 'http://evil.example/healthz')).toBe(421)
    expect(await call(origin, 'host: evil.example\r\n', 'http://localhost/healthz')).toBe(421)
  })

  it('refuses a request with no host, with two, or with one that is none', async () => {
    for (const lines of [
      '',
      'host: localhost\r\nhost: localhost\r\n',
      'host: evil.example\r\nHost: localhost\r\n',
      'host: \r\n',
      'host: user@localhost\r\n',
      'host: localhost/path\r\n',
      'host: localhost, evil.example\r\n',
      'host: local host\r\n',
      'host: local\0host\r\n',
      'host: localhost:port\r\n',
    ])
      expect([lines, await call(origin, lines)]).toEqual([lines, 400])
    const old = await sendBytes(origin, 'GET /healthz HTTP/1.0\r\n\r\n')
    expect(old.status).toBe(421)
  })
})

describe('a product on another address', () => {
  it('responds under any name, since proxies use names of their own', async () => {
    const { origin } = await testApi({ hosts: hostsOf(anywhere) })
    for (const name of ['sheetcast', 'upstream:3000', '10.0.0.5'])
      expect(await call(origin, `host: ${name}\r\n`)).toBe(200)
    expect((await sendBytes(origin, 'GET /healthz HTTP/1.0\r\n\r\n')).status).toBe(200)
    expect(await call(origin, '')).toBe(400)
    expect(await call(origin, 'host: a\r\nhost: b\r\n')).toBe(400)
  })

  it('responds under the allowed names alone where some are named, but for its health', async () => {
    const named = { ...anywhere, allowed_hosts: ['desk.internal'], metrics_token: 'a token' }
    const { origin } = await testApi({ hosts: hostsOf(named) })
    const statuses = async (path: string) =>
      await Promise.all(
        ['desk.internal', 'reports.example.com', '10.0.0.5'].map(name =>
          call(origin, `host: ${name}\r\n`, path),
        ),
      )
    expect(await statuses('/api/docs')).toEqual([200, 200, 421])
    expect(await statuses('/healthz')).toEqual([200, 200, 200])
    expect(await statuses('/readyz')).toEqual([200, 200, 200])
  })

  it('serves metrics under any host only with the token', () => {
    const named = { ...anywhere, allowed_hosts: ['desk.internal'] }
    expect(hostsOf(named)).toMatchObject({ open_paths: ['/healthz', '/readyz'] })
    expect(hostsOf({ ...named, metrics_token: 'a token' })).toMatchObject({
      open_paths: ['/healthz', '/readyz', '/metrics'],
    })
  })
})
