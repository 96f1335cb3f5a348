// @vitest-environment happy-dom
import { screen } from '@testing-library/react'
import { userEvent } from '@testing-library/user-event'
import { describe, expect, it } from 'vitest'
import type { Erasure } from '#shared/api/audiences.ts'
import { EraseDialog } from './erase-dialog.tsx'
import { drawHashing } from './testing/draw-audiences.tsx'

const user = userEvent
const erasure: Erasure = {
  id: 4,
  advertiser: 1,
  rows: 1,
  removed: 2,
  created_by: 7,
  created_by_name: 'Mika Chen',
  created_at: '2026-11-20T01:00:00.000Z',
  finished_at: '2026-11-20T01:01:00.000Z',
  accounts: [
    { ad_account: 1, ad_account_name: 'Aurora Meta', channel: 'fb', outcome: 'done', code: null },
    { ad_account: 4, ad_account_name: 'Aurora LINE', channel: 'ln', outcome: 'upload_again', code: null },
    { ad_account: 5, ad_account_name: 'Aurora TikTok', channel: 'tt', outcome: 'failed', code: 'no_access' },
  ],
}

async function drawn(answers: Record<string, unknown> = {}) {
  const page = drawHashing(<EraseDialog advertiser={1} onClose={() => {}} />, {
    answers: { 'POST /api/lta/erase/': { erasure: 4 }, 'GET /api/lta/erase/4/': erasure, ...answers },
  })
  await screen.findByRole('dialog', { name: 'Erase personal data' })
  return page
}
const erase = () => screen.getByRole<HTMLButtonElement>('button', { name: 'Erase' })
const person = () => screen.getByRole('textbox', { name: /E-mail address or phone/ })

describe('erasing a person', () => {
  it('says whose decision it is, and waits for a confirmation', async () => {
    await drawn()
    expect(screen.getByText(/for the advertiser’s legal counsel to decide/).isConnected).toBe(true)
    await user.type(person(), 'Mary@Example.com')
    expect(erase().disabled).toBe(true)
  })

  it('sends hashes alone, and shows what came of it at each account', async () => {
    const { calls, changes } = await drawn()
    await user.type(person(), ' Mary@Example.com')
    await user.click(screen.getByRole('checkbox'))
    await user.click(erase())
    expect((await screen.findByText('2 rows taken out of our copies')).isConnected).toBe(true)
    const hash = 'f1904cf1a9d73a55fa5de0ac823c4403ded71afd4c3248d00bdcd0866552bb79'
    expect(changes()).toEqual([
      [
        'POST',
        '/api/lta/erase/',
        { advertiser: 1, columns: ['email', 'email_google'], rows: [[hash, hash]] },
      ],
    ])
    expect(screen.getByText('Erased').isConnected).toBe(true)
    expect(screen.getByText(/Upload the list again/).isConnected).toBe(true)
    expect(screen.getByText(/no right to audiences/).isConnected).toBe(true)
    expect(JSON.stringify(calls)).not.toMatch(/mary/i)
    await user.click(screen.getByRole('button', { name: 'Erase another person' }))
    expect(person().textContent).toBe('')
  })

  it('takes a phone number of the chosen country', async () => {
    const { changes } = await drawn()
    await user.type(person(), '0912-345-678')
    await user.click(screen.getByRole('checkbox'))
    await user.click(erase())
    await expect
      .poll(() => changes().map(([, , body]) => Object(body).columns))
      .toEqual([['phone', 'phone_e164']])
  })

  it('says that a text is neither', async () => {
    const { changes } = await drawn()
    await user.type(person(), 'Mary Wu')
    await user.click(screen.getByRole('checkbox'))
    await user.click(erase())
    expect((await screen.findByText(/neither an e-mail address nor/)).isConnected).toBe(true)
    expect(changes()).toEqual([])
  })
})
