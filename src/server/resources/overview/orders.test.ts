import { expect, it } from 'vitest'
import { testApi, type Client } from '#server/http/testing/api.ts'
import { accepted, agency, budgetLine, plainPdf } from '#server/resources/quotations/testing/orders.ts'

const api = await testApi({ effects: { pdf: plainPdf().renderer } })
api.clock.now = new Date('2026-11-26T04:00:00Z')
const { staff, director, finance, stranger, client, advertiser } = await agency(api)

await api.db.insertInto('billing_month').values({ month: '2026-09-01', state: 'locked' }).execute()

const ordersFor = async (who: Client) => (await who.get('/api/overview/orders/')).body

it('overdue payments and orders off pace are for those who see the orders, and the month to close for those who close it', async () => {
  const body = { advertiser, title: 'November', currency: 'TWD', lines: [budgetLine(1000, 0)] }
  const late = await accepted(staff, { ...body, schedule: [{ share: 10_000, due_on: '2026-11-25' }] })
  const slow = await accepted(staff, { ...body, title: 'Slow' })
  const even = await accepted(staff, { ...body, title: 'Even' })
  for (const [{ id }, verdict] of [
    [slow, 'under'],
    [even, 'on_pace'],
  ] as const)
    await api.db.updateTable('quotation').set({ verdict }).where('id', '=', id).execute()
  expect(late.status).toBe('accepted')
  for (const who of [staff, director, finance])
    expect(await ordersFor(who)).toEqual({
      overdue: 1,
      off_pace: [
        {
          id: slow.id,
          label: slow.label,
          title: 'Slow',
          advertiser_name: slow.advertiser_name,
          verdict: 'under',
        },
      ],
      month_to_close: who === staff ? null : '2026-10',
    })
  expect(await ordersFor(stranger)).toEqual({ overdue: 0, off_pace: [], month_to_close: null })
  expect((await client.get('/api/overview/orders/')).status).toBe(403)
  await api.db.updateTable('billing_month').set({ month: '2026-10-01' }).execute()
  expect(await ordersFor(finance)).toMatchObject({ month_to_close: null })
})
