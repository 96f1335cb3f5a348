import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import type { Channel } from '#shared/channels/catalogue.ts'
import { channelIds } from '#shared/channels/ids.ts'
import { channelTones } from './channel-tones.ts'

// What is measured is what the browser reads: the tokens of theme.css.
const css = readFileSync(join(import.meta.dirname, '../../app/theme.css'), 'utf8')
const [light = '', dark = ''] = css.split(":root[data-mantine-color-scheme='dark'] {")
const token = (theme: string, name: string) =>
  new RegExp(`--${name}: (#[0-9a-f]{6});`).exec(theme)?.[1] ?? 'missing'
const themes = { light, dark }

type Rgb = [number, number, number]
const linear = (hex: string) =>
  [1, 3, 5].map(at => {
    const value = Number.parseInt(hex.slice(at, at + 2), 16) / 255
    return value <= 0.04045 ? value / 12.92 : ((value + 0.055) / 1.055) ** 2.4
  }) as Rgb
const row = (factors: Rgb, [red, green, blue]: Rgb) =>
  factors[0] * red + factors[1] * green + factors[2] * blue
const luminance = (hex: string) => row([0.2126, 0.7152, 0.0722], linear(hex))
const contrast = (a: string, b: string) => {
  const [dim = 0, bright = 0] = [luminance(a), luminance(b)].toSorted((x, y) => x - y)
  return (bright + 0.05) / (dim + 0.05)
}

/** Machado, Oliveira, Fernandes 2009, at full severity, on linear light. */
const visions: Record<string, [Rgb, Rgb, Rgb]> = {
  'all colours': [
    [1, 0, 0],
    [0, 1, 0],
    [0, 0, 1],
  ],
  'no red (protanopia)': [
    [0.152286, 1.052583, -0.204868],
    [0.114503, 0.786281, 0.099216],
    [-0.003882, -0.048116, 1.051998],
  ],
  'no green (deuteranopia)': [
    [0.367322, 0.860646, -0.227968],
    [0.280085, 0.672501, 0.047413],
    [-0.01182, 0.04294, 0.968881],
  ],
  'no blue (tritanopia)': [
    [1.255528, -0.076749, -0.178779],
    [-0.078411, 0.930809, 0.147602],
    [0.004733, 0.691367, 0.3039],
  ],
}

/** Oklab, times 100: a difference of about 2 is just visible side by side. */
function perceived(hex: string, vision: [Rgb, Rgb, Rgb]): Rgb {
  const filtered = vision.map(factors => Math.min(1, Math.max(0, row(factors, linear(hex))))) as Rgb
  const cones = [
    row([0.4122214708, 0.5363325363, 0.0514459929], filtered),
    row([0.2119034982, 0.6806995451, 0.1073969566], filtered),
    row([0.0883024619, 0.2817188376, 0.6299787005], filtered),
  ].map(value => 100 * Math.cbrt(value)) as Rgb
  return [
    row([0.2104542553, 0.793617785, -0.0040720468], cones),
    row([1.9779984951, -2.428592205, 0.4505937099], cones),
    row([0.0259040371, 0.7827717662, -0.808675766], cones),
  ]
}
const difference = (a: Rgb, b: Rgb) => Math.hypot(a[0] - b[0], a[1] - b[1], a[2] - b[2])
const pairsOf = (channels: readonly Channel[]) =>
  channels.flatMap((a, at) => channels.slice(at + 1).map(b => [a, b] as const))
const spending: Channel[] = ['fb', 'aw', 'yg', 'tt', 'ln']

describe('the colour of a channel', () => {
  it('is that of no other channel', () => {
    expect(new Set(Object.values(channelTones)).size).toBe(channelIds.length)
  })

  describe.each(Object.entries(themes))('in the %s theme', (_, theme) => {
    const colourOf = (channel: Channel) => token(theme, `chart-${channelTones[channel]}`)

    it.each(channelIds)('stands out from every ground, 3:1 at least: %s', channel => {
      for (const ground of ['surface', 'sunken', 'canvas', 'hover'])
        expect(contrast(colourOf(channel), token(theme, ground)), ground).toBeGreaterThanOrEqual(3)
    })

    it.each(Object.entries(visions))('differs from the others for people who see %s', (_name, vision) => {
      const least = (channels: readonly Channel[]) =>
        Math.min(
          ...pairsOf(channels).map(([a, b]) =>
            difference(perceived(colourOf(a), vision), perceived(colourOf(b), vision)),
          ),
        )
      expect(least(channelIds)).toBeGreaterThan(8)
      expect(least(spending)).toBeGreaterThan(10.5)
    })
  })
})
