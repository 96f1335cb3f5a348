import { Registry } from 'prom-client'
import { describe, expect, it } from 'vitest'
import { PlatformFailure } from '#server/connectors/connector.ts'
import { registerAudienceMetrics } from './metrics.ts'
import { fakePlatform } from './testing/share-platform.ts'
import { shareRig } from './testing/share-rig.ts'

const rig = await shareRig()
const { clock, db } = rig
const registry = new Registry()
registerAudienceMetrics(registry, db, () => new Date(clock.now))
const metrics = async () =>
  (await registry.metrics()).split('\n').filter(line => line.startsWith('sheetcast'))

describe('the metrics of audiences', () => {
  it('have nothing to say at first', async () => {
    expect(await metrics()).toEqual(['sheetcast_oldest_pending_erasure_seconds 0'])
  })

  it('have shares by state and code, and erasures that wait or have failed', async () => {
    const platform = fakePlatform({ erases: true })
    const audience = await rig.audience()
    await rig.upload(audience, [['a', 'b']])
    const [good, bad] = [await rig.account('good'), await rig.account('bad')]
    await rig.share(audience, good.id)
    await rig.share(audience, bad.id)
    platform.faults.before = ({ accounts }) => {
      if (accounts.includes(bad.external_id)) throw new PlatformFailure('no_access')
    }
    await rig.settle(platform.source)
    expect(await metrics()).toEqual([
      'sheetcast_audience_shares{state="failed",code="no_access"} 1',
      'sheetcast_audience_shares{state="ready",code=""} 1',
      'sheetcast_oldest_pending_erasure_seconds 0',
    ])

    platform.faults.before = () => {
      throw new PlatformFailure('no_access')
    }
    await rig.erasure(['a'], [good.id])
    clock.now += 90_000
    expect(await metrics()).toContain('sheetcast_oldest_pending_erasure_seconds 90')
    await rig.settle(platform.source)
    expect(await metrics()).toContain('sheetcast_oldest_pending_erasure_seconds 0')
    expect(await metrics()).toContain('sheetcast_erasure_failures_last_day{code="no_access"} 1')
    clock.now += 25 * 3600_000
    expect((await metrics()).join('\n')).not.toContain('erasure_failures')
  })
})
