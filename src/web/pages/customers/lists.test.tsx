// @vitest-environment happy-dom
import { screen, within } from '@testing-library/react'
import { userEvent } from '@testing-library/user-event'
import { describe, expect, it } from 'vitest'
import { Problem } from '#web/client/problem.ts'
import { drawAt } from '#web/testing/draw-for.tsx'
import { changesIn, listOf, serve } from '#web/testing/fake-server.ts'
import { aurora, beauty, northern, people, travel } from './testing/samples.ts'
import { Industries } from './industries.tsx'
import { Agents } from './agents.tsx'
import { Advertisers } from './advertisers/advertisers.tsx'

const surroundings = {
  'GET /api/industry/': listOf([beauty, travel]),
  'GET /api/agent/': listOf([northern]),
  'GET /api/user/': listOf(people),
  'GET /api/department/': [{ id: 2, name: 'Marketing' }],
  'GET /api/advertiser/': listOf([aurora]),
}
const firstPage = { search: '', page: 1 }
const user = userEvent
const button = (name: string | RegExp) => screen.getByRole('button', { name })
const dialog = async (name: string | RegExp) => within(await screen.findByRole('dialog', { name }))
const act = async (name: string, entry: string) => {
  await user.click(button(`Actions for ${name}`))
  await user.click(await screen.findByRole('menuitem', { name: entry }))
}

describe('the list of industries', () => {
  it('has both names, and leads to the advertisers of one', async () => {
    serve(surroundings)
    drawAt(<Industries />, { path: '/customer/industry', search: firstPage })
    const row = within(await screen.findByRole('row', { name: /Beauty/ }))
    expect(row.getByText('美妝保養').lang).toBe('zh-Hant-TW')
    expect(row.getByRole('link', { name: '3' }).getAttribute('href')).toMatch(
      /^\/customer\/advertiser\?.*industry=2$/,
    )
    expect(screen.queryByRole('link', { name: '0' })).toBeNull()
  })

  it('asks for what its address says', async () => {
    const calls = serve(surroundings)
    drawAt(<Industries />, {
      path: '/customer/industry',
      search: { search: 'b', page: 2, ordering: '-advertisers' },
    })
    await screen.findByRole('row', { name: /Beauty/ })
    expect(calls[0]?.query).toEqual({ search: 'b', ordering: '-advertisers', limit: 10, offset: 10 })
  })

  it('is sorted by its headers', async () => {
    serve(surroundings)
    const went = drawAt(<Industries />, { path: '/customer/industry', search: firstPage })
    await user.click(await screen.findByRole('button', { name: 'Advertisers' }))
    expect(went).toMatchObject([{ search: { ordering: 'advertisers', page: 1 } }])
  })

  it('takes a new one with both names, and says what the server refuses', async () => {
    const taken = new Problem({ code: 'invalid', status: 400, fields: { name_zh: ['name_taken'] } })
    const answers = [taken, { ...travel, name: 'Games' }]
    const calls = serve({ ...surroundings, 'POST /api/industry/': () => answers.shift() })
    drawAt(<Industries />, { path: '/customer/industry', search: firstPage })
    await user.click(await screen.findByRole('button', { name: 'New industry' }))
    const form = await dialog('New industry')
    await user.click(form.getByRole('button', { name: 'Create' }))
    expect(form.getAllByText('Please fill this in.')).toHaveLength(2)
    await user.type(form.getByRole('textbox', { name: 'Name' }), 'Games')
    await user.type(form.getByRole('textbox', { name: 'Name in Chinese' }), '遊戲')
    await user.click(form.getByRole('button', { name: 'Create' }))
    await form.findByText('This name is already taken.')
    await user.click(form.getByRole('button', { name: 'Create' }))
    await expect.poll(() => screen.queryByRole('dialog')).toBeNull()
    expect(changesIn(calls).map(({ body }) => body)).toEqual([
      { name: 'Games', name_zh: '遊戲' },
      { name: 'Games', name_zh: '遊戲' },
    ])
  })

  it('keeps both changes when somebody else has renamed it meanwhile', async () => {
    const newer = { ...beauty, version: 2, name_zh: '美妝' }
    const conflict = new Problem({ code: 'conflict', status: 409, body: { industry: newer } })
    const answers = [conflict, newer]
    const calls = serve({ ...surroundings, 'PATCH /api/industry/2/': () => answers.shift() })
    drawAt(<Industries />, { path: '/customer/industry', search: firstPage })
    await screen.findByRole('row', { name: /Beauty/ })
    await act('Beauty', 'Rename')
    const form = await dialog('Rename Beauty')
    await user.type(form.getByRole('textbox', { name: 'Name' }), ' care')
    await user.click(form.getByRole('button', { name: 'Rename' }))
    await form.findByText('They changed: Name in Chinese.')
    await user.click(form.getByRole('button', { name: 'Keep my changes too' }))
    expect(form.getByRole<HTMLInputElement>('textbox', { name: 'Name in Chinese' }).value).toBe('美妝')
    await user.click(form.getByRole('button', { name: 'Rename' }))
    await expect.poll(() => screen.queryByRole('dialog')).toBeNull()
    expect(changesIn(calls).map(({ body }) => body)).toEqual([
      { name: 'Beauty care', version: 1 },
      { name: 'Beauty care', version: 2 },
    ])
  })

  it('merges one into another', async () => {
    const calls = serve({ ...surroundings, 'POST /api/industry/2/merge/': travel })
    drawAt(<Industries />, { path: '/customer/industry', search: firstPage })
    await screen.findByRole('row', { name: /Beauty/ })
    await act('Beauty', 'Merge into another')
    const form = await dialog('Merge Beauty')
    expect(form.getByText(/3 advertisers move/).textContent).toContain('this one is deleted')
    await user.click(form.getByRole('button', { name: 'Merge' }))
    expect(form.getByText('Please fill this in.').textContent).not.toBe('')
    await user.click(form.getByRole('combobox', { name: 'Into' }))
    await user.click(await screen.findByRole('option', { name: 'Travel' }))
    await user.click(form.getByRole('button', { name: 'Merge' }))
    await expect.poll(() => screen.queryByRole('dialog')).toBeNull()
    expect(changesIn(calls)).toMatchObject([{ body: { version: 1, into: 3 } }])
  })

  it('deletes one, or says what refers to it', async () => {
    const inUse = new Problem({ code: 'in_use', status: 409, body: { by: { advertisers: 3 } } })
    serve({ ...surroundings, 'DELETE /api/industry/2/': inUse })
    drawAt(<Industries />, { path: '/customer/industry', search: firstPage })
    await screen.findByRole('row', { name: /Beauty/ })
    await act('Beauty', 'Delete')
    const form = await dialog('Delete Beauty?')
    await user.click(form.getByRole('button', { name: 'Delete' }))
    const refusal = await dialog('Beauty is in use')
    expect(refusal.getByRole('listitem').textContent).toBe('3 advertisers')
  })

  it('offers no merging or deleting to staff', async () => {
    serve(surroundings)
    drawAt(<Industries />, { path: '/customer/industry', search: firstPage }, { identity: 'staff' })
    await screen.findByRole('row', { name: /Beauty/ })
    await user.click(button('Actions for Beauty'))
    await screen.findByRole('menuitem', { name: 'Rename' })
    expect(screen.getAllByRole('menuitem')).toHaveLength(1)
  })

  it('says how to begin where there is none', async () => {
    serve({ ...surroundings, 'GET /api/industry/': listOf([]) })
    drawAt(<Industries />, { path: '/customer/industry', search: firstPage })
    await screen.findByText('No industries yet')
    expect(screen.getAllByRole('button', { name: 'New industry' })).toHaveLength(2)
  })

  it('leads back where none is found', async () => {
    serve({ ...surroundings, 'GET /api/industry/': listOf([]) })
    const went = drawAt(<Industries />, { path: '/customer/industry', search: { search: 'x', page: 1 } })
    await user.click(await screen.findByRole('button', { name: 'Clear search' }))
    expect(went).toMatchObject([{ search: { search: '' } }])
  })
})

describe('an import', () => {
  const file = new File(['name\nGames\n'], 'industries.csv', { type: 'text/csv' })
  const plan = { create: 2, change: 1, same: 4, problems: [] }

  async function opened(answer: unknown) {
    const calls = serve({ ...surroundings, 'POST /api/industry/import/': answer })
    drawAt(<Industries />, { path: '/customer/industry', search: firstPage })
    await user.click(await screen.findByRole('button', { name: 'Import industries' }))
    const form = await dialog('Import industries')
    const input = document.querySelector<HTMLInputElement>('input[type=file]')
    if (input) await user.upload(input, file)
    return { form, calls: () => changesIn(calls).map(({ query }) => query) }
  }

  it('first says what would become of the rows, then does it', async () => {
    const { form, calls } = await opened(plan)
    await user.click(await form.findByRole('button', { name: 'Import 3 rows' }))
    await expect.poll(() => screen.queryByRole('dialog')).toBeNull()
    expect(calls()).toEqual([{ dry_run: true }, { dry_run: false }])
  })

  it('names each problem by row and column, and imports nothing', async () => {
    const problems = [
      { row: 2, field: 'tax_id', code: 'tax_id_checksum' },
      { row: 7, field: 'name', code: 'name_taken' },
    ]
    const { form, calls } = await opened({ ...plan, problems })
    await form.findByText('2 problems in the file')
    const rows = form.getAllByRole('row').map(row => row.textContent)
    expect(rows).toEqual([
      'RowColumnProblem',
      '2tax_idThis tax ID has a typing error: its check digit does not match.',
      '7nameThis name is already taken.',
    ])
    expect(form.getByRole<HTMLButtonElement>('button', { name: 'Import' }).disabled).toBe(true)
    expect(calls()).toEqual([{ dry_run: true }])
  })

  it('has nothing to do when all rows are there already', async () => {
    const { form } = await opened({ ...plan, create: 0, change: 0 })
    await form.findByText('Nothing would change: all 4 rows are there already.')
    expect(form.getByRole<HTMLButtonElement>('button', { name: 'Import' }).disabled).toBe(true)
  })
})

describe('the list of agents', () => {
  it('has the commission, and opens one beside it', async () => {
    serve(surroundings)
    const went = drawAt(<Agents />, { path: '/customer/agent', search: firstPage })
    const row = within(await screen.findByRole('row', { name: /Northern Media/ }))
    expect(row.getAllByText('10% of the fee').length).toBeGreaterThan(0)
    await user.click(row.getByRole('button', { name: 'Northern Media' }))
    expect(went).toMatchObject([{ search: { agent: 5, page: 1 } }])
  })

  it('sends only what was changed in the open one', async () => {
    const calls = serve({
      ...surroundings,
      'GET /api/agent/5/': northern,
      'PATCH /api/agent/5/': { ...northern, version: 2 },
    })
    drawAt(<Agents />, { path: '/customer/agent', search: { ...firstPage, agent: 5 } })
    const drawer = await dialog('Northern Media')
    const rate = drawer.getByRole('textbox', { name: 'Commission' })
    await user.clear(rate)
    await user.type(rate, '12.5')
    await user.click(drawer.getByRole('button', { name: 'Save' }))
    await expect.poll(() => changesIn(calls).length).toBe(1)
    expect(changesIn(calls)[0]?.body).toEqual({ commission_rate: 1250, is_active: true, version: 1 })
  })

  it('sends nothing while the tax id, the rate or the terms are wrong', async () => {
    const calls = serve({ ...surroundings, 'POST /api/agent/': northern })
    drawAt(<Agents />, { path: '/customer/agent', search: firstPage })
    await user.click(await screen.findByRole('button', { name: 'New agent' }))
    const form = await dialog('New agent')
    await user.type(form.getByRole('textbox', { name: 'Name' }), 'Southern')
    await user.type(form.getByRole('textbox', { name: 'Tax ID' }), '12345678')
    await form.findByText('This tax ID has a typing error: its check digit does not match.')
    await user.click(form.getByRole('button', { name: 'Create' }))
    expect(changesIn(calls)).toEqual([])
    await user.type(form.getByRole('textbox', { name: 'Tax ID' }), '{Backspace>8}04595252')
    await user.click(form.getByRole('button', { name: 'Create' }))
    await expect.poll(() => changesIn(calls).length).toBe(1)
    expect(changesIn(calls)[0]?.body).toMatchObject({
      name: 'Southern',
      tax_id: '04595252',
      commission_rate: 0,
      payment_terms: { kind: 'month_end', days: 30 },
    })
  })

  it('offers to deactivate one that cannot be deleted', async () => {
    const calls = serve({
      ...surroundings,
      'GET /api/agent/5/': northern,
      'DELETE /api/agent/5/': new Problem({ code: 'in_use', status: 409, body: { by: { advertisers: 1 } } }),
      'PATCH /api/agent/5/': { ...northern, is_active: false, version: 2 },
    })
    drawAt(<Agents />, { path: '/customer/agent', search: { ...firstPage, agent: 5 } })
    const drawer = await dialog('Northern Media')
    await user.click(drawer.getByRole('button', { name: 'Delete this agent' }))
    const question = await dialog('Delete Northern Media?')
    await user.click(question.getByRole('button', { name: 'Delete' }))
    const refusal = await dialog('Northern Media is in use')
    await user.click(refusal.getByRole('button', { name: 'Deactivate' }))
    await expect.poll(() => changesIn(calls).at(-1)?.body).toEqual({ is_active: false, version: 1 })
  })
})

describe('the list of advertisers', () => {
  it('has industry, agent, members, accounts by channel, fee and what is overdue', async () => {
    const old = { ...aurora, id: 2, name: 'Old', is_active: false }
    serve({ ...surroundings, 'GET /api/advertiser/': listOf([aurora, old]) })
    drawAt(<Advertisers />, { path: '/customer/advertiser/', search: firstPage })
    const row = within(await screen.findByRole('row', { name: /^Aurora/ }))
    expect(row.getByRole('link', { name: 'Aurora' }).getAttribute('href')).toBe('/customer/advertiser/1')
    await expect.poll(() => row.queryByText('through Northern Media')).not.toBeNull()
    expect(row.getByText('Beauty', { exact: false }).textContent).toMatch(/^Beauty/)
    expect(row.getByText('Sam Huang').textContent).toBe('Sam Huang')
    expect(row.getAllByRole('img', { name: 'Meta ads' }).length).toBeGreaterThan(0)
    expect(row.getByText('15%').textContent).toBe('15%')
    expect(row.getByText('NT$88,988').title).toBe('1 payment overdue')
    expect(within(screen.getByRole('row', { name: /^Old/ })).getByText('Inactive').textContent).toBe(
      'Inactive',
    )
  })

  it.each([
    ['Industry', 'Beauty', { industry: 2 }],
    ['Agent', 'Northern Media', { agent: 5 }],
    ['Members', 'Mika Chen', { member: 8 }],
    ['Status', 'Inactive', { is_active: false }],
    ['Status', 'Without a fee agreement', { no_agreement: true }],
  ])('is filtered by %s', async (name, option, filter) => {
    serve(surroundings)
    const went = drawAt(<Advertisers />, { path: '/customer/advertiser/', search: { ...firstPage, page: 3 } })
    await screen.findByRole('row', { name: /^Aurora/ })
    const field = screen.getByRole('combobox', { name })
    await user.click(field)
    await user.click(await screen.findByRole('option', { name: option }))
    expect(went).toMatchObject([{ search: { ...filter, page: 1 } }])
  })

  it('offers to take on the first customer where there is none', async () => {
    serve({ ...surroundings, 'GET /api/advertiser/': listOf([]) })
    drawAt(<Advertisers />, { path: '/customer/advertiser/', search: firstPage })
    await user.click(await screen.findByRole('button', { name: 'Take on the first customer' }))
    await dialog('New advertiser')
    expect(screen.getByRole('button', { name: 'Import a list' }).textContent).toBe('Import a list')
  })

  it('takes a customer on, says who has the same tax id, and opens its page', async () => {
    const calls = serve({ ...surroundings, 'POST /api/advertiser/': { ...aurora, id: 12, name: 'Nova' } })
    const went = drawAt(
      <Advertisers />,
      { path: '/customer/advertiser/', search: firstPage },
      { identity: 'staff' },
    )
    await screen.findByRole('row', { name: /^Aurora/ })
    await user.click(button('New advertiser'))
    const form = await dialog('New advertiser')
    await user.type(form.getByRole('textbox', { name: 'Name' }), ' Nova ')
    await user.type(form.getByRole('textbox', { name: 'Tax ID' }), '１０４５８５７０')
    await form.findByText(/^Aurora has the same tax ID/)
    await user.click(form.getByRole('combobox', { name: 'Industry' }))
    await user.click(await screen.findByRole('option', { name: 'Travel' }))
    await user.click(form.getByRole('button', { name: 'Create' }))
    await expect.poll(() => went).toEqual([{ to: '/customer/advertiser/$id', params: { id: '12' } }])
    expect(changesIn(calls)[0]?.body).toMatchObject({
      name: 'Nova',
      tax_id: '10458570',
      industry: 3,
      billing_currency: 'TWD',
      members: [7],
    })
  })
})
