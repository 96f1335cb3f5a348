import type { Account } from '#sandbox/dataset/agency.ts'
import { invalid } from '#sandbox/meta/errors.ts'
import type { GraphRequest } from '#sandbox/meta/graph.ts'
import { isRecord } from '#sandbox/record.ts'
import type { Audience } from './audience.ts'
import { flagged, notEmulated } from './errors.ts'
import { FEWEST_PEOPLE, isFlagged, visibleSize } from './states.ts'
import type { Audiences } from './store.ts'

type LookalikeContent = Extract<Audience['content'], { subtype: 'LOOKALIKE' }>

/** How many people of a country use Meta, for the countries in which the agency's customers are. */
const USERS: Readonly<Record<string, number>> = { TW: 18_000_000, JP: 46_000_000, US: 200_000_000 }
/** Where the people of all seeds live. */
const SEED_COUNTRY = 'TW'

export function readLookalike(
  { parameters, now }: GraphRequest,
  account: Account,
  audiences: Audiences,
): LookalikeContent {
  const originId = parameters.text('origin_audience_id')
  const spec = readSpec(parameters.json('lookalike_spec'))
  // A seed that only a share brings here belongs to somebody else.
  const origin = audiences.of(account, now).find(({ id }) => id === originId)
  if (!origin || origin.content.subtype === 'LOOKALIKE')
    throw invalid('origin_audience_id must be an audience of this ad account')
  if (isFlagged(origin, now)) throw flagged.seed()
  const isForeign = spec.country !== SEED_COUNTRY && !spec.allow_international_seeds
  if (isForeign || visibleSize(origin, now) < FEWEST_PEOPLE)
    throw invalid(`The seed has fewer than ${FEWEST_PEOPLE} people in ${spec.country}`)
  const { ratio, country, starting_ratio } = spec
  const size = Math.round((USERS[country] ?? 0) * (ratio - (starting_ratio ?? 0)))
  return {
    subtype: 'LOOKALIKE',
    origin_id: origin.id,
    spec: { ratio, country, ...(starting_ratio !== undefined && { starting_ratio }) },
    size,
  }
}

function readSpec(value: unknown) {
  if (!isRecord(value)) throw invalid('Param lookalike_spec must be an object')
  const { ratio, country, starting_ratio, allow_international_seeds = false, ...others } = value
  const unknown = Object.keys(others)[0]
  if (unknown !== undefined) throw notEmulated(`lookalike_spec.${unknown}`)
  if (!isShare(ratio)) throw invalid('lookalike_spec[ratio] must be 0.01 to 0.20 in steps of 0.01')
  if (starting_ratio !== undefined && !(isShare(starting_ratio) && starting_ratio < ratio))
    throw invalid('lookalike_spec[starting_ratio] must be below the ratio')
  if (typeof country !== 'string' || !/^[A-Z]{2}$/.test(country))
    throw invalid('lookalike_spec[country] must be a country code')
  if (!Object.hasOwn(USERS, country)) throw notEmulated(`lookalikes in ${country}`)
  if (typeof allow_international_seeds !== 'boolean')
    throw invalid('lookalike_spec[allow_international_seeds] must be a boolean')
  return { ratio, country, starting_ratio, allow_international_seeds }
}

/** A whole number of hundredths, 1 to 20. */
const isShare = (value: unknown): value is number =>
  typeof value === 'number' &&
  value >= 0.01 &&
  value <= 0.2 &&
  Math.abs(value * 100 - Math.round(value * 100)) < 1e-9
