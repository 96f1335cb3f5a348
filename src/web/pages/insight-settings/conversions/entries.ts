import type { ConversionDefinition, ConversionEntry } from '#shared/api/insight-settings.ts'
import { catalogueOf } from '#shared/channels/all.ts'
import type { Language } from '#shared/language.ts'
import { metricIn } from '#shared/metrics.ts'
import { firstOverlap } from '#shared/conversion-events.ts'

/** The channels whose conversions can be chosen one by one. */
export const entryChannels = [
  'fb',
  'aw',
  'yg',
  'ga4',
] as const satisfies readonly ConversionEntry['channel'][]
export type EntryChannel = (typeof entryChannels)[number]

export const MOST_ENTRIES = 20

/** A definition while it is being edited. */
export type ConversionDraft = Pick<ConversionDefinition, 'name' | 'name_zh' | 'is_default' | 'entries'> & {
  advertiser: number | null
}

export const newConversion = (advertiser: number | null): ConversionDraft => ({
  advertiser,
  name: '',
  name_zh: '',
  is_default: false,
  entries: [],
})

export const conversionDraft = (conversion: ConversionDefinition): ConversionDraft => ({
  advertiser: conversion.advertiser,
  name: conversion.name,
  name_zh: conversion.name_zh,
  is_default: conversion.is_default,
  entries: conversion.entries,
})

/** Whether it can be sent. */
export const isWhole = ({ advertiser, name, name_zh: nameZh, entries }: ConversionDraft) =>
  advertiser !== null &&
  name.trim() !== '' &&
  nameZh.trim() !== '' &&
  entries.length > 0 &&
  firstOverlap(entries) === null

/** Two that count one event; null: none do. */
export function overlapIn(entries: readonly ConversionEntry[], language: Language) {
  const found = firstOverlap(entries)
  const [one, other] = found ? [entries[found.with], entries[found.entry]] : []
  return one && other ? { one: entryName(one, language), other: entryName(other, language) } : null
}

export const keyOf = (entry: ConversionEntry) =>
  `${entry.channel} ${'metric' in entry ? `metric ${entry.metric}` : `action ${entry.action}`}`

export const hasEntry = (entries: readonly ConversionEntry[], entry: ConversionEntry) =>
  entries.some(each => keyOf(each) === keyOf(entry))

/** With it where it is missing, else without it. */
export const toggled = (entries: readonly ConversionEntry[], entry: ConversionEntry): ConversionEntry[] =>
  hasEntry(entries, entry)
    ? entries.filter(each => keyOf(each) !== keyOf(entry))
    : entries.length < MOST_ENTRIES
      ? [...entries, entry]
      : [...entries]

/** What counts: a metric by its name in the catalogue, an action by that of the platform. */
export function entryName(entry: ConversionEntry, language: Language): string {
  if ('action' in entry) return entry.action
  return metricIn(catalogueOf(entry.channel), entry.metric)?.names[language] ?? entry.metric
}

/** The metrics of a channel that count something and can be summed; conversions first. */
export function countsOf(channel: EntryChannel, language: Language) {
  return Object.entries(catalogueOf(channel).metrics)
    .filter(([, { kind, unit }]) => kind === 'additive' && unit === 'count')
    .map(([id, { names, group }]) => ({ value: id, label: names[language], group, note: id }))
    .toSorted((one, other) => rank(one.group) - rank(other.group))
}

const rank = (group: string) => (group === 'conversion' ? 0 : 1)
