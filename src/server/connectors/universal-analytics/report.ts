import type { Connector, ReportRequest } from '../connector.ts'
import { GoogleLogin } from '../google-token.ts'
import { slicesOf } from '../slices.ts'
import { checkView, listViews } from './accounts.ts'
import { answerOf } from './answers.ts'
import { noteOnce } from './notes.ts'
import { questionOf } from './question.ts'
import type { UaIo } from './schema.ts'

/** Universal Analytics through its Reporting API v4, at a service that still speaks it. */
export const universalAnalytics: Connector<GoogleLogin> = {
  login: GoogleLogin,
  listAccounts: listViews,
  checkAccount: checkView,
  fetchReport,
}

async function* fetchReport(request: ReportRequest, io: UaIo) {
  yield* answerOf(questionOf(request), slicesOf(request.range, request.time), { io, note: noteOnce(io) })
}
