import { expect, it } from 'vitest'
import type { Hosts } from './connector.ts'
import { logRequests, type LoggedRequest } from './request-log.ts'

const url = (name: string) => `https://${name}.example`
const hosts: Hosts = {
  meta: `${url('graph')}/v25.0`,
  meta_dialog: `${url('dialog')}/v25.0`,
  meta_business: url('business'),
  google_ads: url('ads'),
  google_data_manager: url('audiences'),
  google_token: `${url('ads')}/token`,
  google_consent: url('consent'),
  ga4_data: url('data'),
  ga4_admin: url('admin'),
  ua: url('ua'),
  ua_management: url('management'),
  ly_search: url('search'),
  ly_display: url('display'),
  ly_token: url('biz'),
  ly_consent: url('biz-consent'),
  yahoo_dsp: url('dsp'),
  yahoo_dsp_reports: url('reports'),
  yahoo_dsp_token: url('dsp-token'),
  tiktok: url('tiktok'),
  line_ads: url('line'),
}

async function loggedOf(to: string, answer: () => Promise<Response>) {
  const logged: LoggedRequest[] = []
  await logRequests(answer, hosts, each => logged.push(each))(to, { method: 'POST', body: 'a secret' }).catch(
    () => null,
  )
  return logged
}

it('logs of a request what an operator looks for, and no query', async () => {
  const answer = async () => new Response('{}', { status: 429, headers: { 'content-length': '2' } })
  expect(await loggedOf('https://graph.example/v25.0/act_1/insights?access_token=secret', answer)).toEqual([
    {
      host: 'meta',
      method: 'POST',
      path: '/act_1/insights',
      status: 429,
      took_ms: expect.any(Number),
      bytes: 2,
    },
  ])
})

it('knows the longer of two addresses that begin alike', async () => {
  const logged = await loggedOf('https://ads.example/token', async () => new Response(''))
  expect(logged).toMatchObject([{ host: 'google_token', path: '' }])
})

it('names a request by the connector that sends it, where all platforms have one address', async () => {
  const shared = 'http://127.0.0.1:3001'
  const sandbox = Object.fromEntries(Object.keys(hosts).map(name => [name, shared])) as Hosts
  const logged: LoggedRequest[] = []
  const send = logRequests(
    async () => new Response(''),
    sandbox,
    each => logged.push(each),
  )
  for (const own of [['line_ads'], ['ly_search', 'ly_token'], ['ga4_data']] as const)
    await send(`${shared}/path`, {}, own)
  expect(logged.map(({ host, path }) => [host, path])).toEqual([
    ['line_ads', '/path'],
    ['ly_search', '/path'],
    ['ga4_data', '/path'],
  ])
})

it('logs one without a response', async () => {
  const refuse = () => Promise.reject(new TypeError('fetch failed'))
  expect(await loggedOf('https://ads.example/v1/x', refuse)).toMatchObject([
    { host: 'google_ads', status: null },
  ])
})

it('logs of an address that a platform has referred to nothing but that', async () => {
  const logged = await loggedOf('https://graph.example.evil/a-key/report', async () => new Response(''))
  expect(logged).toMatchObject([{ host: 'other', path: null, bytes: null }])
})
