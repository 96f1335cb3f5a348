// @vitest-environment happy-dom
import { QueryClientProvider } from '@tanstack/react-query'
import { screen } from '@testing-library/react'
import { userEvent } from '@testing-library/user-event'
import { useState } from 'react'
import { afterEach, describe, expect, it, vi } from 'vitest'
import { client } from '#web/client/client.ts'
import { Problem } from '#web/client/problem.ts'
import { createQueryClient } from '#web/client/query-client.ts'
import { draw } from '#web/testing/render.tsx'
import { CurrencyField } from '#web/ui/currency-field.tsx'
import { AdvertiserPicker, AgentPicker, OwnerPicker } from './pickers.tsx'

afterEach(() => vi.restoreAllMocks())

const advertisers = ['Aurora', 'Fjord Travel', 'Harbour'].map((name, index) => ({ id: index + 1, name }))
const agents = [
  { id: 1, name: 'Bright Agency', is_active: true },
  { id: 2, name: 'Old Agency', is_active: false },
]
const people = [
  { user_id: 4, full_name: 'Sam', username: 'sam', identity: 'staff' },
  { user_id: 5, full_name: '', username: 'robin', identity: 'manager' },
  { user_id: 6, full_name: 'Client', username: 'client', identity: 'external_user' },
]
const pageOf = (results: readonly object[]) => ({
  count: results.length,
  next: null,
  previous: null,
  results,
})

/** A picker with a value of its own; returns what was chosen last and the requests. */
function drawn<Value extends number | string>(
  Picker: (props: {
    label: string
    value: Value | null
    onChange: (value: Value | null) => void
  }) => React.ReactNode,
  initial: Value | null = null,
) {
  const get = vi.spyOn(client, 'get').mockImplementation(async (path, { query = {} } = {}) => {
    if (path === '/api/agent/') return pageOf(agents) as never
    if (path === '/api/user/') return pageOf(people) as never
    const one = advertisers.find(({ id }) => path === `/api/advertiser/${id}/`)
    if (one) return one as never
    const search = String(query.search ?? '').toLowerCase()
    return pageOf(advertisers.filter(({ name }) => name.toLowerCase().includes(search))) as never
  })
  const onChange = vi.fn<(value: Value | null) => void>()
  function Form() {
    const [value, setValue] = useState<Value | null>(initial)
    return (
      <Picker
        label="Choice"
        value={value}
        onChange={next => {
          setValue(next)
          onChange(next)
        }}
      />
    )
  }
  draw(
    <QueryClientProvider client={createQueryClient()}>
      <Form />
    </QueryClientProvider>,
  )
  return { get, onChange }
}

const field = () => screen.getByRole<HTMLInputElement>('combobox', { name: 'Choice' })
const choose = async (name: string) => {
  await userEvent.click(field())
  await userEvent.click(await screen.findByRole('option', { name }))
}

describe('an advertiser', () => {
  it('is searched for by the server, since there may be thousands', async () => {
    const { get, onChange } = drawn<number>(props => <AdvertiserPicker {...props} active />)
    await userEvent.type(field(), 'fjord')
    const queries = () =>
      get.mock.calls.flatMap(([path, request]) => (path === '/api/advertiser/' ? [request?.query] : []))
    await expect
      .poll(queries)
      .toContainEqual({ search: 'fjord', ordering: 'name', limit: 20, is_active: true })
    await userEvent.click(await screen.findByRole('option', { name: 'Fjord Travel' }))
    expect(onChange).toHaveBeenLastCalledWith(2)
    expect(field().value).toBe('Fjord Travel')
  })

  it('says at the field that there are none to choose from because they could not be read', async () => {
    const { get } = drawn<number>(AdvertiserPicker)
    get.mockRejectedValueOnce(new Problem({ code: 'internal_error', status: 500 }))
    await userEvent.type(field(), 'fjord')
    expect(await screen.findAllByText(/^The options could not be loaded/)).toHaveLength(2)
    await userEvent.click(screen.getByRole('button', { name: 'Try again' }))
    await expect.poll(() => screen.queryAllByText(/^The options could not be loaded/)).toEqual([])
  })

  it('is named though it is not among those that were found', async () => {
    drawn<number>(AdvertiserPicker, 3)
    await expect.poll(() => field().value).toBe('Harbour')
  })

  it('may be any where a list is filtered', async () => {
    const { onChange } = drawn<number>(props => <AdvertiserPicker {...props} none="Any" />, 3)
    await expect.poll(() => field().value).toBe('Harbour')
    await choose('Any')
    expect(onChange).toHaveBeenLastCalledWith(null)
    expect(field().value).toBe('Any')
  })

  it('may be one that is inactive in a filter, which does not ask for active ones alone', async () => {
    const { get } = drawn<number>(props => <AdvertiserPicker {...props} none="Any" />)
    await userEvent.click(field())
    await screen.findByRole('option', { name: 'Aurora' })
    const [request] = get.mock.calls.flatMap(([path, each]) => (path === '/api/advertiser/' ? [each] : []))
    expect(request?.query).not.toHaveProperty('is_active')
  })
})

describe('an agent', () => {
  it('is one that is not closed', async () => {
    const { onChange } = drawn<number>(props => <AgentPicker {...props} active none="None" />)
    await choose('Bright Agency')
    expect(onChange).toHaveBeenLastCalledWith(1)
    await userEvent.click(field())
    expect(screen.queryByRole('option', { name: 'Old Agency' })).toBeNull()
  })

  it('stays the one that it was, though that has been closed since', async () => {
    drawn<number>(props => <AgentPicker {...props} active none="None" />, 2)
    await expect.poll(() => field().value).toBe('Old Agency')
  })

  it('may be a closed one where a list is filtered', async () => {
    const { onChange } = drawn<number>(props => <AgentPicker {...props} none="Any" />)
    await choose('Old Agency')
    expect(onChange).toHaveBeenLastCalledWith(2)
  })
})

describe('an owner', () => {
  it('is one of the agency’s own people, by the name that there is', async () => {
    const { onChange } = drawn<number>(OwnerPicker)
    await choose('robin')
    expect(onChange).toHaveBeenLastCalledWith(5)
    await userEvent.click(field())
    expect(screen.queryByRole('option', { name: 'Client' })).toBeNull()
  })
})

describe('a currency', () => {
  it('is found by its code and by its name', async () => {
    const { onChange } = drawn<string>(CurrencyField)
    await userEvent.type(field(), 'yen')
    await userEvent.click(await screen.findByRole('option', { name: 'JPY Japanese Yen' }))
    expect(onChange).toHaveBeenLastCalledWith('JPY')
  })

  it('may be a rare one that is there already', () => {
    drawn<string>(CurrencyField, 'NOK')
    expect(field().value).toBe('NOK Norwegian Krone')
  })
})
