// @vitest-environment happy-dom
import { screen } from '@testing-library/react'
import { userEvent } from '@testing-library/user-event'
import { describe, expect, it, vi } from 'vitest'
import type { Audience } from '#shared/api/audiences.ts'
import { Problem } from '#web/client/problem.ts'
import { listOf } from '#web/testing/fake-server.ts'
import { CreateDialog } from './create-dialog.tsx'
import { drawHashing } from './testing/draw-audiences.tsx'
import { audienceOf, shareOf } from './testing/samples.ts'

const user = userEvent
const box = (name: string) => screen.getByRole<HTMLInputElement>('textbox', { name })
const create = () => user.click(screen.getByRole('button', { name: 'Create' }))
async function choose(field: string, option: string | RegExp) {
  await user.click(screen.getByRole('combobox', { name: field }))
  await user.click(await screen.findByRole('option', { name: option }))
}

async function drawn(answers: Record<string, unknown> = {}, advertiser: number | null = 1) {
  const onCreated = vi.fn<(audience: Audience) => void>()
  const { changes } = drawHashing(
    <CreateDialog advertiser={advertiser} onCreated={onCreated} onClose={() => {}} />,
    { answers: { 'POST /api/lta/': audienceOf(), ...answers } },
  )
  await screen.findByRole('dialog', { name: 'New audience' })
  return { onCreated, changes }
}

describe('a new audience', () => {
  it('is a customer file unless something else is chosen', async () => {
    const { changes, onCreated } = await drawn()
    await user.type(box('Name'), ' VIP ')
    await create()
    await expect.poll(changes).toEqual([
      [
        'POST',
        '/api/lta/',
        {
          advertiser: 1,
          kind: 'customer_file',
          name: 'VIP',
          description: '',
          collected_by: 'advertiser',
          consent: { ad_user_data: 'unknown', ad_personalization: 'unknown' },
          window_days: 540,
          keep_days: 30,
        },
      ],
    ])
    expect(onCreated).toHaveBeenCalledOnce()
  })

  it('needs an advertiser and a name', async () => {
    const { changes } = await drawn({}, null)
    await create()
    expect(screen.getAllByText('Please fill this in.')).toHaveLength(2)
    expect(changes()).toEqual([])
  })

  it('of a website has a site with a pixel, and a rule', async () => {
    const sources = {
      sites: [
        { site: 3, name: 'Aurora shop', pixels: [{ platform: 'meta', id: '339' }] },
        { site: 4, name: 'Aurora blog', pixels: [{ platform: 'tiktok', id: '1' }] },
      ],
      ga4: [],
      code: null,
    }
    const { changes } = await drawn({ 'GET /api/lta/sources/': sources })
    await choose('Kind', 'Website visitors')
    await user.type(box('Name'), 'Cart')
    await create()
    expect(changes()).toEqual([])
    await expect
      .poll(() => screen.getByRole<HTMLInputElement>('combobox', { name: 'Site' }).disabled)
      .toBe(false)
    await user.click(screen.getByRole('combobox', { name: 'Site' }))
    expect(screen.queryByRole('option', { name: 'Aurora blog' })).toBeNull()
    await user.click(await screen.findByRole('option', { name: 'Aurora shop' }))
    await choose('Visitors of', 'Addresses that contain')
    await create()
    expect(changes()).toEqual([])
    await user.type(screen.getByLabelText('Any of', { selector: 'input' }), '/cart{Enter}')
    await create()
    await expect
      .poll(() => changes().map(([, , body]) => body))
      .toEqual([
        {
          advertiser: 1,
          kind: 'website',
          name: 'Cart',
          description: '',
          site: 3,
          window_days: 30,
          rule: { match: 'url_contains', values: ['/cart'] },
        },
      ])
  })

  it('like others has a seed that Meta has', async () => {
    const seeds = listOf([
      audienceOf({ shares: [shareOf()] }),
      audienceOf({ id: 6, name: 'Like VIP', kind: 'lookalike' }),
    ])
    const { changes } = await drawn({ 'GET /api/lta/': seeds })
    await choose('Kind', 'Lookalike')
    await user.type(box('Name'), 'Like')
    await expect
      .poll(() => screen.getByRole<HTMLInputElement>('combobox', { name: 'Seed audience' }).disabled)
      .toBe(false)
    await user.click(screen.getByRole('combobox', { name: 'Seed audience' }))
    expect(screen.queryByRole('option', { name: 'Like VIP' })).toBeNull()
    await user.click(await screen.findByRole('option', { name: 'Aurora VIP 2026' }))
    await choose('Country', 'Japan')
    await create()
    await expect
      .poll(() => changes().map(([, , body]) => body))
      .toEqual([
        { advertiser: 1, kind: 'lookalike', name: 'Like', description: '', seed: 5, country: 'JP', ratio: 1 },
      ])
  })

  it('of GA4 is one that a property has', async () => {
    const ga4 = [{ ga4_view: 12, audience: '77', name: 'Cart', window_days: 30, users: 1840 }]
    const { changes } = await drawn({ 'GET /api/lta/sources/': { sites: [], ga4, code: null } })
    await choose('Kind', 'GA4 audience')
    await user.type(box('Name'), 'Cart')
    await expect
      .poll(() => screen.getByRole<HTMLInputElement>('combobox', { name: 'GA4 audience' }).disabled)
      .toBe(false)
    await choose('GA4 audience', 'Cart (1,840)')
    await create()
    await expect
      .poll(() => changes().map(([, , body]) => body))
      .toMatchObject([{ kind: 'ga4', ga4_view: 12, ga4_audience: '77' }])
  })

  it('stays open with what the server refuses at its field', async () => {
    const fields = { name: ['name_taken' as const] }
    await drawn({ 'POST /api/lta/': new Problem({ code: 'invalid', status: 400, fields }) })
    await user.type(box('Name'), 'VIP')
    await create()
    expect((await screen.findByText('This name is already taken.')).isConnected).toBe(true)
  })
})
