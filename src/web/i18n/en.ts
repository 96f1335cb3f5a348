import { app } from './en/app.ts'
import { budget } from './en/budget.ts'
import { actions } from './en/actions.ts'
import { bulk_changes } from './en/bulk-changes.ts'
import { code_step } from './en/code-step.ts'
import { editor } from './en/editor.ts'
import { errors } from './en/errors.ts'
import { mailbox } from './en/mailbox.ts'
import { fields } from './en/fields.ts'
import { help } from './en/help.ts'
import { history } from './en/history.ts'
import { start } from './en/start.ts'
import { money } from './en/money.ts'
import { notices } from './en/notices.ts'
import { outcomes } from './en/outcomes.ts'
import { operations } from './en/operations.ts'
import { overview } from './en/overview.ts'
import { overview_later } from './en/overview-later.ts'
import { palette } from './en/palette.ts'
import { preview } from './en/preview.ts'
import { profile } from './en/profile.ts'
import { public_accounts } from './en/public-accounts.ts'
import { reports } from './en/reports.ts'
import { runs } from './en/runs.ts'
import { second_factor } from './en/second-factor.ts'
import { shares } from './en/shares.ts'
import { sheets } from './en/sheets.ts'
import { sign_in } from './en/sign-in.ts'
import { support } from './en/support.ts'
import { target } from './en/target.ts'
import { ui } from './en/ui.ts'
import { users } from './en/users.ts'
import { versions } from './en/versions.ts'

/**
 * The English texts by page, without en-business.ts and en/editing.ts; zh-TW.ts must have the same keys.
 */
export const en = {
  app,
  budget,
  actions,
  bulk_changes,
  code_step,
  editor,
  errors,
  outcomes,
  operations,
  mailbox,
  fields,
  help,
  history,
  start,
  money,
  notices,
  overview,
  overview_later,
  palette,
  preview,
  profile,
  public_accounts,
  reports,
  runs,
  second_factor,
  shares,
  sheets,
  sign_in,
  support,
  target,
  ui,
  users,
  versions,
} as const
