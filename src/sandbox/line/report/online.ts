import { isoOf } from '#sandbox/dataset/calendar.ts'
import { nameOn } from '#sandbox/dataset/campaigns.ts'
import { LINE_OBJECTIVES, type LineAccount, lineId } from '#sandbox/dataset/line.ts'
import { withParents } from '#sandbox/dataset/metrics.ts'
import type { Dataset } from '#sandbox/dataset/dataset.ts'
import { entitiesOf, type Entity, type Kind, withinOf } from '#sandbox/line/entities.ts'
import { positionOf } from '#sandbox/line/lists.ts'
import type { Parameters } from '#sandbox/line/parameters.ts'
import { COLUMNS, VIDEO_COLUMNS, VIDEO_STARTS } from './columns.ts'
import { countOf, type Facts, factsReader, moneyOf, noFacts } from './facts.ts'
import { readDays } from './query.ts'

interface Query {
  account: LineAccount
  dataset: Dataset
  kind: Kind
}

/** GET /adaccounts/{id}/reports/online/{campaign|adgroup|ad}: one row an entity, for the whole range. */
export function onlineReport(parameters: Parameters, { account, dataset, kind }: Query): unknown {
  const moment = dataset.moment(account)
  const days = readDays(parameters.text('since'), parameters.text('until'), {
    today: moment.today,
    one_month: false,
  })
  const keeps = [withinOf('campaignId', parameters), withinOf('adgroupId', parameters)]
  const landingPage = parameters.text('lpId')
  const search = (parameters.text('searchKey') ?? '').toLowerCase()
  const withRemoved = parameters.flag('includeRemoved', false)
  const { page, size } = positionOf(parameters, ['createdDate'], 20)
  parameters.refuseUnknown()

  const found = entitiesOf(dataset.campaigns(account), kind, moment.today).filter(
    entity =>
      (withRemoved || !entity.is_removed) &&
      landingPage === null &&
      keeps.every(keep => keep(entity)) &&
      (String(entity.id).includes(search) || entity.name.toLowerCase().includes(search)),
  )
  const read = factsReader({
    account,
    moment,
    population: dataset.population(account),
    slots: withParents(NEEDED),
    parts: null,
  })
  const visible = found.toReversed().slice((page - 1) * size, page * size)
  return {
    paging: { page, size, totalElements: found.length, sorts: ['createdDate,DESC'] },
    datas: visible.map(entity => {
      const facts = read(entity.ads)(days)[0] ?? noFacts(account)
      return {
        ...pathOf(entity, account, moment.today),
        statistics: statisticsOf(facts, { account, kind, entity }),
      }
    }),
    timeRange: { since: isoOf(days.first), until: isoOf(days.last) },
  }
}

const FIELDS = [...COLUMNS, VIDEO_STARTS, ...VIDEO_COLUMNS].flatMap(({ online, ...column }) =>
  online === undefined ? [] : [{ ...column, online }],
)
const NEEDED = [
  ...FIELDS.flatMap(column => [...column.needs]),
  ...(['viewable_impressions', 'ev_purchase_value', 'lost_to_budget', 'lost_to_rank'] as const),
]

function statisticsOf(
  facts: Facts,
  { account, kind, entity }: { account: LineAccount; kind: Kind; entity: Entity },
): Record<string, string | number | null> {
  const quartiles = /^videoView\d\dr$/
  const numbers = FIELDS.filter(({ online }) => account.country === 'JP' || !quartiles.test(online)).map(
    ({ online, value }): [string, number] => [online, rounded(value(facts) ?? 0)],
  )
  const value = moneyOf(facts, ['web_purchase_value', 'ev_purchase_value'])
  const cost = moneyOf(facts, ['spend'])
  return {
    currency: account.currency,
    ...Object.fromEntries(numbers),
    viewableImp: countOf(facts.counts, ['viewable_impressions']),
    cvPurchaseValueWithEv: rounded(value),
    ROASWithEv: cost === 0 ? 0 : rounded((100 * value) / cost),
    ...(kind === 'adgroup' && sharesOf(facts)),
    ...(kind === 'campaign' && { recommendedBudgetMicro: (60_000 + (entity.id % 30) * 1000) * 1_000_000 }),
  }
}

/** Of the impressions there could have been. */
function sharesOf({ counts }: Facts) {
  const [own, budget, rank] = [
    countOf(counts, ['impressions']),
    countOf(counts, ['lost_to_budget']),
    countOf(counts, ['lost_to_rank']),
  ]
  const all = Math.max(1, own + budget + rank)
  return {
    impShareRate: rounded((100 * own) / all),
    lostImpShareByBudgetRate: rounded((100 * budget) / all),
    lostImpShareByRankRate: rounded((100 * rank) / all),
  }
}

const rounded = (value: number) => Number(value.toFixed(2))

function pathOf(entity: Entity, account: LineAccount, today: number) {
  const { campaign, ad_set, kind } = entity
  return {
    adaccount: { id: account.id, name: account.name },
    campaign: {
      id: lineId(campaign),
      name: nameOn(campaign, today),
      campaignObjective: LINE_OBJECTIVES[campaign.objective],
    },
    ...(ad_set && { adgroup: { id: lineId(ad_set), name: nameOn(ad_set, today) } }),
    ...(kind === 'ad' && { ad: { id: entity.id, name: entity.name } }),
  }
}
