import { app } from './en/app.ts'
import { editor } from './en/editor.ts'
import { errors } from './en/errors.ts'
import { overview } from './en/overview.ts'
import { profile } from './en/profile.ts'
import { public_accounts } from './en/public-accounts.ts'
import { reports } from './en/reports.ts'
import { runs } from './en/runs.ts'
import { sheets } from './en/sheets.ts'
import { sign_in } from './en/sign-in.ts'
import { target } from './en/target.ts'
import { ui } from './en/ui.ts'

/** Every text in English, by page; zh-TW.ts must have the same keys. */
export const en = {
  app,
  editor,
  errors,
  overview,
  profile,
  public_accounts,
  reports,
  runs,
  sheets,
  sign_in,
  target,
  ui,
} as const
