import { describe, expect, it } from 'vitest'
import { aw } from '#shared/channels/aw.ts'
import { ga4 } from '#shared/channels/ga4.ts'
import { ln } from '#shared/channels/ln.ts'
import type { ReportRequest } from '#server/connectors/connector.ts'
import { refuseBefore, refuseUnsupported, todayAt } from './unsupported.ts'

type Combination = Pick<ReportRequest, 'time' | 'dimensions' | 'metrics'>
const request: Combination = { time: 'total', dimensions: [], metrics: [] }
const refusing = (combination: object, catalogue: typeof aw | typeof ln | typeof ga4) => () =>
  refuseUnsupported({ ...request, ...combination }, catalogue)

describe('what a catalogue does not offer', () => {
  it.each([
    [{ dimensions: ['keyword'] }, 'keyword'],
    [{ metrics: ['sessions'] }, 'sessions'],
    [{ metrics: ['ctr'] }, 'ctr'],
    [{ metrics: ['toString'] }, 'toString'],
    [{ metrics: ['reach'], dimensions: ['device_type'] }, 'reach'],
    [{ metrics: ['impression_share'], dimensions: ['campaign'] }, 'impression_share'],
    [{ metrics: ['video_starts'], time: 'date' }, 'video_starts'],
    [{ metrics: ['video_starts'], time: 'month_week' }, 'video_starts'],
    [{ dimensions: ['device_type', 'ad'] }, 'ad, device_type'],
  ])('is refused for %j by its name', (combination, name) => {
    expect(refusing(combination, ln)).toThrow(`combination_not_allowed: ${name}`)
  })

  it('is not what is combined with the time or the dimensions that it needs', () => {
    expect(refusing({ metrics: ['video_starts'], time: 'month' }, ln)).not.toThrow(/./)
    expect(refusing({ metrics: ['impression_share'], dimensions: ['ad_group'] }, ln)).not.toThrow(/./)
    expect(refusing({ metrics: ['wau'], time: 'date' }, ga4)).not.toThrow(/./)
    expect(refusing({ metrics: ['wau'], time: 'week' }, ga4)).toThrow('combination_not_allowed: wau')
  })
})

it('counts conversions by actions where the platform can, and apart where it has to be', () => {
  const actions = ['a']
  expect(refusing({ metrics: ['conversions'], actions }, ln)).toThrow('conversions by actions')
  expect(refusing({ metrics: ['clicks'], actions }, ln)).not.toThrow(/./)
  expect(refusing({ metrics: ['sessions', 'conversions'], actions }, ga4)).not.toThrow(/./)
  expect(refusing({ metrics: ['conversion_value', 'conversions'], actions }, aw)).not.toThrow(/./)
  expect(refusing({ metrics: ['conversions', 'cost'], actions }, aw)).toThrow('cost by actions')
})

it('refuses a range that begins before the earliest day, and none that begins on it', () => {
  const earliest = Temporal.PlainDate.from('2023-10-21')
  expect(() => refuseBefore(earliest, { start: '2023-10-20' })).toThrow(
    'history_limit: the earliest day is 2023-10-21',
  )
  expect(() => refuseBefore(earliest, { start: '2023-10-21' })).not.toThrow(/./)
})

it("takes the account's own day for today", () => {
  const now = new Date('2026-11-21T16:00:00Z')
  expect(String(todayAt({ timezone: 'Asia/Taipei' }, now))).toBe('2026-11-22')
  expect(String(todayAt({ timezone: 'America/Los_Angeles' }, now))).toBe('2026-11-21')
})
