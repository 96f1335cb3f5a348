// @vitest-environment happy-dom
import { screen, within } from '@testing-library/react'
import { userEvent } from '@testing-library/user-event'
import { describe, expect, it } from 'vitest'
import { Problem } from '#web/client/problem.ts'
import { choose, dialog, drawLinks, fieldIn } from '#web/pages/links/testing/draw-links.tsx'
import { newsletter, presetOf } from '#web/pages/links/testing/samples.ts'
import { listOf } from '#web/testing/fake-server.ts'

const user = userEvent

async function drawn(drawing: Parameters<typeof drawLinks>[0] = {}) {
  const page = drawLinks(drawing)
  await user.click(await screen.findByRole('button', { name: 'Presets' }))
  return { ...page, list: await dialog('Presets') }
}
const ruleOf = (form: Pick<typeof screen, 'getByRole'>, field: string) =>
  within(form.getByRole('group', { name: field }))

describe('presets', () => {
  it('are listed with whose they are', async () => {
    const { list } = await drawn()
    const meta = within(await list.findByRole('row', { name: /^Meta Ads/ }))
    expect(meta.getAllByText('Agency').length).toBeGreaterThan(0)
    expect(meta.getByText('facebook / paid_social').isConnected).toBe(true)
  })

  it('of the agency are changed by managers alone', async () => {
    const answers = {
      'GET /api/ad/preset/': listOf([presetOf({ may_change: false, may_delete: false }), newsletter]),
    }
    const { list } = await drawn({ answers })
    await list.findByRole('row', { name: /^Meta Ads/ })
    expect(list.queryByRole('button', { name: 'Meta Ads' })).toBeNull()
    expect(list.getByRole('button', { name: 'Newsletter' }).isConnected).toBe(true)
  })

  it('are created for the agency by a manager', async () => {
    const { list, bodies } = await drawn({
      identity: 'manager',
      answers: { 'POST /api/ad/preset/': presetOf() },
    })
    await user.click(list.getByRole('button', { name: 'New preset' }))
    const form = await dialog('New preset')
    await user.type(fieldIn(form, 'Name'), 'Print QR')
    const source = ruleOf(form, 'Source')
    await user.type(source.getByRole('textbox', { name: 'Source' }), 'print')
    await user.click(source.getByLabelText('Allowed values', { selector: 'input' }))
    await user.keyboard('print{Enter}flyer{Enter}')
    const medium = ruleOf(form, 'Medium')
    await user.type(medium.getByRole('textbox', { name: 'Medium' }), 'qr')
    await user.click(medium.getByRole('checkbox', { name: 'Fixed' }))
    await user.click(form.getByRole('button', { name: 'Create' }))
    await expect.poll(bodies).toEqual([
      {
        advertiser: null,
        name: 'Print QR',
        platform: null,
        values: { utm_source: 'print', utm_medium: 'qr' },
        locked: ['utm_medium'],
        allowed: { utm_source: ['print', 'flyer'] },
      },
    ])
  })

  it('are created by staff for an advertiser, which is required then', async () => {
    const { list, bodies } = await drawn({ answers: { 'POST /api/ad/preset/': newsletter } })
    await user.click(list.getByRole('button', { name: 'New preset' }))
    const form = await dialog('New preset')
    await user.type(fieldIn(form, 'Name'), 'Newsletter')
    await user.click(form.getByRole('button', { name: 'Create' }))
    expect(form.getByText('Please fill this in.').isConnected).toBe(true)
    expect(bodies()).toEqual([])
    await choose(form, 'Advertiser', 'Aurora')
    await user.click(form.getByRole('button', { name: 'Create' }))
    await expect.poll(bodies).toMatchObject([{ advertiser: 1, name: 'Newsletter' }])
  })

  it('do not contradict themselves', async () => {
    const { list, bodies } = await drawn({ identity: 'manager' })
    await user.click(await list.findByRole('button', { name: 'Meta Ads' }))
    const form = await dialog('Meta Ads')
    const source = fieldIn(ruleOf(form, 'Source'), 'Source')
    await user.clear(source)
    await user.type(source, 'google')
    await user.click(form.getByRole('button', { name: 'Save' }))
    expect(form.getByText('Choose one of the allowed values, or add this one to them.').isConnected).toBe(
      true,
    )
    expect(bodies()).toEqual([])
  })

  it('send what is fixed and what is allowed together', async () => {
    const { list, bodies } = await drawn({
      identity: 'manager',
      answers: { 'PATCH /api/ad/preset/3/': presetOf({ version: 2 }) },
    })
    await user.click(await list.findByRole('button', { name: 'Meta Ads' }))
    const form = await dialog('Meta Ads')
    await user.click(ruleOf(form, 'Medium').getByRole('checkbox', { name: 'Fixed' }))
    await user.click(form.getByRole('button', { name: 'Save' }))
    await expect.poll(bodies).toEqual([
      {
        locked: ['utm_source_platform', 'utm_medium'],
        allowed: { utm_source: ['facebook', 'instagram'] },
        version: 1,
      },
    ])
  })

  it('ask before what was chosen is lost', async () => {
    const { list } = await drawn({ identity: 'manager' })
    await user.click(await list.findByRole('button', { name: 'Meta Ads' }))
    await user.click(ruleOf(await dialog('Meta Ads'), 'Medium').getByRole('checkbox', { name: 'Fixed' }))
    await user.keyboard('{Escape}')
    expect((await dialog('Discard your changes?')).getByText(/not been sent/)).toBeDefined()
  })

  it('say so when somebody else has saved meanwhile', async () => {
    const newer = presetOf({ version: 2, name: 'Meta' })
    const refused = new Problem({ code: 'conflict', status: 409, body: { preset: newer } })
    const { list } = await drawn({
      identity: 'manager',
      answers: { 'PATCH /api/ad/preset/3/': refused },
    })
    await user.click(await list.findByRole('button', { name: 'Meta Ads' }))
    const form = await dialog('Meta Ads')
    await user.type(fieldIn(ruleOf(form, 'Term'), 'Term'), 'x')
    await user.click(form.getByRole('button', { name: 'Save' }))
    expect((await form.findByText('They changed: Name.')).isConnected).toBe(true)
  })

  it('are deleted', async () => {
    const { list, changes } = await drawn({ answers: { 'DELETE /api/ad/preset/4/': null } })
    await user.click(await list.findByRole('button', { name: 'Actions for Newsletter' }))
    await user.click(await screen.findByRole('menuitem', { name: 'Delete' }))
    const question = await dialog('Delete Newsletter?')
    await user.click(question.getByRole('button', { name: 'Delete' }))
    await expect.poll(changes).toEqual([['DELETE', '/api/ad/preset/4/', { version: 1 }]])
  })
})
