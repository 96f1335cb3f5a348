/**
 * What the spreadsheet must contain, computed from the platform's own responses without a line of the
 * product: requested day by day and campaign by campaign without any filter of the platform's, then filtered,
 * added up and sorted here with plain numbers.
 */
export interface Expected {
  accounts: string[]
  range: { start: string; end: string }
  /** Campaign names must contain this, whatever their case. */
  campaign_contains: string
}

type Cell = string | number

interface Sums {
  date: string
  campaign_id: string
  campaign: string
  impressions: number
  clicks: number
  cost_cents: number
  conversions: number
  value_cents: number
}

/**
 * Rows of date, campaign, impressions, clicks, cost, CTR, conversions, ROAS; dates as serial numbers, "" for
 * an empty cell.
 */
export async function expectedRows(sandbox: string, expected: Expected): Promise<Cell[][]> {
  const rows: Sums[] = []
  for (const account of expected.accounts) {
    for await (const row of insights(sandbox, account, expected.range)) {
      if (!row.campaign_name.toLowerCase().includes(expected.campaign_contains.toLowerCase())) continue
      rows.push({
        date: row.date_start,
        campaign_id: row.campaign_id,
        campaign: row.campaign_name,
        impressions: Number(row.impressions ?? 0),
        clicks: Number(row.clicks ?? 0),
        cost_cents: Math.round(Number(row.spend ?? 0) * 100),
        conversions: purchases(row.actions),
        value_cents: Math.round(purchases(row.action_values) * 100),
      })
    }
  }
  rows.sort(
    (one, other) =>
      compare(one.date, other.date) ||
      compareCodePoints(one.campaign, other.campaign) ||
      compare(one.campaign_id, other.campaign_id),
  )
  return rows.map(row => [
    serialOf(row.date),
    row.campaign,
    row.impressions,
    row.clicks,
    row.cost_cents / 100,
    row.impressions === 0 ? '' : row.clicks / row.impressions,
    row.conversions,
    row.cost_cents === 0 ? '' : row.value_cents / row.cost_cents,
  ])
}

interface InsightsRow {
  date_start: string
  campaign_id: string
  campaign_name: string
  impressions?: string
  clicks?: string
  spend?: string
  actions?: { action_type: string; value: string }[]
  action_values?: { action_type: string; value: string }[]
}

async function* insights(
  sandbox: string,
  account: string,
  range: Expected['range'],
): AsyncGenerator<InsightsRow> {
  const query = new URLSearchParams({
    level: 'campaign',
    time_increment: '1',
    time_range: JSON.stringify({ since: range.start, until: range.end }),
    fields: 'campaign_id,campaign_name,impressions,clicks,spend,actions,action_values',
    limit: '200',
  })
  let url: string | undefined = `${sandbox}/v25.0/act_${account}/insights?${query}`
  while (url) {
    const response: Response = await fetch(url, { headers: { authorization: 'Bearer sandbox-admin' } })
    const page = (await response.json()) as { data: InsightsRow[]; paging?: { next?: string } }
    if (!response.ok) throw new Error(JSON.stringify(page))
    yield* page.data
    url = page.paging?.next
  }
}

const purchases = (actions: InsightsRow['actions']) =>
  Number(actions?.find(action => action.action_type === 'omni_purchase')?.value ?? 0)

const serialOf = (date: string) => Date.parse(`${date}T00:00:00Z`) / 86_400_000 + 25_569

const compare = (one: string, other: string) => (one < other ? -1 : one > other ? 1 : 0)

function compareCodePoints(one: string, other: string) {
  const [ones, others] = [[...one], [...other]]
  for (let at = 0; at < Math.min(ones.length, others.length); at++) {
    const difference = (ones[at]?.codePointAt(0) ?? 0) - (others[at]?.codePointAt(0) ?? 0)
    if (difference !== 0) return difference
  }
  return ones.length - others.length
}
