/*
 * Meta's insights fetched in the simplest way: no filter, no optimisation, page after page by the platform's
 * own links. For tests; shares no code with the connector.
 */

export interface Days {
  start: string
  end: string
}

export type WireRow = Record<string, unknown>

export interface WireRequest {
  account: string
  days: Days
  /** A row a day, or one for all days. */
  daily: boolean
  level: 'account' | 'campaign' | 'adset' | 'ad'
  fields: string[]
  by_device: boolean
  /** What is returned incompletely otherwise is fetched by a report job. */
  in_job?: boolean
}

export interface Wire {
  rows(request: WireRequest): Promise<WireRow[]>
}

/**
 * `reset` resets the platform's counters when it refuses. Responses are cached by request and `era`, the
 * platform's clock.
 */
export function openWire(
  base_url: string,
  { era, reset }: { era: () => string; reset: () => Promise<void> },
): Wire {
  const known = new Map<string, Promise<WireRow[]>>()
  const send = (request: WireRequest) =>
    request.in_job ? fetchByJob(base_url, request, reset) : fetchAtOnce(base_url, request)
  return {
    rows(request) {
      const key = JSON.stringify([era(), request])
      const pending = known.get(key) ?? send(request)
      known.set(key, pending)
      // Enough to save blocks of one report and tries of one failure their requests.
      if (known.size > 50) for (const old of [...known.keys()].slice(0, 10)) known.delete(old)
      return pending
    },
  }
}

const headers = { authorization: 'Bearer sandbox-admin' }

async function fetchAtOnce(base_url: string, { account, ...request }: WireRequest): Promise<WireRow[]> {
  const params = new URLSearchParams({ ...paramsOf(request), limit: '2000' })
  return await follow(`${base_url}/v25.0/act_${account}/insights?${params}`)
}

async function fetchByJob(
  base_url: string,
  { account, ...request }: WireRequest,
  reset: () => Promise<void>,
): Promise<WireRow[]> {
  const body = new URLSearchParams(paramsOf(request))
  const post = async () =>
    await answerOf(
      await fetch(`${base_url}/v25.0/act_${account}/insights`, { method: 'POST', headers, body }),
    )
  for (let tries = 1; ; tries++) {
    const { report_run_id, error } = await post()
    if (error !== undefined) {
      if (tries > 3) throw new Error(`the oracle was refused: ${JSON.stringify(error)}`)
      await reset()
      continue
    }
    for (let polls = 0; polls < 10; polls++) {
      const state = await answerOf(await fetch(`${base_url}/v25.0/${String(report_run_id)}`, { headers }))
      if (state['async_status'] === 'Job Skipped') break
      if (state['async_status'] === 'Job Failed') throw new Error('the oracle cannot have a job')
      if (state['async_status'] === 'Job Completed' && state['async_percent_completion'] === 100)
        return await follow(`${base_url}/v25.0/${String(report_run_id)}/insights?limit=2000`)
    }
  }
}

const paramsOf = ({ days, daily, level, fields, by_device }: Omit<WireRequest, 'account'>) => ({
  level,
  fields: fields.join(','),
  time_range: JSON.stringify({ since: days.start, until: days.end }),
  ...(daily && { time_increment: '1' }),
  ...(by_device && { breakdowns: 'device_platform' }),
})

async function follow(first: string): Promise<WireRow[]> {
  const rows: WireRow[] = []
  for (let link: string | null = first; link !== null;) {
    const page: WireRow = await answerOf(await fetch(link, { headers }))
    if (!Array.isArray(page['data'])) throw new Error(`the oracle was refused: ${JSON.stringify(page)}`)
    rows.push(...page['data'])
    const paging = page['paging'] as { next?: string } | undefined
    link = paging?.next ?? null
  }
  return rows
}

const answerOf = async (response: Response): Promise<WireRow> => (await response.json()) as WireRow
