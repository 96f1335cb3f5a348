// @vitest-environment happy-dom
import { fireEvent, screen, within } from '@testing-library/react'
import { userEvent } from '@testing-library/user-event'
import { describe, expect, it } from 'vitest'
import type { TargetAudience } from '#shared/api/target-audiences.ts'
import { Problem } from '#web/client/problem.ts'
import { audienceOf } from '#web/pages/audiences/testing/samples.ts'
import { drawAt } from '#web/testing/draw-for.tsx'
import { changesIn, listOf, serve } from '#web/testing/fake-server.ts'
import { TargetAudiences } from './target-audiences.tsx'
import { targetAudienceOf } from './testing/samples.ts'

const user = userEvent
const parents = targetAudienceOf()
const teens = targetAudienceOf({
  id: 4,
  name: 'Teenagers',
  age_min: 13,
  age_max: 17,
  genders: [],
  locations: [],
  audience_lists: { include: [], exclude: [] },
})
const aurora = { id: 1, name: 'Aurora', is_active: true }
const lists = [audienceOf(), audienceOf({ id: 6, name: 'Buyers', kind: 'website' })]

function drawn(search: object = {}, answers: Readonly<Record<string, unknown>> = {}) {
  const calls = serve({
    'GET /api/targetaudience/': listOf([parents, teens]),
    'GET /api/targetaudience/3/': parents,
    'GET /api/advertiser/': listOf([aurora]),
    'GET /api/advertiser/1/': aurora,
    'GET /api/lta/': listOf(lists),
    ...answers,
  })
  const went = drawAt(<TargetAudiences />, {
    path: '/advertisement/target-audience',
    search: { search: '', page: 1, ...search },
  })
  return { went, calls, changes: () => changesIn(calls).map(({ body }) => body) }
}
const dialog = async (name: string) => within(await screen.findByRole('dialog', { name }))
type Drawer = Awaited<ReturnType<typeof dialog>>

const open = async (name: string, drawer: Drawer) => {
  await user.click(drawer.getByRole('button', { name }))
  return within(await screen.findByRole('listbox', { name }))
}
const panel = (drawer: Drawer) =>
  within(drawer.getByRole('complementary', { name: 'As platforms see it' }))
    .getAllByRole('listitem')
    .map(({ textContent }) => textContent)

describe('the list of target audiences', () => {
  it('shows ages, places and lists, and where not all of the ages are possible', async () => {
    drawn()
    const row = within(await screen.findByRole('row', { name: /^Young parents/ }))
    expect(row.getByText('20–39').textContent).toBe('20–39')
    expect(row.getByTitle(/^Taipei City/).textContent).toBe('Xinyi, Daan, Japan')
    expect(row.getByText('With Aurora VIP 2026').textContent).toBe('With Aurora VIP 2026')
    const other = within(screen.getByRole('row', { name: /^Teenagers/ }))
    expect(other.getByText('Not on Google Ads').textContent).toBe('Not on Google Ads')
    expect(other.getByText('Anywhere').textContent).toBe('Anywhere')
  })

  it('is filtered by advertiser, and opens one without leaving its page', async () => {
    const { went, calls } = drawn({ advertiser: 1, page: 2 })
    await user.click(await screen.findByRole('button', { name: 'Young parents' }))
    expect(went).toMatchObject([{ search: { advertiser: 1, page: 2, target_audience: 3 } }])
    expect(calls.find(({ path }) => path === '/api/targetaudience/')?.query).toMatchObject({
      advertiser: 1,
      offset: 10,
    })
  })

  it('says how to begin where there is none', async () => {
    drawn({}, { 'GET /api/targetaudience/': listOf([]) })
    await screen.findByText('No target audiences yet')
    expect(screen.getAllByRole('button', { name: 'New target audience' })).toHaveLength(2)
  })
})

describe('a new target audience', () => {
  const begun = async (drawing = drawn({ advertiser: 1 }, { 'POST /api/targetaudience/': parents })) => {
    await user.click(await screen.findByRole('button', { name: 'New target audience' }))
    const form = await dialog('New target audience')
    await user.type(form.getByRole('textbox', { name: 'Name' }), 'Runners')
    return { form, ...drawing }
  }

  it('has what was chosen and typed', async () => {
    const { form, changes } = await begun()
    await user.click(form.getByRole('checkbox', { name: 'Male' }))
    await user.click(form.getByRole('checkbox', { name: 'Female' }))
    const places = await open('Places', form)
    await user.click(places.getByRole('option', { name: /^Taiwan/ }))
    await user.keyboard('{Escape}')
    await user.click(form.getByRole('button', { name: 'Narrow to cities or districts' }))
    await user.type(form.getByRole('combobox', { name: 'Cities or districts in Taiwan' }), 'Hsinchu{Enter}')
    const interests = form.getByRole('combobox', { name: 'Interests' })
    fireEvent.paste(interests, { clipboardData: { getData: () => 'running, 跑步、Running' } })
    const include = await open('Audience lists to include', form)
    await user.click(include.getByRole('option', { name: /^Buyers/ }))
    await user.keyboard('{Escape}')
    await user.click(form.getByRole('button', { name: 'Create' }))
    await expect.poll(changes).toEqual([
      {
        advertiser: 1,
        name: 'Runners',
        age_min: 18,
        age_max: 65,
        genders: ['female', 'male'],
        locations: [{ country: 'TW', city: 'Hsinchu' }],
        languages: [],
        interests: ['running', '跑步'],
        devices: [],
        audience_lists: { include: [6], exclude: [] },
        note: '',
      },
    ])
  })

  it('asks before what was chosen is lost', async () => {
    const { form } = await begun()
    await user.clear(form.getByRole('textbox', { name: 'Name' }))
    await user.click(form.getByRole('checkbox', { name: 'Male' }))
    await user.keyboard('{Escape}')
    await user.click((await dialog('Discard your changes?')).getByRole('button', { name: 'Discard' }))
    await expect.poll(() => screen.queryByRole('dialog')).toBeNull()
  })

  it('shows at once what platforms make of its ages', async () => {
    const { form } = await begun()
    const choose = async (name: string, age: string) => {
      await user.click(form.getByRole('combobox', { name }))
      await user.click(await screen.findByRole('option', { name: age }))
    }
    await choose('Youngest age', '20')
    await choose('Oldest age', '39')
    expect(panel(form).slice(0, 3)).toEqual([
      'Meta20–39Exactly these ages.',
      'Google Ads18–4418–24, 25–34, 35–44Wider than 20–39: it has fixed age bands.',
      'TikTok18–4418–24, 25–34, 35–44Wider than 20–39: it has fixed age bands.',
    ])
    await choose('Youngest age', '40')
    expect(form.getByText('The lower age must not be above the upper one.')).toBeDefined()
    await user.click(form.getByRole('button', { name: 'Create' }))
    expect(screen.getByRole('dialog', { name: 'New target audience' })).toBeDefined()
  })

  it('offers no list on both sides', async () => {
    const { form } = await begun()
    const include = await open('Audience lists to include', form)
    await user.click(include.getByRole('option', { name: /^Buyers/ }))
    await user.keyboard('{Escape}')
    const exclude = await open('Audience lists to exclude', form)
    expect(exclude.getByRole('option', { name: /^Buyers/ }).getAttribute('aria-disabled')).toBe('true')
  })

  it('needs an advertiser before its lists', async () => {
    const { form, changes } = await begun(drawn())
    const include = form.getByRole<HTMLButtonElement>('button', { name: 'Audience lists to include' })
    expect([include.disabled, include.textContent]).toEqual([true, 'Choose an advertiser first'])
    await user.click(form.getByRole('button', { name: 'Create' }))
    expect(form.getAllByText('Please fill this in.')).toHaveLength(1)
    expect(changes()).toEqual([])
  })

  it('says that its lists could not be read, not that there are none', async () => {
    const refused = new Problem({ code: 'internal_error', status: 500 })
    const answers = [refused, listOf(lists)]
    const { form } = await begun(drawn({ advertiser: 1 }, { 'GET /api/lta/': () => answers.shift() }))
    await form.findAllByText(/^The options could not be loaded/)
    await user.click(form.getAllByRole('button', { name: 'Try again' })[0] ?? document.body)
    const include = await open('Audience lists to include', form)
    expect(include.getByRole('option', { name: /^Buyers/ })).toBeDefined()
  })

  it('is copied as a brief before it is saved', async () => {
    const { form } = await begun()
    await user.click(form.getByRole('button', { name: 'Copy brief' }))
    await form.findByRole('button', { name: 'Copied' })
    expect(await navigator.clipboard.readText()).toMatch(/^Runners\nAdvertiser: Aurora\nAges: 18–65\+\n/)
  })
})

describe('the open target audience', () => {
  it('sends what was changed alone', async () => {
    const { changes, went } = drawn({ target_audience: 3 }, { 'PATCH /api/targetaudience/3/': parents })
    const drawer = await dialog('Young parents')
    await user.click(drawer.getByRole('checkbox', { name: 'Mobile' }))
    await user.click(drawer.getByRole('button', { name: 'Save' }))
    await expect.poll(changes).toEqual([{ devices: ['mobile'], version: 1 }])
    await expect.poll(() => went).toHaveLength(1)
  })

  it('stays open for what is written while it is being saved', async () => {
    const response = Promise.withResolvers<TargetAudience>()
    const { changes, went } = drawn(
      { target_audience: 3 },
      { 'PATCH /api/targetaudience/3/': () => response.promise },
    )
    const drawer = await dialog('Young parents')
    await user.click(drawer.getByRole('checkbox', { name: 'Mobile' }))
    await user.click(drawer.getByRole('button', { name: 'Save' }))
    await user.type(drawer.getByRole('textbox', { name: 'Note' }), 'Autumn')
    response.resolve({ ...parents, version: 2, devices: ['mobile'] })
    const save = drawer.getByRole<HTMLButtonElement>('button', { name: 'Save' })
    await expect.poll(() => save.disabled).toBe(false)
    expect(went).toEqual([])
    await user.click(save)
    await expect.poll(changes).toEqual([
      { devices: ['mobile'], version: 1 },
      { note: 'Autumn', version: 2 },
    ])
  })

  it('is the start of another, whose lists are those of its advertiser', async () => {
    const { changes } = drawn({ target_audience: 3 }, { 'POST /api/targetaudience/': parents })
    const drawer = await dialog('Young parents')
    await user.click(drawer.getByRole('button', { name: 'Duplicate' }))
    const form = await dialog('New target audience')
    const name = form.getByRole<HTMLInputElement>('textbox', { name: 'Name' })
    expect(name.value).toBe('Young parents (copy)')
    expect(form.getByRole<HTMLInputElement>('combobox', { name: 'Advertiser' }).disabled).toBe(false)
    await user.click(form.getByRole('button', { name: 'Create' }))
    await expect
      .poll(changes)
      .toMatchObject([{ advertiser: 1, name: 'Young parents (copy)', audience_lists: { include: [5] } }])
  })

  it('is deleted only by who may', async () => {
    const { changes, went } = drawn({ target_audience: 3 }, { 'DELETE /api/targetaudience/3/': null })
    const drawer = await dialog('Young parents')
    await user.click(drawer.getByRole('button', { name: 'Delete' }))
    const question = await dialog('Delete Young parents?')
    await user.click(question.getByRole('button', { name: 'Delete' }))
    await expect.poll(() => went).toHaveLength(1)
    expect(changes()).toEqual([{ version: 1 }])
  })

  it('offers no deletion to others', async () => {
    const own = { ...parents, may_delete: false }
    drawn({ target_audience: 3 }, { 'GET /api/targetaudience/3/': own })
    const drawer = await dialog('Young parents')
    expect(drawer.queryByRole('button', { name: 'Delete' })).toBeNull()
    expect(drawer.getByRole('button', { name: 'Duplicate' })).toBeDefined()
  })

  it('keeps both changes when somebody else has saved meanwhile', async () => {
    const newer = { ...parents, version: 2, age_max: 44 }
    const answers = [
      new Problem({ code: 'conflict', status: 409, body: { target_audience: newer } }),
      { ...newer, version: 3 },
    ]
    const { changes } = drawn(
      { target_audience: 3 },
      { 'PATCH /api/targetaudience/3/': () => answers.shift() },
    )
    const drawer = await dialog('Young parents')
    await user.type(drawer.getByRole('textbox', { name: 'Note' }), 'Autumn')
    await user.click(drawer.getByRole('button', { name: 'Save' }))
    await drawer.findByText('They changed: Oldest age.')
    await user.click(drawer.getByRole('button', { name: 'Keep my changes too' }))
    await user.click(drawer.getByRole('button', { name: 'Save' }))
    await expect.poll(changes).toEqual([
      { note: 'Autumn', version: 1 },
      { note: 'Autumn', version: 2 },
    ])
  })
})
