import type { Channel } from '#shared/channels/catalogue.ts'
import type { Tone } from '#web/ui/chart/tones.ts'

/**
 * The colour of each channel, the same in charts, legends and icons whatever else is shown: those of the ad
 * channels, which share the spend chart, differ the most. Measured in `channel-tones.test.ts`.
 */
export const channelTones: Record<Channel, Tone> = {
  fb: 1,
  tt: 2,
  aw: 3,
  ga: 4,
  ln: 5,
  yg: 6,
  ga_event: 7,
  aw_keyword: 8,
  ga4: 9,
}
