import { IdPath } from '#shared/api/list.ts'
import { attachment } from '#server/http/attachment.ts'
import { refuse } from '#server/http/refusal.ts'
import { route } from '#server/http/route.ts'
import { printedPayment } from './document.ts'
import { findPayment } from './queries.ts'
import { PAYMENTS } from './routes.ts'

const document = route('GET', `${PAYMENTS}:id/pdf/`, {
  summary: 'Get the request for payment as a document, with the bank account and the day on which it is due.',
  level: 'staff',
  transaction: 'own',
  // A statement, which others may not see, says whom the payment goes to.
  rows: 'every',
  params: IdPath,
  async run({ params: { id }, user, db, reply, effects: { pdf } }) {
    const payment = await findPayment(db, user, id)
    if (!payment) throw refuse('not_found')
    const { bytes } = await pdf.render(await printedPayment(db, payment))
    await reply
      .header('content-disposition', attachment(`${payment.number}.pdf`))
      .header('cache-control', 'no-store')
      .type('application/pdf')
      .send(bytes)
  },
})

export const paymentDocumentRoutes = [document]
