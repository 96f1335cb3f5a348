export interface LoggedRequest {
  at: string
  platform: string
  method: string
  /** Path and query without tokens. */
  path: string
  status: number
  account?: string
  /** How much was sent of what the log must not have itself. */
  counts?: Record<string, number>
}

const CAPACITY = 2000
const SECRETS = new Set([
  'access_token',
  'input_token',
  'fb_exchange_token',
  'client_secret',
  'secret',
  'auth_code',
  'code',
  'refresh_token',
  'appsecret_proof',
  'key',
])

/** The requests: totals since the start or the last reset, and the newest ones. */
export function createRequestLog() {
  let newest: LoggedRequest[] = []
  let totals: Record<
    string,
    { requests: number; by_status: Record<string, number>; by_path: Record<string, number> }
  > = {}

  return {
    add(entry: LoggedRequest) {
      const total = (totals[entry.platform] ??= { requests: 0, by_status: {}, by_path: {} })
      total.requests++
      total.by_status[entry.status] = (total.by_status[entry.status] ?? 0) + 1
      const path = `${entry.method} ${patternOf(entry.path)}`
      total.by_path[path] = (total.by_path[path] ?? 0) + 1
      newest.push(entry)
      if (newest.length > CAPACITY * 2) newest = newest.slice(-CAPACITY)
    },
    read: () => ({ totals, requests: newest.slice(-CAPACITY) }),
    reset() {
      newest = []
      totals = {}
    },
  }
}

/** The path without the values of secret parameters. */
export function withoutSecrets(url: URL): string {
  const query = new URLSearchParams(url.search)
  for (const name of new Set(query.keys())) if (SECRETS.has(name)) query.set(name, '…')
  const text = query.toString()
  return text === '' ? url.pathname : `${url.pathname}?${text}`
}

/**
 * /v25.0/act_123/insights?x → /v25.0/act_…/insights, /v4/spreadsheets/<id>:batchUpdate → …:batchUpdate: so
 * that the totals stay few.
 */
function patternOf(path: string): string {
  const bare = path.split('?')[0] ?? ''
  return bare.replaceAll(/[^/]+/g, part => {
    const verb = /:[a-zA-Z]+$/.exec(part)?.[0] ?? ''
    const name = part.slice(0, part.length - verb.length)
    return (/\d{5,}/.test(name) ? name.replaceAll(/\d{5,}/g, '…') : name.length > 24 ? '…' : name) + verb
  })
}
