import type { Channel as AdChannel } from '#sandbox/dataset/agency.ts'
import { catalogueOf } from '#shared/channels/all.ts'
import { visitsOf } from './mixed-analytics.ts'
import type { Fact, MixedBlock, MixedReport } from './mixed-numbers-oracle.ts'
import { comparedOf } from './mixed-numbers-rows.ts'
import { openDataset } from './mixed-dataset.ts'

type Dataset = ReturnType<typeof openDataset>

/**
 * The expected numbers of each block of a report, those of the compared period included: advertising from the
 * sandbox's dataset, web analytics from their own responses.
 */
export async function factsOf(
  report: MixedReport,
  { base_url, dataset }: { base_url: string; dataset: Dataset },
): Promise<Fact[][]> {
  const blockFacts: Fact[][] = []
  for (const block of report.blocks) {
    const compared = comparedOf(report)
    const facts: Fact[] = []
    for (const range of [report.range, ...(compared ? [compared] : [])]) {
      const days = { ...report, range }
      facts.push(
        ...(catalogueOf(block.channel).accounts === 'ad_account'
          ? deliveries(days, block, dataset)
          : await visits(days, block, base_url)),
      )
    }
    blockFacts.push(facts.filter(fact => isLetThrough(block, fact)))
  }
  return blockFacts
}

function deliveries({ range, dimensions }: MixedReport, block: MixedBlock, dataset: Dataset): Fact[] {
  const by_ad_group =
    dimensions.includes('ad_group') || block.filters.some(({ field }) => field === 'ad_group_name')
  return block.accounts.flatMap(account =>
    dataset.deliveries(block.channel as AdChannel, account.name, range).flatMap((row): Fact[] => {
      const { date, campaign_id, campaign, ad_group, impressions, clicks, cost } = row
      // Where actions are fetched apart, what has none has no row there.
      const isEmpty = ['aw', 'yg'].includes(block.channel) && row.conversions === 0
      const conversion_value = Math.round(row.conversion_value * 1e6)
      const counted = { conversions: row.conversions, conversion_value, value: conversion_value }
      if (by_ad_group && !ad_group) return []
      return [
        {
          date,
          account,
          dimensionValues: {
            campaign: { key: campaign_id, print: campaign },
            ...(ad_group && { ad_group: { key: ad_group.id, print: ad_group.name } }),
          },
          amounts: {
            impressions,
            clicks,
            cost: Math.round(cost * 100) * 10_000,
            ...(!isEmpty && counted),
          },
        },
      ]
    }),
  )
}

async function visits(
  { range: days }: MixedReport,
  { accounts }: MixedBlock,
  base_url: string,
): Promise<Fact[]> {
  const facts: Fact[] = []
  for (const account of accounts) {
    const answer = await visitsOf(base_url, { ...account, days })
    for (const { date, source_medium, sessions, total_events, conversions } of answer) {
      const sourceValue = { key: source_medium, print: source_medium }
      facts.push({
        date,
        account,
        dimensionValues: { source_medium: sourceValue },
        amounts: { sessions, total_events, conversions },
      })
    }
  }
  return facts
}

/**
 * Whether a block's filters let it through. A regular expression with "iu" compares by simple case folding.
 */
function isLetThrough({ filters }: MixedBlock, { account, dimensionValues }: Fact): boolean {
  return filters.every(({ field, rule, values }) => {
    // Drawn only so that every kind of device passes.
    if (field === 'device_type') return true
    const text = {
      campaign_name: dimensionValues.campaign?.print,
      ad_group_name: dimensionValues.ad_group?.print,
      source: dimensionValues.source_medium?.print.split(' / ')[0],
      medium: dimensionValues.source_medium?.print.split(' / ')[1],
      account_name: account.name,
      account_id: account.external_id,
    }[field as string]
    // What has no ad group is in no table by ad groups.
    if (text === undefined) return false
    const start = rule === 'EQUAL' || rule === 'STARTS_WITH' ? '^' : ''
    const end = rule === 'EQUAL' || rule === 'ENDS_WITH' ? '$' : ''
    const found = values.some(value => new RegExp(start + RegExp.escape(value) + end, 'iu').test(text))
    return rule === 'NOT_CONTAINS' ? !found : found
  })
}
