// @vitest-environment happy-dom
import { screen, within } from '@testing-library/react'
import { userEvent } from '@testing-library/user-event'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { switchLanguage } from '#web/i18n/i18n.ts'
import { listOf } from '#web/testing/fake-server.ts'
import { drawSettings } from './testing/draw-settings.tsx'
import { conversion, label, metric, rate, ratesOf } from './testing/samples.ts'

// What people in Taiwan read: their own names first, and sentences that stay right with every name.

beforeAll(() => switchLanguage('zh-TW'))
afterAll(() => switchLanguage('en'))

const SETTINGS = '/api/insight-setting/'
const user = userEvent

describe('in Chinese', () => {
  it('the page has a title and its parts', async () => {
    drawSettings()
    expect((await screen.findByRole('heading', { level: 1 })).textContent).toBe('進階報表設定')
    const parts = within(screen.getByRole('navigation', { name: '設定' })).getAllByRole('link')
    expect(parts.map(part => part.textContent)).toEqual(['計算指標', '轉換定義', '指標名稱', '匯率'])
    expect((await screen.findByText('尚無計算指標')).isConnected).toBe(true)
  })

  it('a metric has its Chinese name, and those of the metrics in its formula', async () => {
    drawSettings({
      search: { metric: 4 },
      answers: {
        [`GET ${SETTINGS}metrics/`]: listOf([metric()]),
        [`GET ${SETTINGS}metrics/4/`]: metric(),
      },
    })
    const form = within(await screen.findByRole('dialog', { name: '單次成果成本' }))
    expect(form.getByText('可用於Meta 廣告、LINE 廣告。').isConnected).toBe(true)
    expect(form.getByText('花費', { selector: 'rt' }).isConnected).toBe(true)
    expect(form.getByText(/^有 14 份報表使用此指標/).isConnected).toBe(true)
    const field = form.getByRole('textbox', { name: '公式' })
    await user.type(field, ' ×')
    expect(form.getByText('公式尚未完成。').isConnected).toBe(true)
    await user.type(field, '*')
    expect(form.getByText(/^第 29 個字元「\*」不符合公式格式/).isConnected).toBe(true)
  })

  it('a definition says what it means', async () => {
    drawSettings({
      search: { tab: 'conversions', conversion: 6 },
      answers: {
        [`GET ${SETTINGS}conversions/`]: listOf([conversion()]),
        [`GET ${SETTINGS}conversions/6/`]: conversion(),
      },
    })
    const form = within(await screen.findByRole('dialog', { name: '訂單' }))
    expect(form.getByText(/CPA、CVR 與 ROAS 只計算在此選取的項目/).isConnected).toBe(true)
    expect(form.getAllByText(/購買次數/).length).toBeGreaterThan(0)
    expect(
      (await form.findByText('此廣告主沒有Meta 廣告的帳戶，仍可選取指標，或輸入轉換動作名稱。')).isConnected,
    ).toBe(true)
  })

  it('a label has its Chinese words first', async () => {
    drawSettings({
      search: { tab: 'labels', channel: 'fb' },
      answers: { [`GET ${SETTINGS}labels/`]: listOf([label({ channel: 'fb' })]) },
    })
    expect((await screen.findByText('廣告支出')).parentElement?.textContent).toBe('廣告支出Spend')
    await user.click(screen.getByRole('button', { name: '將「花費」改名' }))
    expect(screen.getByRole<HTMLInputElement>('textbox', { name: '中文名稱' }).value).toBe('廣告支出')
  })

  it('a rate is of a month', async () => {
    drawSettings({
      search: { tab: 'rates' },
      answers: { [`GET ${SETTINGS}rates/`]: ratesOf([rate({ month: '2026-09', rate: '32' })], ['USD']) },
    })
    await user.click(await screen.findByRole('button', { name: /修改2026年9月的 USD 匯率$/ }))
    const field = screen.getByRole('textbox', { name: '2026年9月的 USD 匯率' })
    await user.clear(field)
    await user.keyboard('{Enter}')
    expect(screen.getByText('請輸入大於 0 的數字，例如 31.505。').isConnected).toBe(true)
    expect(screen.getByRole('heading', { name: '每 1 單位外幣可兌換的 TWD' }).isConnected).toBe(true)
  })
})
