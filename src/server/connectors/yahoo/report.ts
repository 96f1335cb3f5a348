import type { Connector } from '#server/connectors/connector.ts'
import { checkAdvertiser, listAdvertisers } from './dsp/accounts.ts'
import { fetchDspReport, prepareDsp } from './dsp/report.ts'
import { checkAccount, listAccounts } from './ly/accounts.ts'
import { listActions } from './ly/actions.ts'
import { fetchLyReport, prepareLy } from './ly/report.ts'
import { DspLogin, LyLogin } from './schema.ts'

/**
 * Search and display ads of LY Corporation (Yahoo! JAPAN), through the LY Ads API; an account's provider says
 * which.
 */
export const lyAds: Connector<LyLogin> = {
  login: LyLogin,
  hosts: ['ly_search', 'ly_display', 'ly_token'],
  listAccounts,
  checkAccount,
  prepare: prepareLy,
  fetchReport: fetchLyReport,
  listActions,
}

/** Yahoo DSP of Yahoo Inc., which Yahoo Taiwan and Yahoo Hong Kong sell. */
export const yahooDsp: Connector<DspLogin> = {
  login: DspLogin,
  hosts: ['yahoo_dsp', 'yahoo_dsp_reports', 'yahoo_dsp_token'],
  listAccounts: listAdvertisers,
  checkAccount: checkAdvertiser,
  prepare: prepareDsp,
  fetchReport: fetchDspReport,
}
