import type { en } from './en.ts'
import type { TextsLike } from './texts.ts'
import { app } from './zh-TW/app.ts'
import { budget } from './zh-TW/budget.ts'
import { actions } from './zh-TW/actions.ts'
import { bulk_changes } from './zh-TW/bulk-changes.ts'
import { code_step } from './zh-TW/code-step.ts'
import { editor } from './zh-TW/editor.ts'
import { errors } from './zh-TW/errors.ts'
import { mailbox } from './zh-TW/mailbox.ts'
import { fields } from './zh-TW/fields.ts'
import { help } from './zh-TW/help.ts'
import { history } from './zh-TW/history.ts'
import { start } from './zh-TW/start.ts'
import { money } from './zh-TW/money.ts'
import { notices } from './zh-TW/notices.ts'
import { outcomes } from './zh-TW/outcomes.ts'
import { operations } from './zh-TW/operations.ts'
import { overview } from './zh-TW/overview.ts'
import { overview_later } from './zh-TW/overview-later.ts'
import { palette } from './zh-TW/palette.ts'
import { preview } from './zh-TW/preview.ts'
import { profile } from './zh-TW/profile.ts'
import { public_accounts } from './zh-TW/public-accounts.ts'
import { reports } from './zh-TW/reports.ts'
import { runs } from './zh-TW/runs.ts'
import { second_factor } from './zh-TW/second-factor.ts'
import { shares } from './zh-TW/shares.ts'
import { sheets } from './zh-TW/sheets.ts'
import { sign_in } from './zh-TW/sign-in.ts'
import { support } from './zh-TW/support.ts'
import { target } from './zh-TW/target.ts'
import { ui } from './zh-TW/ui.ts'
import { users } from './zh-TW/users.ts'
import { versions } from './zh-TW/versions.ts'

/**
 * The texts in Traditional Chinese, without those of zh-TW-business.ts; a missing or a superfluous key does
 * not compile.
 */
export const zhTW: TextsLike<typeof en> = {
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
}
