// @vitest-environment happy-dom
import 'temporal-polyfill/global'
import { screen, within } from '@testing-library/react'
import { userEvent } from '@testing-library/user-event'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import type { Check } from '#shared/api/ec-spend.ts'
import { switchLanguage } from '#web/i18n/i18n.ts'
import { drawMonth } from '#web/pages/ec-spend/testing/draw-month.tsx'
import { check, frozen, lockedMonth, statement, units } from '#web/pages/ec-spend/testing/samples.ts'
import { EcMonthPage } from './month-page.tsx'

// What finance in Taiwan reads: the words of closing a month, and sentences that stay right with every name.

beforeAll(() => switchLanguage('zh-TW'))
afterAll(() => switchLanguage('en'))

const account = { ad_account: 31, account_name: '極光日本', channel: 'fb' as const, currency: 'JPY' }

const checks: readonly [Check, string][] = [
  [check('earlier_month_open', { month: '2026-08' }), '2026年8月尚未結帳。'],
  [
    check('earlier_month_open', { month: '2026-08', can_waive: true }),
    '尚未有任何月份結帳，2026年8月起的月份已有花費。',
  ],
  [check('later_month_locked', { month: '2026-11' }), '2026年11月已經結帳。'],
  [check('days_unknown', { ...account, can_waive: true }), '極光日本（Meta 廣告）：部分日期的花費尚未取得。'],
  [check('rate_missing', { currency: 'USD', billing_currency: 'TWD' }), '缺少2026年10月 USD 兌 TWD 的匯率。'],
  [
    check('rate_provisional', { currency: 'USD', billing_currency: 'TWD' }),
    '2026年10月 USD 兌 TWD 的匯率為暫定匯率。',
  ],
  [check('spend_of_nobody', { ...account, can_waive: true }), '極光日本（Meta 廣告）有 JPY 花費，但未歸戶。'],
  [
    check('no_agreement', { advertiser: 1, advertiser_name: '極光', channel: 'aw' }),
    '極光的Google Ads沒有服務費約定，服務費以 0 計算。',
  ],
  [check('invoice_differs', account), '極光日本（Meta 廣告）：平台發票與回報花費相差超過 0.5%。'],
]

describe('in Chinese', () => {
  it.each(checks)('a check says what it has found (%j)', async (found, text) => {
    drawMonth(<EcMonthPage />, { checks: [found] })
    expect((await screen.findByText(text)).isConnected).toBe(true)
    expect(screen.getByText(found.is_blocker ? '阻擋結帳' : '提醒').isConnected).toBe(true)
  })

  it('the month has a title and its parts', async () => {
    drawMonth(<EcMonthPage />)
    expect((await screen.findByRole('heading', { level: 1 })).textContent).toBe('2026年10月 EC 花費')
    const parts = within(await screen.findByRole('navigation', { name: '月份內容' })).getAllByRole('link')
    expect(parts.map(part => part.textContent)).toEqual(['檢查', '對帳單', '對帳', '調整', '結帳後差異'])
  })

  it('a locked month says by whom, and what is still to be billed', async () => {
    drawMonth(<EcMonthPage />, { month: lockedMonth('2026-10'), statements: frozen })
    expect((await screen.findByText(/^已由Fei Tsai於 .* 結帳。$/)).isConnected).toBe(true)
    expect(screen.getByText('含於委刊單 Q2026-0007').isConnected).toBe(true)
    expect(screen.getByText('請款單 P2026-0003').isConnected).toBe(true)
    expect(screen.getAllByText('待開帳').length).toBe(2)
    expect(screen.getByText('只有總監與超級管理員可以取消結帳。').isConnected).toBe(true)
  })

  it('the lock says what it freezes', async () => {
    drawMonth(<EcMonthPage />, { statements: [statement()] })
    await userEvent.click(await screen.findByRole('button', { name: '結帳' }))
    const dialog = within(await screen.findByRole('dialog', { name: '2026年10月結帳' }))
    expect((await dialog.findByText('沒有阻擋結帳的項目。')).isConnected).toBe(true)
    expect(dialog.getByText('將鎖定 1 張對帳單的匯率、服務費與稅額：').isConnected).toBe(true)
  })

  it('payments are made by their number', async () => {
    drawMonth(<EcMonthPage />, {
      month: lockedMonth('2026-10'),
      statements: frozen,
      answers: { 'POST /api/ad/ecspend/bill/': { payments: 2 } },
    })
    await userEvent.click(await screen.findByRole('button', { name: '開立請款單' }))
    const dialog = within(await screen.findByRole('dialog', { name: '2026年10月請款' }))
    await userEvent.click(dialog.getByRole('button', { name: '開立 2 張請款單' }))
    expect((await dialog.findByText('已開立 2 張請款單。')).isConnected).toBe(true)
  })

  it('drift is booked', async () => {
    const drift = [{ channel: 'aw' as const, currency: 'TWD', amount: units(-351), booked: 0 }]
    drawMonth(<EcMonthPage />, {
      month: lockedMonth('2026-10'),
      tab: 'drift',
      statements: [statement({ id: 1, advertiser_name: '極光', drift })],
    })
    const book = await screen.findByRole('button', { name: '將極光的差異入帳至第一個未結帳月份' })
    expect(book.textContent).toBe('入帳至第一個未結帳月份')
    const table = within(screen.getByRole('table', { name: '極光的結帳後差異' }))
    const heads = table.getAllByRole('columnheader').map(head => head.textContent)
    expect(heads).toEqual(['管道', '變動金額', '已入帳', '未入帳'])
  })
})
