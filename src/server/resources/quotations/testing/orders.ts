import { randomUUID } from 'node:crypto'
import { expect } from 'vitest'
import { Payment, PaymentList } from '#shared/api/payments.ts'
import { Quotation } from '#shared/api/quotations.ts'
import type { PdfInput, PdfRenderer } from '#server/pdf/renderer.ts'
import { asOf, callerOf, type ApiResponse, type Client, type TestApi } from '#server/http/testing/api.ts'
import { startFamily } from '#server/resources/session/queries.ts'

export const QUOTATIONS = '/api/ad_insertion/quotation/'

/** Units of a currency, as they are sent. */
export const units = (amount: number) => Math.round(amount * 1_000_000)

export const quotationIn = ({ status, body }: ApiResponse): Quotation => {
  expect(status, JSON.stringify(body)).toBeLessThan(300)
  return Quotation.parse(body)
}

type Caller = Pick<Client, 'get' | 'post'>

/** The agency's people around one customer, whom staff and manager serve. */
export async function agency(api: TestApi) {
  const people = {
    staff: await api.signedIn('staff', { department: 2, full_name: 'Sam' }),
    manager: await api.signedIn('manager', { department: 2 }),
    director: await api.signedIn('director', { department: 1 }),
    finance: await api.signedIn('staff', { department: 7 }),
    stranger: await api.signedIn('staff', { department: 3 }),
    client: await api.signedIn('external_user'),
  }
  const { staff, manager, client } = people
  const advertiser = await api.advertiser(
    `Acme ${randomUUID().slice(0, 8)}`,
    [staff, manager, client].map(({ user }) => user.id),
  )
  const fb = await api.account({ advertiser })
  const aw = await googleAccount(api, advertiser)
  return { ...people, advertiser, fb, aw }
}
export type Agency = Awaited<ReturnType<typeof agency>>

export async function googleAccount({ db }: TestApi, advertiser: number, currency = 'TWD') {
  const { id } = await db
    .insertInto('ad_account')
    .values({
      channel: 'aw',
      provider: 'google_ads',
      external_id: randomUUID(),
      name: 'A Google account',
      currency,
      timezone: 'Asia/Taipei',
      advertiser,
    })
    .returning('id')
    .executeTakeFirstOrThrow()
  return id
}

const november = { start: '2026-11-01', end: '2026-11-30' }

/** A line of a budget in units. */
export const budgetLine = (budget: number, fee_rate: number, more: object = {}) => ({
  ...november,
  title: 'A line',
  budget: units(budget),
  fee_rate,
  ...more,
})

/** Example B1 of the specification. */
export const exampleBody = ({ advertiser, fb, aw }: Pick<Agency, 'advertiser' | 'fb' | 'aw'>) => ({
  advertiser,
  title: '2026 雙 11',
  currency: 'TWD',
  tax: 'tw_vat',
  media_billing: 'agency',
  discount: units(5000),
  lines: [
    budgetLine(100_000, 1500, { channel: 'fb', accounts: [fb] }),
    budgetLine(55_555, 1250, { channel: 'aw', accounts: [aw] }),
    {
      ...november,
      publisher: 'A portal',
      pricing: 'cpm',
      quantity: 833_333,
      unit_price: units(120),
      fee_rate: 1000,
    },
  ],
})

export const written = async (who: Caller, body: object) => quotationIn(await who.post(QUOTATIONS, body))

/** Prints a few bytes that name what was printed, and remembers it; or fails, when told to. */
export function plainPdf() {
  const printed: PdfInput[] = []
  const renderer: PdfRenderer = {
    async render(input) {
      if (pdf.fails(input)) throw new Error('the printer is on fire')
      printed.push(input)
      return { bytes: Buffer.from(`%PDF- ${input.number}`), pages: 1, missing: [] }
    },
  }
  const pdf = { fails: (_input: PdfInput) => false, printed, renderer }
  return pdf
}

/** Sends the body of an action in the order's current version. */
export async function act(who: Caller, id: number, action: string, body: object = {}) {
  const { version } = quotationIn(await who.get(`${QUOTATIONS}${id}/`))
  return await who.post(`${QUOTATIONS}${id}/${action}/`, { version, ...body })
}

export const sent = async (who: Caller, body: object) =>
  quotationIn(await act(who, (await written(who, body)).id, 'send'))

export const ACCEPTANCE = { accepted_on: '2026-11-26', accepted_by: 'Ms Chen' }

export async function accepted(who: Caller, body: object) {
  const { id } = await sent(who, body)
  return quotationIn(await act(who, id, 'accept', ACCEPTANCE))
}

export const PAYMENTS = '/api/ad_insertion/payment/'

export const paymentsOf = async (who: Caller, quotation: number) => {
  const { body } = await who.get(`${PAYMENTS}?ordering=id&limit=100&quotation=${quotation}`)
  return PaymentList.parse(body).results
}

export const paymentIn = ({ status, body }: ApiResponse): Payment => {
  expect(status, JSON.stringify(body)).toBeLessThan(300)
  return Payment.parse(body)
}

/** The same person, signed in again after the clock was moved. */
export async function signedInAgain({ db, clock, effects, origin }: TestApi, { user }: Client) {
  const claims = await db.transaction().execute(trx => startFamily(trx, user.id, asOf(clock.now)))
  const token = await effects.tokens.signAccess(claims, clock.now)
  return callerOf(origin, { authorization: `Bearer ${token}` })
}
