import { gzipSync } from 'node:zlib'
import * as http from 'node:http'
import * as tls from 'node:tls'
import { afterAll, describe, expect, it } from 'vitest'
import { certificateFor } from './testing/certificate.ts'
import { internet, PUBLIC, redirect, reply } from './testing/internet.ts'

const UTM = 'utm_source=facebook&utm_medium=paid_social&utm_campaign=autumn'
const LINK = `http://shop.demo/autumn?${UTM}#top`

describe('following a link', () => {
  it('ends at a page that answers', async () => {
    const requests: http.IncomingMessage[] = []
    await using net = await internet({
      'shop.demo': {
        handle: (request, response) => {
          requests.push(request)
          reply(200)(request, response)
        },
      },
    })
    expect(await net.follow(LINK)).toEqual({ outcome: 'ok', hops: [{ url: LINK, status: 200 }] })
    expect(net.dialled).toEqual([{ address: PUBLIC, port: 80 }])
    expect(requests[0]).toMatchObject({ method: 'GET', url: `/autumn?${UTM}` })
    expect(requests[0]?.headers).toEqual({
      host: 'shop.demo',
      'user-agent': expect.stringContaining('Sheetcast'),
      accept: expect.any(String),
      'accept-encoding': 'identity',
      connection: 'close',
    })
  })

  it('goes over five redirects, each resolved anew, without what is set on the way', async () => {
    const cookies: unknown[] = []
    const to =
      (location: string): http.RequestListener =>
      (request, response) => {
        cookies.push(request.headers.cookie, request.headers.authorization, request.headers.referer)
        redirect(location, 301)(request, response)
      }
    await using net = await internet({
      'shop.demo': {
        handle: (request, response) =>
          void response
            .writeHead(308, { location: `http://user:secret@a.demo/?${UTM}`, 'set-cookie': 'a=b; Path=/' })
            .end(void cookies.push(request.headers.cookie)),
      },
      'a.demo': { handle: to(`//b.demo/?${UTM}`) },
      'b.demo': { handle: to(`http://c.demo/x/y?${UTM}`) },
      'c.demo': {
        handle: (request, response) =>
          to(request.url?.startsWith('/x/') ? `../z?${UTM}` : `http://d.demo/?${UTM}#end`)(
            request,
            response as never,
          ),
      },
      'd.demo': { handle: reply(204) },
    })
    expect(await net.follow(LINK)).toEqual({
      outcome: 'ok',
      hops: [
        { url: LINK, status: 308 },
        { url: `http://a.demo/?${UTM}#top`, status: 301 },
        { url: `http://b.demo/?${UTM}#top`, status: 301 },
        { url: `http://c.demo/x/y?${UTM}#top`, status: 301 },
        { url: `http://c.demo/z?${UTM}#top`, status: 301 },
        { url: `http://d.demo/?${UTM}#end`, status: 204 },
      ],
    })
    expect(cookies.filter(value => value !== undefined)).toEqual([])
    expect(net.resolved).toEqual(['shop.demo', 'a.demo', 'b.demo', 'c.demo', 'c.demo', 'd.demo'])
  })

  it('stops at the sixth redirect', async () => {
    await using net = await internet({ 'shop.demo': { handle: redirect(LINK) } })
    const { outcome, hops } = await net.follow(LINK)
    expect(outcome).toBe('too_many_redirects')
    expect(hops).toHaveLength(6)
  })

  it.each([
    ['loses one', 'http://shop.demo/?utm_source=facebook&utm_medium=paid_social', 'utm_lost'],
    ['changes one', `http://shop.demo/?${UTM.replace('autumn', 'other')}`, 'utm_lost'],
    [
      'keeps all, encoded and among others',
      `http://shop.demo/?a=1&${UTM.replace('autumn', '%61utumn')}`,
      'ok',
    ],
  ])('says when a redirect %s', async (_, location, outcome) => {
    await using net = await internet({
      'shop.demo': { handle: reply(200) },
      'short.demo': { handle: redirect(location) },
    })
    expect(await net.follow(`http://short.demo/?${UTM}`)).toMatchObject({ outcome })
  })

  it.each([[404], [403], [500], [304], [300]])('says that the page answers %i', async status => {
    await using net = await internet({ 'shop.demo': { handle: reply(status) } })
    expect(await net.follow(LINK)).toEqual({ outcome: 'http_error', hops: [{ url: LINK, status }] })
  })

  it.each([['javascript:alert(1)'], ['line://ti/p/@aurora'], ['http://'], ['file:///etc/passwd']])(
    'does not go on to %s',
    async location => {
      await using net = await internet({ 'shop.demo': { handle: redirect(location) } })
      expect(await net.follow(LINK)).toEqual({
        outcome: 'not_reachable',
        hops: [
          { url: LINK, status: 302 },
          { url: location, status: null },
        ],
      })
    },
  )
})

describe('an address that is not public', () => {
  it.each([
    ['of a cloud’s metadata', [['169.254.169.254']]],
    ['of this machine', [['127.0.0.1']]],
    ['mapped to IPv6', [['::ffff:10.0.0.1']]],
    ['behind NAT64', [['64:ff9b::a00:1']]],
    ['behind a carrier’s NAT', [['100.64.0.1']]],
    ['beside a public one', [[PUBLIC, '10.0.0.1']]],
    ['of IPv6 beside a public one', [[PUBLIC, 'fd00::1']]],
  ])('%s is never connected to', async (_, addresses) => {
    await using net = await internet({ 'shop.demo': { addresses } })
    expect(await net.follow(LINK)).toEqual({
      outcome: 'blocked_address',
      hops: [{ url: LINK, status: null }],
    })
    expect(net.dialled).toEqual([])
  })

  it.each([
    ['http://127.0.0.1/'],
    ['http://2130706433/'],
    ['http://0x7f000001/'],
    ['http://0177.0.0.1/'],
    ['http://127.1/'],
    ['http://１２７.0.0.1/'],
    ['http://0/'],
    ['http://[::1]/'],
    ['http://[::ffff:10.0.0.1]/'],
    ['http://[::ffff:a00:1]/'],
    ['https://[64:ff9b::10.0.0.1]/'],
    ['http://169.254.169.254/latest/meta-data/'],
  ])('is not asked when it is written as %s', async link => {
    await using net = await internet({})
    expect((await net.follow(link)).outcome).toBe('blocked_address')
    expect(net.dialled).toEqual([])
  })

  it.each([
    ['http://127.0.0.1:PORT/'],
    ['http://localhost/'],
    ['http://2130706433/'],
    ['//[::1]/'],
    ['http://inner.demo/'],
  ])('is not asked at the end of a redirect to %s', async location => {
    let requests = 0
    const inner = http.createServer((_request, response) => {
      requests += 1
      response.end()
    })
    await new Promise<void>(resolve => inner.listen(0, '127.0.0.1', resolve))
    const { port } = inner.address() as { port: number }
    let connections = 0
    inner.on('connection', () => (connections += 1))
    await using net = await internet({
      'shop.demo': { handle: redirect(location.replace('PORT', String(port))) },
      'inner.demo': { addresses: [['10.0.0.1']] },
      localhost: { addresses: [['127.0.0.1', '::1']] },
    })
    const { outcome, hops } = await net.follow(LINK)
    expect(outcome).toBe('blocked_address')
    expect(hops.map(({ status }) => status)).toEqual([302, null])
    expect(net.dialled).toEqual([{ address: PUBLIC, port: 80 }])
    expect([requests, connections]).toEqual([0, 0])
    inner.close()
  })

  it('is not asked when DNS changes its mind: the connection goes to what was checked', async () => {
    await using net = await internet({ 'shop.demo': { addresses: [[PUBLIC], ['127.0.0.1']] } })
    expect((await net.follow(LINK)).outcome).toBe('ok')
    expect(net.resolved).toEqual(['shop.demo'])
    expect(net.dialled).toEqual([{ address: PUBLIC, port: 80 }])
    expect((await net.follow(LINK)).outcome).toBe('blocked_address')
    expect(net.dialled).toHaveLength(1)
  })

  it.each([['http://shop.demo:8080/'], ['https://shop.demo:22/'], ['http://shop.demo:6379/']])(
    'nor a port that no site has: %s',
    async link => {
      await using net = await internet({ 'shop.demo': {} })
      expect((await net.follow(link)).outcome).toBe('blocked_address')
      expect([net.resolved, net.dialled]).toEqual([[], []])
    },
  )
})

describe('a site that does not behave', () => {
  it('has no name, or none of its servers listens', async () => {
    await using net = await internet({ 'shop.demo': { addresses: [[]] } })
    for (const name of ['shop.demo', 'nowhere.demo'])
      expect((await net.follow(`http://${name}/`)).outcome).toBe('not_reachable')
    expect(net.dialled).toEqual([])
  })

  it.each<[string, (socket: import('node:net').Socket, timeIsUp: () => void) => void]>([
    ['never answers', (socket, timeIsUp) => socket.once('data', timeIsUp)],
    [
      'answers header by header',
      (socket, timeIsUp) =>
        socket.once('data', () => socket.write('HTTP/1.1 200 OK\r\nx-slow: ', () => timeIsUp())),
    ],
    ['hangs up', socket => socket.once('data', () => socket.end())],
    ['answers something else', socket => socket.once('data', () => socket.end('SSH-2.0-OpenSSH_9.9\r\n'))],
    [
      'has a head of more than 64 KiB',
      socket => socket.once('data', () => socket.end(`HTTP/1.1 200 OK\r\nx: ${'x'.repeat(70_000)}\r\n\r\n`)),
    ],
  ])('%s', async (_, speak) => {
    let timeIsUp = () => {}
    await using net = await internet({
      'shop.demo': {
        speak: socket => {
          socket.on('error', () => {})
          speak(socket, () => timeIsUp())
        },
      },
    })
    timeIsUp = net.timeIsUp
    expect(await net.follow(LINK)).toEqual({ outcome: 'not_reachable', hops: [{ url: LINK, status: null }] })
  })

  it('is asked nothing once the time is over', async () => {
    await using net = await internet({ 'shop.demo': {} })
    net.timeIsUp()
    expect((await net.follow(LINK)).outcome).toBe('not_reachable')
    expect(net.dialled).toEqual([])
  })

  it.each([
    ['endless', {}],
    ['a gzip bomb', { 'content-encoding': 'gzip' }],
  ])('has a body that is %s, which stays where it is', async (_, headers) => {
    const block = 'content-encoding' in headers ? gzipSync(Buffer.alloc(10_000_000)) : Buffer.alloc(65_536)
    let sent = 0
    const closed = Promise.withResolvers<void>()
    await using net = await internet({
      'shop.demo': {
        handle: (_request, response) => {
          response.writeHead(200, headers)
          const more = () => {
            while (!response.destroyed && response.write(block)) sent += block.length
          }
          response.on('drain', more).on('close', () => closed.resolve())
          more()
        },
      },
    })
    expect((await net.follow(LINK)).outcome).toBe('ok')
    await closed.promise
    // What the two ends of a connection hold.
    expect(sent).toBeLessThan(20_000_000)
  })
})

describe('over TLS', () => {
  const ends = new Date(Date.now() + 86_400_000)
  const good = certificateFor('shop.demo', { ends })
  const late = certificateFor('late.demo', { ends: new Date(Date.now() - 86_400_000) })
  const known = tls.getCACertificates('default')
  tls.setDefaultCACertificates([...known, good.cert, late.cert])
  afterAll(() => tls.setDefaultCACertificates(known))

  it('a page is asked for by its name', async () => {
    await using net = await internet({ 'shop.demo': { certificate: good } })
    expect((await net.follow(`https://shop.demo/?${UTM}`)).outcome).toBe('ok')
    expect(net.dialled).toEqual([{ address: PUBLIC, port: 443 }])
  })

  it.each([
    ['of another name', 'other.demo', good],
    ['that is over', 'late.demo', late],
    ['that nobody knows', 'own.demo', certificateFor('own.demo', { ends })],
    ['of an address', PUBLIC, good],
  ])('a certificate %s ends it', async (_, name, certificate) => {
    await using net = await internet({ [name]: { certificate } })
    const url = `https://${name}/`
    expect(await net.follow(url)).toEqual({ outcome: 'tls_error', hops: [{ url, status: null }] })
  })

  it('a server that speaks none, or hangs up, ends it', async () => {
    await using net = await internet({
      'shop.demo': { handle: reply(200) },
      'gone.demo': {
        speak: socket => void socket.on('error', () => {}).once('data', () => socket.destroy()),
      },
    })
    for (const name of ['shop.demo', 'gone.demo'])
      expect((await net.follow(`https://${name}/`)).outcome).toBe('tls_error')
  })

  it('a handshake that never ends is not reachable', async () => {
    let timeIsUp = () => {}
    await using net = await internet({
      'shop.demo': { speak: socket => void socket.on('error', () => {}).once('data', () => timeIsUp()) },
    })
    timeIsUp = net.timeIsUp
    expect((await net.follow('https://shop.demo/')).outcome).toBe('not_reachable')
  })
})

describe('a proxy of the environment', () => {
  it('is not asked', async () => {
    let requests = 0
    const proxy = http.createServer((_request, response) => void response.end(void (requests += 1)))
    await new Promise<void>(resolve => proxy.listen(0, '127.0.0.1', resolve))
    const { port } = proxy.address() as { port: number }
    const restore = http.setGlobalProxyFromEnv({ http_proxy: `http://127.0.0.1:${port}` })
    await using net = await internet({ 'shop.demo': {} })
    expect((await net.follow(LINK)).outcome).toBe('ok')
    expect(requests).toBe(0)
    restore()
    proxy.close()
  })
})
