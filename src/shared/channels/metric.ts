import type { Language, Text } from '#shared/language.ts'
import type { AdditiveMetric, DerivedMetric, MetricGroup, NonAdditiveMetric, Unit } from './catalogue.ts'

// Entries of a catalogue, each in one expression.

export type Words = Record<Language, readonly [name: string, explanation: string]>

/** What an entry cannot be combined with, and which providers have it. */
export type Limits = Pick<AdditiveMetric, 'not_with' | 'only_with' | 'not_beside' | 'providers'>

/** What else a metric that is summed may say of itself. */
type Additive = Limits & Pick<AdditiveMetric, 'spans_days'>

export function count(platform_field: string, group: MetricGroup, words: Words, limits: Additive = {}) {
  return {
    ...texts(words),
    kind: 'additive',
    unit: 'count',
    decimals: 0,
    group,
    platform_field,
    ...limits,
  } satisfies AdditiveMetric
}

export function money(platform_field: string, group: MetricGroup, words: Words, limits: Limits = {}) {
  return {
    ...texts(words),
    kind: 'additive',
    unit: 'money',
    decimals: 2,
    group,
    platform_field,
    ...limits,
  } satisfies AdditiveMetric
}

export function nonAdditive(
  platform_field: string,
  facts: { group: MetricGroup; unit: Unit; decimals: number } & Limits,
  words: Words,
) {
  return {
    ...texts(words),
    kind: 'non_additive',
    per_account: true,
    ...facts,
    platform_field,
  } satisfies NonAdditiveMetric
}

export function derived(
  platform_field: string,
  facts: { group: MetricGroup; unit: Unit; formula: DerivedMetric['formula'] } & Limits,
  words: Words,
) {
  return { ...texts(words), kind: 'derived', decimals: 2, ...facts, platform_field } satisfies DerivedMetric
}

export function texts({ en, 'zh-TW': zh }: Words): { names: Text; explanation: Text } {
  return { names: { en: en[0], 'zh-TW': zh[0] }, explanation: { en: en[1], 'zh-TW': zh[1] } }
}
