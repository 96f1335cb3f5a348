// @vitest-environment happy-dom
import 'temporal-polyfill/global'
import { screen, within } from '@testing-library/react'
import { userEvent } from '@testing-library/user-event'
import { describe, expect, it } from 'vitest'
import { Problem } from '#web/client/problem.ts'
import { drawMonth } from '#web/pages/ec-spend/testing/draw-month.tsx'
import { check, lockedMonth, statement, units, unknownDays } from '#web/pages/ec-spend/testing/samples.ts'
import { EcMonthPage } from './month-page.tsx'

const user = userEvent
const button = (name: string | RegExp) => screen.getByRole('button', { name })
const dialog = async (name: string) => within(await screen.findByRole('dialog', { name }))
const item = async (text: RegExp) => {
  const found = (await screen.findByText(text)).closest('li')
  if (!found) throw new Error('no item of a list')
  return within(found)
}

describe('the page of a month', () => {
  it('says that it is open, and begins with its checks', async () => {
    drawMonth(<EcMonthPage />)
    await screen.findByText('Nothing keeps this month from being locked')
    expect(screen.getByRole('heading', { level: 1 }).textContent).toBe('EC spending of Oct 2026')
    expect(screen.getByText(/^Open\. Amounts follow/).textContent).toContain('until the month is locked')
  })

  it('says who has locked it, and what was let through', async () => {
    const waivers = [{ ad_account: 31, account_name: 'Aurora Japan', reason: 'Access was revoked' }]
    drawMonth(<EcMonthPage />, {
      month: lockedMonth('2026-10', { waivers }),
      statements: [statement({ id: 1 })],
    })
    await screen.findByText(/^Locked by Fei Tsai on/)
    expect(screen.getByText('Aurora Japan: Access was revoked').textContent).not.toBe('')
    expect(screen.getByText('Aurora').textContent).not.toBe('')
  })

  it('is none for another address', async () => {
    drawMonth(<EcMonthPage />, { month: lockedMonth('october') })
    expect((await screen.findByRole('heading', { name: 'This page does not exist' })).isConnected).toBe(true)
  })

  it('says what went wrong', async () => {
    const refused = new Problem({ code: 'internal_error', status: 500 })
    drawMonth(<EcMonthPage />, { answers: { 'GET /api/ad/ecspend/statement/': refused } })
    expect((await screen.findByRole('button', { name: /again/i })).isConnected).toBe(true)
  })
})

describe('its checks', () => {
  it('stand apart as blockers and warnings, each with what to do', async () => {
    drawMonth(<EcMonthPage />, {
      checks: [
        check('month_not_over', { until: '2026-11-01T08:00:00.000Z' }),
        check('rate_missing', { currency: 'USD', billing_currency: 'TWD' }),
        check('rate_provisional', { currency: 'JPY', billing_currency: 'TWD' }),
        check('no_agreement', { advertiser: 1, advertiser_name: 'Aurora', channel: 'fb' }),
      ],
    })
    await screen.findByRole('heading', { name: 'Before the month can be locked' })
    expect(screen.getAllByText('Blocks the lock')).toHaveLength(3)
    expect(
      (await item(/from USD to TWD is missing/)).getByText('Enter the final rate of the month.').tagName,
    ).toBe('SMALL')
    for (const text of [/from USD to TWD is missing/, /from JPY to TWD .* is provisional/]) {
      const link = (await item(text)).getByRole('link', { name: 'Open exchange rates' })
      expect(link.getAttribute('href')).toMatch(/^\/insight-setting\?.*tab=rates/)
    }
    const agreement = await item(/Aurora has no fee agreement for Meta ads/)
    expect(agreement.getByRole('link').getAttribute('href')).toBe('/customer/advertiser/1?tab=fees')
    expect(screen.getByRole('heading', { name: 'Worth a look' }).tagName).toBe('H2')
  })

  it('lead to the earlier month, to the reconciliation and to the accounts', async () => {
    const account = { ad_account: 33, account_name: 'Free', channel: 'aw' as const, currency: 'TWD' }
    drawMonth(<EcMonthPage />, {
      checks: [
        check('earlier_month_open', { month: '2026-08' }),
        check('spend_of_nobody', { ...account, can_waive: true }),
        check('invoice_differs', account),
      ],
    })
    const href = async (text: RegExp) => (await item(text)).getByRole('link').getAttribute('href')
    expect(await href(/Aug 2026 is still open/)).toBe('/ec-spend/2026-08')
    expect(await href(/belongs to no advertiser/)).toMatch(/^\/customer\/advertiser\?/)
    expect(await href(/more than 0.5% off/)).toBe('/ec-spend/2026-10?tab=reconciliation')
  })

  it('are waived with a reason, which can be taken back', async () => {
    drawMonth(<EcMonthPage />, { checks: [unknownDays] })
    const days = await item(/Aurora Japan \(Meta ads\)/)
    await user.click(days.getByRole('button', { name: 'Waive…' }))
    const reason = days.getByRole('textbox', { name: 'Reason to waive Aurora Japan' })
    expect(days.getByText('Blocks the lock').textContent).not.toBe('')
    await user.type(reason, 'Access was revoked')
    expect(days.getByText('Waived').textContent).not.toBe('')
    await user.clear(reason)
    expect(days.getByText('Blocks the lock').textContent).not.toBe('')
  })

  it('are not needed any more once the month is locked', async () => {
    drawMonth(<EcMonthPage />, { month: lockedMonth('2026-10'), tab: 'checks' })
    expect((await screen.findByText('This month is locked')).isConnected).toBe(true)
  })

  it('say what went wrong', async () => {
    const answers = [
      new Problem({ code: 'internal_error', status: 500 }),
      { month: lockedMonth('2026-10'), results: [] },
    ]
    drawMonth(<EcMonthPage />, {
      tab: 'checks',
      answers: { 'GET /api/ad/ecspend/checks/': () => answers.shift() },
    })
    await user.click(await screen.findByRole('button', { name: /again/i }))
    expect((await screen.findByText(/Nothing keeps/)).isConnected).toBe(true)
  })
})

describe('locking', () => {
  const LOCK = 'POST /api/ad/ecspend/lock/'
  const done = { month: lockedMonth('2026-10'), statements: 2 }
  const two = [statement(), statement({ advertiser: 2, currency: 'USD', total: units(99.5) })]
  const open = async () => {
    await user.click(await screen.findByRole('button', { name: 'Lock month' }))
    return await dialog('Lock Oct 2026')
  }

  it('says what will be frozen, and does it', async () => {
    const { changes } = drawMonth(<EcMonthPage />, { statements: two, answers: { [LOCK]: done } })
    const form = await open()
    await form.findByText('Nothing blocks the lock.')
    expect(form.getByText(/2 statements will be frozen/).textContent).not.toBe('')
    expect(form.getByText('NT$415,595').textContent).not.toBe('')
    expect(form.getByText('$99.50').textContent).not.toBe('')
    await user.click(form.getByRole('button', { name: 'Lock' }))
    await expect.poll(() => screen.queryByRole('dialog')).toBeNull()
    expect(changes().map(({ body }) => body)).toEqual([{ month: '2026-10', waive: [], first: false }])
  })

  it('waits for what blocks it', async () => {
    drawMonth(<EcMonthPage />, {
      checks: [check('rate_missing', { currency: 'USD', billing_currency: 'TWD' })],
    })
    const form = await open()
    await form.findByText('1 check blocks the lock')
    expect(form.getByRole<HTMLButtonElement>('button', { name: 'Lock' }).disabled).toBe(true)
  })

  it('sends the waivers with their reasons, wherever these were written', async () => {
    const other = { ...unknownDays, ad_account: 32, account_name: 'Aurora Korea' }
    const { changes } = drawMonth(<EcMonthPage />, {
      checks: [unknownDays, other],
      answers: { [LOCK]: done },
    })
    const days = await item(/Aurora Japan \(Meta ads\)/)
    await user.click(days.getByRole('button', { name: 'Waive…' }))
    await user.type(days.getByRole('textbox'), 'Access was revoked')
    const form = await open()
    const lock = form.getByRole<HTMLButtonElement>('button', { name: 'Lock' })
    expect(lock.disabled).toBe(true)
    await user.type(await form.findByRole('textbox', { name: 'Reason to waive Aurora Korea' }), 'Closed ')
    await user.click(lock)
    await expect.poll(() => screen.queryByRole('dialog')).toBeNull()
    expect(changes().map(({ body }) => body)).toEqual([
      {
        month: '2026-10',
        waive: [
          { ad_account: 31, reason: 'Access was revoked' },
          { ad_account: 32, reason: 'Closed' },
        ],
        first: false,
      },
    ])
  })

  it('may begin with any month while nothing is locked', async () => {
    const earlier = ['2026-08', '2026-09'].map(month =>
      check('earlier_month_open', { month, can_waive: true }),
    )
    const { changes } = drawMonth(<EcMonthPage />, { checks: earlier, answers: { [LOCK]: done } })
    await screen.findByText(/earlier months since Aug 2026 have spend/)
    const form = await open()
    const lock = form.getByRole<HTMLButtonElement>('button', { name: 'Lock' })
    await user.click(await form.findByRole('checkbox', { name: /Billing begins with Oct 2026/ }))
    await user.click(lock)
    await expect.poll(() => screen.queryByRole('dialog')).toBeNull()
    expect(changes().map(({ body }) => body)).toEqual([{ month: '2026-10', waive: [], first: true }])
  })

  it('reads the checks again when something has come up meanwhile', async () => {
    const blocked = new Problem({ code: 'lock_blocked', status: 409 })
    const { calls } = drawMonth(<EcMonthPage />, { answers: { [LOCK]: blocked } })
    const form = await open()
    await form.findByText('Nothing blocks the lock.')
    const reads = () => calls.filter(({ path }) => path.endsWith('/checks/')).length
    const before = reads()
    await user.click(form.getByRole('button', { name: 'Lock' }))
    await form.findByText(/Something has come up/)
    await expect.poll(reads).toBeGreaterThan(before)
  })

  it('is for finance and superusers; others read who may', async () => {
    drawMonth(<EcMonthPage />, { identity: 'director', department: 1 })
    await screen.findByText('Only finance and superusers can lock a month.')
    expect(screen.queryByRole('button', { name: 'Lock month' })).toBeNull()
  })

  it('is offered to a superuser of any department', async () => {
    drawMonth(<EcMonthPage />, { identity: 'superuser', department: null })
    expect((await screen.findByRole('button', { name: 'Lock month' })).isConnected).toBe(true)
  })
})

describe('unlocking', () => {
  const UNLOCK = 'POST /api/ad/ecspend/unlock/'
  const month = lockedMonth('2026-10')

  it('needs a reason', async () => {
    const { changes } = drawMonth(<EcMonthPage />, {
      month,
      identity: 'director',
      answers: { [UNLOCK]: { month, statements: 1 } },
    })
    await user.click(await screen.findByRole('button', { name: 'Unlock' }))
    const form = await dialog('Unlock Oct 2026')
    const send = form.getByRole<HTMLButtonElement>('button', { name: 'Unlock' })
    expect(send.disabled).toBe(true)
    await user.type(form.getByRole('textbox', { name: /Reason/ }), 'Wrong rate ')
    await user.click(send)
    await expect.poll(() => screen.queryByRole('dialog')).toBeNull()
    expect(changes().map(({ body }) => body)).toEqual([{ month: '2026-10', reason: 'Wrong rate' }])
  })

  it.each(['in_use', 'lock_blocked', 'state_not_allowed'] as const)('says why not (%s)', async code => {
    drawMonth(<EcMonthPage />, {
      month,
      identity: 'superuser',
      answers: { [UNLOCK]: new Problem({ code, status: 409 }) },
    })
    await user.click(await screen.findByRole('button', { name: 'Unlock' }))
    const form = await dialog('Unlock Oct 2026')
    await user.type(form.getByRole('textbox', { name: /Reason/ }), 'Wrong rate')
    await user.click(form.getByRole('button', { name: 'Unlock' }))
    expect((await form.findByRole('alert')).textContent).toContain('none of its payments stands')
  })

  it('is for directors; finance reads who may', async () => {
    drawMonth(<EcMonthPage />, { month })
    await screen.findByText('Only directors and superusers can unlock a month.')
    expect(screen.queryByRole('button', { name: 'Unlock' })).toBeNull()
    expect(button('Bill month').textContent).toBe('Bill month')
  })
})
