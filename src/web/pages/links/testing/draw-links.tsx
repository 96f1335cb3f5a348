import { screen, within } from '@testing-library/react'
import { userEvent } from '@testing-library/user-event'
import type { IdentityName } from '#shared/access.ts'
import { aurora } from '#web/pages/customers/testing/samples.ts'
import { Links } from '#web/pages/links/links.tsx'
import { drawAt } from '#web/testing/draw-for.tsx'
import { changesIn, listOf, serve } from '#web/testing/fake-server.ts'
import { linkOf, newsletter, presetOf } from './samples.ts'

interface Drawn {
  search?: object
  answers?: Readonly<Record<string, unknown>>
  identity?: IdentityName
  has_link_checks?: boolean
}

const fjord = { ...aurora, id: 2, name: 'Fjord Travel' }

/** Draws the page as it is at its address. */
export function drawLinks({ search, answers, ...person }: Drawn = {}) {
  const calls = serve({
    'GET /api/ad/': listOf([linkOf()]),
    'GET /api/ad/8/': linkOf(),
    'GET /api/ad/preset/': listOf([newsletter, presetOf()]),
    'GET /api/advertiser/': listOf([aurora, fjord]),
    'GET /api/advertiser/1/': aurora,
    'GET /api/advertiser/2/': fjord,
    'GET /api/site/': listOf([{ id: 30, name: 'Aurora shop' }]),
    'GET /api/publisher/': listOf([{ id: 40, name: 'Facebook' }]),
    'GET /api/image/': listOf([]),
    'GET /api/file/': listOf([]),
    ...answers,
  })
  const went = drawAt(
    <Links />,
    { path: '/advertisement/create-link', search: { search: '', page: 1, ...search } },
    { identity: 'staff', ...person },
  )
  return {
    calls,
    went,
    changes: () => changesIn(calls).map(({ method, path, body }) => [method, path, body]),
    bodies: () => changesIn(calls).map(({ body }) => body),
  }
}

/** A part of the page by what it is called. */
export const region = async (name: string) => within(await screen.findByRole('region', { name }))
export const dialog = async (name: string) => within(await screen.findByRole('dialog', { name }))

type Within = Pick<typeof screen, 'findByRole' | 'getByRole'>

export const fieldIn = (part: Within, name: string) => part.getByRole<HTMLInputElement>('textbox', { name })

export async function choose(part: Within, field: string, option: string) {
  await userEvent.click(part.getByRole('combobox', { name: field }))
  await userEvent.click(await screen.findByRole('option', { name: option }))
}
