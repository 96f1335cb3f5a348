// @vitest-environment happy-dom
import { screen, within } from '@testing-library/react'
import { describe, expect, it } from 'vitest'
import { insightSearch } from './search.ts'
import { drawSettings } from './testing/draw-settings.tsx'

describe('the report settings', () => {
  it.each([
    [{}, 'Calculated metrics'],
    [{ tab: 'conversions' }, 'Conversion definitions'],
    [{ tab: 'labels' }, 'Metric labels'],
    [{ tab: 'rates' }, 'Exchange rates'],
  ])('with %j show %s', async (search, name) => {
    drawSettings({ search })
    const tabs = within(await screen.findByRole('navigation', { name: 'Settings' }))
    expect(tabs.getByRole('link', { current: 'page' }).textContent).toBe(name)
    await expect.poll(() => document.title).toContain(`${name} – Advanced report settings`)
  })

  it('have tabs that can be linked to', async () => {
    drawSettings()
    const tabs = within(await screen.findByRole('navigation', { name: 'Settings' }))
    expect(tabs.getByRole('link', { name: 'Exchange rates' }).getAttribute('href')).toMatch(/tab=rates/)
  })
})

describe('their address', () => {
  it.each([
    [{ tab: 'rates' }, { tab: 'rates' }],
    [{ tab: 'metrics', metric: 4 }, { metric: 4 }],
    [{ tab: 'none', metric: -1, conversion: 'x', channel: 'zz', advertiser: 'all', is_active: 1 }, {}],
    [{ advertiser: 'agency' }, { advertiser: 'agency' }],
    [
      { advertiser: 3, channel: 'fb', is_active: false },
      { advertiser: 3, channel: 'fb', is_active: false },
    ],
    [
      { conversion: 6, ordering: '-name' },
      { conversion: 6, ordering: '-name' },
    ],
  ])('%j is read as %j', (raw, read) => {
    expect(insightSearch(raw)).toEqual({ search: '', page: 1, ...read })
  })
})
