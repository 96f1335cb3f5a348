import { createHash } from 'node:crypto'
import type { Grant } from '#sandbox/oauth/grants.ts'

interface State {
  clock: { now: string; speed: number; set: boolean }
  faults: unknown[]
  grants: readonly Grant[]
  totals: Record<string, { requests: number; by_status: Record<string, number> }>
}

export const STYLE = `
body { font: 15px/1.5 system-ui, sans-serif; max-width: 60rem; margin: 2rem auto; padding: 0 1rem; color: #1c2733 }
textarea { width: 100%; min-height: 11rem; font: 13px/1.5 ui-monospace, monospace }
fieldset { border: 1px solid #cfd6dd; border-radius: 8px; margin: 0 0 1.5rem; padding: 1rem }
button { margin: 0 .4rem .4rem 0; padding: .35rem .8rem } table { border-collapse: collapse }
td, th { padding: .2rem .8rem .2rem 0; text-align: left } output { color: #a3262e; white-space: pre-wrap }`

// Everything the page does is a call of the control endpoint.
const SCRIPT = `
const call = async (method, path, body) => {
  const answer = await fetch(path, { method, headers: { 'content-type': 'application/json' }, body })
  if (answer.ok) location.reload()
  else document.querySelector('output').textContent = JSON.stringify(await answer.json(), null, 2)
}
const faults = document.querySelector('#faults')
const add = fault => {
  faults.value = JSON.stringify([...JSON.parse(faults.value || '[]'), JSON.parse(fault)], null, 2)
}
document.querySelectorAll('[data-fault]').forEach(button => button.addEventListener('click', () => add(button.dataset.fault)))
document.querySelector('#save-faults').addEventListener('click', () => call('PUT', '/control/faults', faults.value))
document.querySelector('#clear-faults').addEventListener('click', () => call('PUT', '/control/faults', '[]'))
document.querySelector('#reset').addEventListener('click', () => call('POST', '/control/reset', '{"keep_files":true}'))
document.querySelectorAll('[data-grant]').forEach(button => button.addEventListener('click', () => call('POST', '/control/revoke-grants', JSON.stringify({ grants: [button.dataset.grant] }))))
document.querySelector('#clock').addEventListener('submit', event => {
  event.preventDefault()
  const form = new FormData(event.target)
  const now = form.get('now').trim()
  call('PUT', '/control/clock', JSON.stringify({ ...(now && { now }), speed: Number(form.get('speed')) }))
})`

export const hashOf = (text: string) => `'sha256-${createHash('sha256').update(text).digest('base64')}'`

export const pageHeaders = {
  'content-security-policy': `default-src 'none'; script-src ${hashOf(SCRIPT)}; style-src ${hashOf(STYLE)}; connect-src 'self'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'`,
  'x-content-type-options': 'nosniff',
  'referrer-policy': 'no-referrer',
  'cache-control': 'no-store',
}

const SWITCHES: [string, Record<string, unknown>][] = [
  ['Slow', { platform: 'meta', action: 'latency', delay_ms: 3000 }],
  [
    'Quota of the account',
    { platform: 'meta', action: 'rate_limit', code: 17, error_subcode: 2446079, count: 3 },
  ],
  ['Quota of insights', { platform: 'meta', action: 'rate_limit', code: 80000, count: 3 }],
  ['Error 500', { platform: 'meta', action: 'server_error', status: 500, count: 3 }],
  ['Error 503', { platform: 'meta', action: 'server_error', status: 503, count: 3 }],
  ['Cut connection', { platform: 'meta', action: 'cut', count: 1 }],
  ['Broken JSON', { platform: 'meta', action: 'malformed', count: 1 }],
  ['Expired token', { platform: 'meta', action: 'expired_token' }],
  ['Revoked account', { platform: 'meta', action: 'revoked', account: '10150357160960121' }],
  ['Report jobs fail', { platform: 'meta', action: 'async_failed' }],
  ['Too much data', { platform: 'meta', action: 'too_much_data' }],
  ['Quota nearly used', { platform: 'meta', action: 'usage', percent: 96 }],
  ['TikTok: quota of the minute', { platform: 'tiktok', action: 'rate_limit', window: 'minute', count: 1 }],
  ['TikTok: report tasks fail', { platform: 'tiktok', action: 'async_failed' }],
  ['Yahoo: too many requests', { platform: 'ly_search', action: 'rate_limit', count: 3 }],
  ['Yahoo: report jobs fail', { platform: 'ly_search', action: 'job_failed' }],
  ['Universal Analytics: gone', { platform: 'ua', action: 'shutdown', status: 410 }],
  ['Google Ads quota', { platform: 'google_ads', action: 'rate_limit', retry_delay: '5s', count: 3 }],
  ['Google Ads expired login', { platform: 'google_ads', action: 'expired_token' }],
  ['Google Ads stream fails', { platform: 'google_ads', action: 'stream_error', count: 1 }],
  ['GA4 quota of the hour', { platform: 'ga4', action: 'rate_limit', quota: 'project_hour', count: 3 }],
  ['GA4 error 500', { platform: 'ga4', action: 'server_error', count: 3 }],
  ['LINE: reports fail', { platform: 'line', action: 'report_failed' }],
  ['Spreadsheets 429', { platform: 'sheets', action: '429', count: 3 }],
  ['Spreadsheets 503', { platform: 'sheets', action: '503', count: 3 }],
]

/** A page for people: the clock and the faults of the sandbox. */
export const controlPage = ({ clock, faults, grants, totals }: State) => `<!doctype html>
<html lang="en"><meta charset="utf-8"><title>Sandbox</title><style>${STYLE}</style>
<h1>Sandbox</h1>
<output></output>
<fieldset><legend>Clock</legend><form id="clock">
<p>${escape(clock.now)} · ${clock.set ? `set, ${clock.speed} times as fast` : 'real time'}</p>
<label>Now <input name="now" size="30" placeholder="${escape(clock.now)}"></label>
<label>Speed <input name="speed" type="number" min="0" step="any" value="${clock.speed}"></label>
<button>Set</button></form></fieldset>
<fieldset><legend>Faults</legend>
<p>${SWITCHES.map(([label, fault]) => `<button data-fault="${escape(JSON.stringify(fault))}">${escape(label)}</button>`).join('')}</p>
<label>All of them, as JSON<textarea id="faults" spellcheck="false">${escape(JSON.stringify(faults, null, 2))}</textarea></label>
<p><button id="save-faults">Switch on</button><button id="clear-faults">Switch all off</button></p></fieldset>
<fieldset><legend>Consents</legend><table><tr><th>Platform<th>Person<th>Scopes<th></tr>
${grants
  .map(
    ({ id, provider, person, scopes }) =>
      `<tr><td>${provider}<td>${escape(person)}<td>${escape(scopes.join(' '))}<td><button data-grant="${escape(id)}">Revoke</button></tr>`,
  )
  .join('')}</table></fieldset>
<fieldset><legend>Requests</legend><table><tr><th>Platform<th>Requests<th>Statuses</tr>
${Object.entries(totals)
  .map(
    ([platform, { requests, by_status }]) =>
      `<tr><td>${escape(platform)}<td>${requests}<td>${escape(JSON.stringify(by_status))}</tr>`,
  )
  .join('')}</table></fieldset>
<button id="reset">Reset all but the spreadsheets</button>
<script>${SCRIPT}</script></html>`

export const escape = (text: string) =>
  text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;').replaceAll('"', '&quot;')
