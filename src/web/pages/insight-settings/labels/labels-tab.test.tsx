// @vitest-environment happy-dom
import { screen, within } from '@testing-library/react'
import { userEvent } from '@testing-library/user-event'
import { describe, expect, it } from 'vitest'
import { Problem } from '#web/client/problem.ts'
import { drawSettings } from '#web/pages/insight-settings/testing/draw-settings.tsx'
import { label, ofAurora } from '#web/pages/insight-settings/testing/samples.ts'
import { listOf, type Call } from '#web/testing/fake-server.ts'

const user = userEvent
const LABELS = '/api/insight-setting/labels/'

interface Drawn extends Omit<NonNullable<Parameters<typeof drawSettings>[0]>, 'search'> {
  search?: object
  own?: ReturnType<typeof label>[]
  agency?: ReturnType<typeof label>[]
}
const drawn = ({ search, own = [], agency = [], answers, ...person }: Drawn = {}) =>
  drawSettings({
    search: { tab: 'labels', channel: 'fb', ...search },
    answers: {
      [`GET ${LABELS}`]: ({ query }: Call) => listOf(query?.['advertiser'] === 'agency' ? agency : own),
      ...answers,
    },
    ...person,
  })
/** The line of the metric cost. */
async function line() {
  const [code] = await screen.findAllByText('cost', { selector: 'code' })
  return within(code?.closest('li') ?? document.body)
}

describe('the metric labels', () => {
  it('are beside the original names in both languages', async () => {
    drawn({ agency: [label({ channel: 'fb' })] })
    const cost = await line()
    expect(cost.getByText('Cost').textContent).toBe('Cost')
    expect(cost.getByText(/花費/).textContent).toBe('花費 · cost')
    expect(cost.getByText('Spend').textContent).toBe('Spend')
    expect(cost.getByText('廣告支出').textContent).toBe('廣告支出')
    expect(screen.getAllByText('Its own name').length).toBeGreaterThan(5)
  })

  it('are written where they are, beginning with the name', async () => {
    const { changes } = drawn({ answers: { [`POST ${LABELS}`]: label() } })
    const cost = await line()
    await user.click(cost.getByRole('button', { name: 'Rename Cost' }))
    const field = cost.getByRole<HTMLInputElement>('textbox', { name: 'Label in English' })
    expect(document.activeElement).toBe(field)
    expect(field.value).toBe('Cost')
    await user.clear(field)
    await user.type(field, 'Spend{Enter}')
    const body = { advertiser: null, channel: 'fb', metric: 'cost', label: 'Spend', label_zh: '花費' }
    await expect.poll(changes).toEqual([['POST', LABELS, body]])
    await expect.poll(() => cost.queryByRole('textbox', { name: 'Label in English' })).toBeNull()
  })

  it('of an advertiser inherit those of the agency until they have words of their own', async () => {
    const { changes } = drawn({
      search: { advertiser: 1 },
      agency: [label()],
      answers: { [`POST ${LABELS}`]: label(ofAurora) },
    })
    const cost = await line()
    expect(cost.getByText(/inherited/).textContent).toBe('廣告支出 · inherited')
    expect(cost.queryByRole('button', { name: 'Reset Cost' })).toBeNull()
    await user.click(cost.getByRole('button', { name: 'Rename Cost' }))
    await user.type(cost.getByRole('textbox', { name: 'Label in Chinese' }), '！{Enter}')
    const body = { advertiser: 1, channel: 'fb', metric: 'cost', label: 'Spend', label_zh: '廣告支出！' }
    await expect.poll(changes).toEqual([['POST', LABELS, body]])
  })

  it('are changed and reset', async () => {
    const own = label({ channel: 'fb' })
    const { changes } = drawn({
      agency: [own],
      answers: { [`PATCH ${LABELS}8/`]: own, [`DELETE ${LABELS}8/`]: null },
    })
    const cost = await line()
    await user.click(cost.getByRole('button', { name: 'Rename Cost' }))
    await user.type(cost.getByRole('textbox', { name: 'Label in English' }), '!')
    await user.click(cost.getByRole('button', { name: 'Save' }))
    const body = { label: 'Spend!', label_zh: '廣告支出', version: 1 }
    await expect.poll(changes).toEqual([['PATCH', `${LABELS}8/`, body]])
    await user.click(await cost.findByRole('button', { name: 'Reset Cost' }))
    await expect.poll(() => changes().at(-1)).toEqual(['DELETE', `${LABELS}8/`, { version: 1 }])
  })

  it('are not sent without words, and stay after Escape', async () => {
    const { changes } = drawn()
    const cost = await line()
    await user.click(cost.getByRole('button', { name: 'Rename Cost' }))
    const field = cost.getByRole('textbox', { name: 'Label in English' })
    await user.clear(field)
    await user.keyboard('{Enter}')
    expect(cost.getByText('Please fill this in.').textContent).not.toBe('')
    await user.keyboard('{Escape}')
    expect(cost.queryByRole('textbox', { name: 'Label in English' })).toBeNull()
    expect(changes()).toEqual([])
  })

  it.each([
    [{ label: ['name_taken' as const] }, /already taken/],
    [{ metric: ['field_unknown' as const] }, /./],
  ])('say what the server refuses: %j', async (fields, text) => {
    drawn({ answers: { [`POST ${LABELS}`]: new Problem({ code: 'invalid', status: 400, fields }) } })
    const cost = await line()
    await user.click(cost.getByRole('button', { name: 'Rename Cost' }))
    await user.click(cost.getByRole('button', { name: 'Save' }))
    const said = 'label' in fields ? cost.findByText(text) : cost.findByRole('alert')
    expect((await said).textContent).toMatch(text)
  })

  it('say when one cannot be reset', async () => {
    const answers = { [`DELETE ${LABELS}8/`]: new Problem({ code: 'conflict', status: 409 }) }
    drawn({ agency: [label({ channel: 'fb' })], answers })
    const cost = await line()
    await user.click(cost.getByRole('button', { name: 'Reset Cost' }))
    expect((await cost.findByRole('alert')).textContent).not.toBe('')
  })

  it.each([
    ['staff', {}, false],
    ['staff', { advertiser: 1 }, true],
    ['manager', {}, true],
  ] as const)('are changed by %s with %j: %s', async (identity, search, may) => {
    drawn({ identity, search, agency: [label({ channel: 'fb', may_change: identity === 'manager' })] })
    const cost = await line()
    expect(cost.queryByRole('button', { name: 'Rename Cost' }) !== null).toBe(may)
    expect(screen.queryByText('Labels of the whole agency are changed by managers.') === null).toBe(may)
  })

  it('are those that are renamed alone, if one says so', async () => {
    drawn({ agency: [label({ channel: 'fb' })] })
    await line()
    await user.click(screen.getByRole('switch', { name: 'Only renamed ones' }))
    expect(screen.getByText('1 metric').textContent).toBe('1 metric')
  })

  it('say so where nothing is renamed or found', async () => {
    drawn({ search: { search: 'nothing like it' } })
    expect((await screen.findByText('No metric found')).textContent).not.toBe('')
    drawn()
    await line()
    const [, second] = screen.getAllByRole('switch', { name: 'Only renamed ones' })
    if (second) await user.click(second)
    expect(screen.getByText('Nothing is renamed here').textContent).not.toBe('')
  })

  it('are those of the channel and the advertiser in the address', async () => {
    const { went, calls } = drawn({ search: { advertiser: 1, channel: undefined } })
    const cost = await line()
    expect(cost.getAllByRole('img').length).toBeGreaterThan(3)
    expect(calls.filter(({ path }) => path === LABELS).map(({ query }) => query?.['advertiser'])).toEqual([
      1,
      'agency',
    ])
    await user.click(screen.getByRole('combobox', { name: 'Channel' }))
    await user.click(await screen.findByRole('option', { name: 'Meta ads' }))
    await user.click(screen.getByRole('combobox', { name: 'Whose labels' }))
    await user.click(await screen.findByRole('option', { name: 'The whole agency' }))
    expect(went).toMatchObject([{ search: { channel: 'fb', tab: 'labels' } }, { search: { tab: 'labels' } }])
  })

  it('can be asked for again after a failure', async () => {
    const answers: unknown[] = [new Problem({ code: 'forbidden', status: 403 }), listOf([]), listOf([])]
    drawn({ answers: { [`GET ${LABELS}`]: () => answers.shift() } })
    await user.click(await screen.findByRole('button', { name: 'Try again' }))
    expect((await line()).getByText('Cost').textContent).toBe('Cost')
  })
})
