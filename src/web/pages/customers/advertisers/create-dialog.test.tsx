// @vitest-environment happy-dom
import { screen } from '@testing-library/react'
import { userEvent } from '@testing-library/user-event'
import { describe, expect, it, vi } from 'vitest'
import type { IdentityName } from '#shared/access.ts'
import type { Advertiser } from '#shared/api/advertisers.ts'
import { Problem } from '#web/client/problem.ts'
import { drawFor } from '#web/testing/draw-for.tsx'
import { changesIn, listOf, serve } from '#web/testing/fake-server.ts'
import { aurora, beauty, northern, people } from '#web/pages/customers/testing/samples.ts'
import { CreateAdvertiserDialog } from './create-dialog.tsx'

const user = userEvent
const box = (name: string) => screen.getByRole<HTMLInputElement>('textbox', { name })
const create = () => user.click(screen.getByRole('button', { name: 'Create' }))

function drawn(answer: unknown, identity: IdentityName = 'director') {
  const calls = serve({
    'GET /api/industry/': listOf([beauty]),
    'GET /api/agent/': listOf([northern]),
    'GET /api/advertiser/': listOf([]),
    'GET /api/user/': listOf(people),
    'GET /api/department/': [{ id: 2, name: 'Marketing' }],
    'POST /api/advertiser/': answer,
  })
  const onCreated = vi.fn<(advertiser: Advertiser) => void>()
  const onClose = vi.fn<() => void>()
  drawFor(<CreateAdvertiserDialog onCreated={onCreated} onClose={onClose} />, { identity })
  return { onCreated, onClose, changes: () => changesIn(calls).map(({ body }) => Object(body)) }
}

describe('a new advertiser', () => {
  it('needs a name and nothing else', async () => {
    const { changes, onCreated, onClose } = drawn(aurora)
    await create()
    expect(screen.getAllByText('Please fill this in.')).toHaveLength(1)
    expect(changes()).toEqual([])
    await user.type(box('Name'), 'Aurora')
    await create()
    await expect.poll(() => onCreated.mock.calls).toEqual([[aurora]])
    expect(onClose).toHaveBeenCalledOnce()
    expect(changes()).toMatchObject([{ name: 'Aurora', tax_id: '', members: [] }])
  })

  it('has those of whom somebody thinks as members; who sees only their own is one', async () => {
    const { changes } = drawn(aurora, 'staff')
    await user.type(box('Name'), 'Aurora')
    await user.click(screen.getByRole('button', { name: 'Members' }))
    await user.click(await screen.findByRole('option', { name: /Mika Chen/ }))
    await user.keyboard('{Escape}')
    await create()
    await expect.poll(() => changes().map(({ members }) => members)).toEqual([[7, 8]])
  })

  it('stays open with what the server refuses at its field', async () => {
    const fields = { name: ['name_taken' as const], members: ['field_not_available' as const] }
    const { onCreated } = drawn(new Problem({ code: 'invalid', status: 400, fields }))
    await user.type(box('Name'), 'Aurora')
    await create()
    await screen.findByText('This name is already taken.')
    expect(box('Name').getAttribute('aria-invalid')).toBe('true')
    expect(onCreated).not.toHaveBeenCalled()
  })

  it('stays open with a refusal about no field', async () => {
    drawn(new Problem({ code: 'forbidden', status: 403 }))
    await user.type(box('Name'), 'Aurora')
    await create()
    expect((await screen.findByRole('alert')).textContent).not.toBe('')
  })

  it('is not sent while its tax id or its terms are wrong', async () => {
    const { changes } = drawn(aurora)
    await user.type(box('Name'), 'Aurora')
    await user.type(box('Tax ID'), '1234567')
    await create()
    await user.type(box('Tax ID'), '8')
    await create()
    expect(screen.getByText(/its check digit does not match/).textContent).not.toBe('')
    await user.clear(box('Tax ID'))
    await user.type(box('Number of days'), '9')
    await create()
    expect(changes()).toEqual([])
  })

  it('asks before what was typed is lost', async () => {
    const { onClose } = drawn(aurora)
    await user.type(box('Name'), 'Aurora')
    await user.keyboard('{Escape}')
    await user.click(await screen.findByRole('button', { name: 'Discard' }))
    expect(onClose).toHaveBeenCalledOnce()
  })
})
