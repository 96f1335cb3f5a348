// @vitest-environment happy-dom
import { screen } from '@testing-library/react'
import { userEvent } from '@testing-library/user-event'
import { describe, expect, it } from 'vitest'
import { Problem } from '#web/client/problem.ts'
import { dialog, drawLinks, fieldIn } from '#web/pages/links/testing/draw-links.tsx'
import { AUTUMN } from '#web/pages/links/testing/samples.ts'

const user = userEvent
const twelve = { create: 12, same: 0, problems: [] }

async function drawn(answers: Record<string, unknown>) {
  const page = drawLinks({ search: { advertiser: 1 }, answers })
  await user.click(await screen.findByRole('button', { name: 'Bulk create' }))
  return { ...page, form: await dialog('Bulk create') }
}
type Form = Awaited<ReturnType<typeof dialog>>

async function fill(form: Form, lists: Record<string, readonly string[]>) {
  for (const [name, values] of Object.entries(lists))
    for (const value of values) {
      await user.click(form.getByLabelText(new RegExp(`^${name}`), { selector: 'input' }))
      await user.paste(value)
      await user.keyboard('{Enter}')
    }
}
const lists = {
  'Landing page': [AUTUMN],
  Sources: ['facebook', 'instagram', 'line'],
  Mediums: ['paid_social'],
  Campaigns: ['autumn'],
  Contents: ['a', 'b', 'c', 'd'],
}

describe('many links', () => {
  it('are counted before, tried at the server, created, and all of them to copy', async () => {
    const { form, calls, bodies } = await drawn({ 'POST /api/ad/bulk/': twelve })
    await fill(form, lists)
    expect(form.getByText('3 × 1 × 1 × 4 =', { exact: false }).textContent.trim()).toBe(
      '3 × 1 × 1 × 4 = 12 links',
    )
    await user.click(form.getByRole('button', { name: 'Validate 12 links' }))
    await form.findByText(/^12 links will be created/)
    await user.click(form.getByRole('button', { name: 'Create 12 links' }))
    const links = await form.findByRole<HTMLTextAreaElement>('textbox', { name: 'Links' })
    expect(links.value.split('\n')).toHaveLength(12)
    expect(form.getByRole('button', { name: 'Copy all 12 links' }).isConnected).toBe(true)
    const queries = calls.flatMap(({ path, query }) => (path === '/api/ad/bulk/' ? [query] : []))
    expect(queries).toEqual([{ dry_run: true }, { dry_run: false }])
    expect(bodies()[0]).toMatchObject({
      preset: null,
      rows: Array.from({ length: 12 }, () => ({ advertiser: 1, landing_url: AUTUMN })),
    })
  })

  it('are not lost with the cross unless somebody is sure', async () => {
    const { form } = await drawn({})
    await fill(form, { Sources: ['facebook'] })
    await user.click(form.getByRole('button', { name: 'Close' }))
    expect((await dialog('Discard your changes?')).getByText(/not been sent/).isConnected).toBe(true)
  })

  it('are tried anew after a change', async () => {
    const { form } = await drawn({ 'POST /api/ad/bulk/': twelve })
    await fill(form, lists)
    await user.click(form.getByRole('button', { name: 'Validate 12 links' }))
    await form.findByText(/^12 links will be created/)
    await fill(form, { Sources: ['threads'] })
    expect(form.getByRole('button', { name: 'Validate 16 links' }).isConnected).toBe(true)
  })

  it('say what is wrong with which row, and nothing is sent', async () => {
    const { form, bodies } = await drawn({})
    await fill(form, { ...lists, Contents: ['a', 'amy@mail.demo'] })
    await user.click(form.getByRole('button', { name: 'Validate 6 links' }))
    expect(form.getByText('3 with problems').isConnected).toBe(true)
    expect(form.getAllByText(/^Content:/)).toHaveLength(3)
    expect(bodies()).toEqual([])
  })

  it('that are all there already cannot be created again', async () => {
    const { form } = await drawn({ 'POST /api/ad/bulk/': { create: 0, same: 12, problems: [] } })
    await fill(form, lists)
    await user.click(form.getByRole('button', { name: 'Validate 12 links' }))
    await form.findByText('All 12 links are there already.')
    expect(form.getByRole<HTMLButtonElement>('button', { name: 'Validate 12 links' }).disabled).toBe(true)
  })

  it('are created by no means where the server finds a problem', async () => {
    const problems = [{ row: 2, field: 'utm_source', code: 'value_not_allowed' }]
    const { form } = await drawn({ 'POST /api/ad/bulk/': { create: 11, same: 0, problems } })
    await fill(form, lists)
    await user.click(form.getByRole('button', { name: 'Validate 12 links' }))
    const alert = await form.findByText('1 problem: nothing has been created')
    expect(alert.parentElement?.textContent).toMatch(/Row 2, Source:/)
  })

  it('say whatever else the server refuses', async () => {
    const refused = new Problem({
      code: 'invalid',
      status: 400,
      fields: { 'rows.1.name': ['field_too_long'] },
    })
    const { form } = await drawn({ 'POST /api/ad/bulk/': refused })
    await fill(form, lists)
    await user.click(form.getByRole('button', { name: 'Validate 12 links' }))
    expect((await form.findByText(/rows\.1\.name: This is too long/)).isConnected).toBe(true)
  })

  it('say what has become wrong between trying and creating', async () => {
    const problems = [{ row: 2, field: 'utm_source', code: 'value_not_allowed' }]
    const answers: unknown[] = [
      twelve,
      new Problem({ code: 'invalid', status: 400 }),
      { create: 0, same: 0, problems },
    ]
    const { form } = await drawn({ 'POST /api/ad/bulk/': () => answers.shift() })
    await fill(form, lists)
    await user.click(form.getByRole('button', { name: 'Validate 12 links' }))
    await user.click(await form.findByRole('button', { name: 'Create 12 links' }))
    const alert = await form.findByText('1 problem: nothing has been created')
    expect(alert.parentElement?.textContent).toMatch(/Row 2, Source:/)
    expect(answers).toEqual([])
  })

  it('that are too many are only counted', async () => {
    const { form } = await drawn({})
    const words = Array.from({ length: 200 }, (_, nth) => `w${nth}`).join('\n')
    await fill(form, { ...lists, Sources: [words], Campaigns: [words], Contents: [words] })
    expect(form.getByText(/^These are 8,000,000 links\. No more than 500/).isConnected).toBe(true)
    expect(form.queryByRole('region', { name: 'Preview' })).toBeNull()
  })

  it('are pasted from a spreadsheet', async () => {
    const { form, bodies } = await drawn({ 'POST /api/ad/bulk/': { create: 2, same: 0, problems: [] } })
    await user.click(form.getByRole('radio', { name: 'Paste rows' }))
    await user.click(fieldIn(form, 'Rows of a spreadsheet'))
    await user.paste(
      [
        '名稱\t到達網頁\t來源\t媒介\t活動名稱\tOwner',
        `One\t${AUTUMN}\tfacebook\tpaid_social\tautumn\tAmy`,
        `Two\t${AUTUMN}\tline\tpaid_social\tautumn\tBo`,
      ].join('\n'),
    )
    expect(form.getByText('Not used: Owner').isConnected).toBe(true)
    await user.click(form.getByRole('button', { name: 'Validate 2 links' }))
    await expect.poll(bodies).toMatchObject([
      {
        rows: [
          { name: 'One', utm_source: 'facebook' },
          { name: 'Two', utm_source: 'line' },
        ],
      },
    ])
  })

  it('pasted without headings are not guessed', async () => {
    const { form } = await drawn({})
    await user.click(form.getByRole('radio', { name: 'Paste rows' }))
    await user.click(fieldIn(form, 'Rows of a spreadsheet'))
    await user.paste(`${AUTUMN}\tfacebook\tpaid_social\tautumn`)
    expect(form.getByText(/^The first row names no column/).isConnected).toBe(true)
    expect(form.getByRole<HTMLButtonElement>('button', { name: 'Validate 0 links' }).disabled).toBe(true)
  })
})
