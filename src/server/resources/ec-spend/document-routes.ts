import { StatementPdfQuery } from '#shared/api/ec-spend.ts'
import { attachment } from '#server/http/attachment.ts'
import { route } from '#server/http/route.ts'
import { printedStatement } from './document.ts'
import { EC_SPEND } from './month-routes.ts'
import { asOfOneMoment } from './read-spend.ts'

const document = route('GET', `${EC_SPEND}statement/pdf/`, {
  summary: 'Get a statement as a document. One that is not locked says on its pages that it may change.',
  level: 'director_or_finance',
  rows: 'every',
  transaction: 'own',
  query: StatementPdfQuery,
  async run({ query, db, now, reply, effects: { pdf, settings } }) {
    const moment = { now, time_zone: settings.time_zone }
    const { bytes } = await pdf.render(await asOfOneMoment(db, trx => printedStatement(trx, moment, query)))
    const { month, advertiser, currency } = query
    await reply
      .header('content-disposition', attachment(`statement-${month}-${advertiser}-${currency}.pdf`))
      .header('cache-control', 'no-store')
      .type('application/pdf')
      .send(bytes)
  },
})

export const documentRoutes = [document]
