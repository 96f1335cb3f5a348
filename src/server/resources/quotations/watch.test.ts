import { describe, expect, it } from 'vitest'
import { NotificationList } from '#shared/api/notifications.ts'
import { errorsEn } from '#shared/errors-en.ts'
import { noticeActionOf, noticeText } from '#shared/notice-text.ts'
import type { NoticeKind } from '#shared/notices.ts'
import { testApi, type Client } from '#server/http/testing/api.ts'
import {
  ACCEPTANCE,
  accepted,
  act,
  agency,
  budgetLine,
  PAYMENTS,
  paymentsOf,
  plainPdf,
  quotationIn,
  QUOTATIONS,
  sent,
  units,
} from './testing/orders.ts'
import { watchOrders } from './watch.ts'

const api = await testApi({ effects: { pdf: plainPdf().renderer } })
api.clock.now = new Date('2026-11-26T04:00:00Z')
const us = await agency(api)
const { staff, manager, director, finance, stranger, advertiser, fb } = us
const body = { advertiser, title: 'November', currency: 'TWD', tax: 'exempt', lines: [budgetLine(1000, 0)] }

const watch = (days = 0) =>
  watchOrders(api.db, {
    now: new Date(api.clock.now.getTime() + days * 24 * 3600_000),
    time_zone: 'Asia/Taipei',
  })
const noticesOf = async (who: Client, kind: NoticeKind) => {
  const { body: list } = await who.get('/api/notifications/?limit=100&ordering=id')
  return NotificationList.parse(list).results.filter(notice => notice.kind === kind)
}
const reader = { language: 'en', errors: errorsEn, audience: 'internal', specialists: [] } as const

describe('the owner of an order and finance are notified, once', () => {
  it('before it expires', async () => {
    const order = await sent(staff, { ...body, valid_until: '2026-11-29' })
    await sent(staff, { ...body, valid_until: '2026-11-30' })
    expect(await watch()).toMatchObject({ expiring: 1 })
    expect(await watch()).toMatchObject({ expiring: 0 })
    for (const who of [staff, finance]) {
      const [notice, ...others] = await noticesOf(who, 'quotation_expires')
      expect(others).toEqual([])
      if (!notice) throw new Error('there is no notice')
      const { name } = await api.db
        .selectFrom('advertiser')
        .select('name')
        .where('id', '=', advertiser)
        .executeTakeFirstOrThrow()
      expect(noticeText(notice, reader).title).toBe(
        `Insertion order ${order.label} of ${name} expires on 2026-11-29`,
      )
      expect(noticeActionOf(notice, 'internal')).toEqual({
        action: 'open_order',
        path: `/customer/insertion-order/${order.id}`,
      })
    }
    for (const who of [manager, director, stranger])
      expect(await noticesOf(who, 'quotation_expires')).toEqual([])
    // Another last day is another matter.
    await staff.patch(`${QUOTATIONS}${order.id}/`, { version: order.version, valid_until: '2026-11-28' })
    expect(await watch()).toMatchObject({ expiring: 1 })
    await act(staff, order.id, 'accept', ACCEPTANCE)
  })

  it('of a payment that is overdue', async () => {
    const order = await accepted(staff, { ...body, schedule: [{ share: 10_000, due_on: '2026-11-26' }] })
    const [payment] = await paymentsOf(staff, order.id)
    const due = await api.db
      .selectFrom('payment')
      .select('id')
      .where('due_on', '<=', '2026-11-26')
      .where('status', '=', 'due')
      .execute()
    expect(due).toEqual([{ id: payment?.id }])
    expect(await watch()).toMatchObject({ overdue: 0 })
    expect(await watch(1)).toMatchObject({ overdue: 1 })
    expect(await watch(2)).toMatchObject({ overdue: 0 })
    for (const who of [staff, finance]) {
      const notices = await noticesOf(who, 'payment_overdue')
      expect(notices.map(({ detail }) => detail)).toMatchObject([
        { document: payment?.number, due_on: '2026-11-26', payment: payment?.id },
      ])
    }
    await finance.patch(`${PAYMENTS}${payment?.id}/`, { version: 1, due_on: '2026-12-24' })
    expect(await watch(2)).toMatchObject({ overdue: 0 })
  })

  it('but not an owner who does not serve the advertiser any more', async () => {
    const other = await agency(api)
    await sent(other.staff, { ...body, advertiser: other.advertiser, valid_until: '2026-11-27' })
    await api.db.deleteFrom('advertiser_member').where('advertiser', '=', other.advertiser).execute()
    expect(await watch()).toMatchObject({ expiring: 1 })
    expect(await noticesOf(other.staff, 'quotation_expires')).toEqual([])
  })
})

describe('delivery', () => {
  const spends = async (day: string, cost: number) => {
    const rest = { impressions: 0, clicks: 0, conversions: 0 }
    await api.db
      .insertInto('spend_day')
      .values({ ad_account: fb, day, cost: units(cost), ...rest })
      .execute()
  }
  const order = async (start: string, end: string) => {
    const line = budgetLine(1000, 0, { channel: 'fb', accounts: [fb], start, end })
    const { id } = await sent(staff, { ...body, lines: [line, budgetLine(1, 0, { start, end })] })
    return quotationIn(await act(staff, id, 'accept', ACCEPTANCE))
  }
  const linesOf = async (quotation: number) =>
    await api.db
      .selectFrom('quotation_line')
      .select(['final_spent', 'final_at'])
      .where('quotation', '=', quotation)
      .orderBy('position')
      .execute()

  it('is final 30 days after the end of a line', async () => {
    await api.db
      .insertInto('spend_account')
      .values({ ad_account: fb, known_from: '2026-09-01', known_to: '2026-11-27', next_at: api.clock.now })
      .execute()
    await spends('2026-10-05', 900)
    const early = await order('2026-10-01', '2026-10-26')
    const late = await order('2026-10-01', '2026-10-27')
    expect(await watch()).toMatchObject({ final: 1 })
    expect(await linesOf(early.id)).toMatchObject([
      { final_spent: units(900), final_at: expect.any(Date) },
      { final_spent: null, final_at: null },
    ])
    expect((await linesOf(late.id))[0]).toMatchObject({ final_at: null })
    await spends('2026-10-06', 50)
    expect((await staff.get(`${QUOTATIONS}${early.id}/delivery/`)).body).toMatchObject({
      lines: [{ spent: units(900), is_final: true, verdict: 'on_pace' }, { is_final: false }],
    })
    expect(await watch()).toMatchObject({ final: 0 })
  })

  it('is looked at for those who want to know which orders are off pace', async () => {
    const running = await order('2026-11-01', '2026-11-30')
    await spends('2026-11-10', 100)
    expect((await watch()).looked_at).toBeGreaterThan(0)
    const { verdict, version } = await api.db
      .selectFrom('quotation')
      .select(['verdict', 'version'])
      .where('id', '=', running.id)
      .executeTakeFirstOrThrow()
    expect([verdict, version]).toEqual(['under', running.version])
    expect(await watch()).toMatchObject({ looked_at: 0 })
    const again = await watch(1)
    expect(again.looked_at).toBeGreaterThan(0)
    // What is over is not looked at any more.
    expect((await watch(10)).looked_at).toBeGreaterThan(0)
    expect((await watch(20)).looked_at).toBe(0)
  })
})
