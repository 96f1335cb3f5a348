import type { en } from './en.ts'
import type { TextsLike } from './texts.ts'
import { app } from './zh-TW/app.ts'
import { editor } from './zh-TW/editor.ts'
import { errors } from './zh-TW/errors.ts'
import { overview } from './zh-TW/overview.ts'
import { profile } from './zh-TW/profile.ts'
import { public_accounts } from './zh-TW/public-accounts.ts'
import { reports } from './zh-TW/reports.ts'
import { runs } from './zh-TW/runs.ts'
import { sheets } from './zh-TW/sheets.ts'
import { sign_in } from './zh-TW/sign-in.ts'
import { target } from './zh-TW/target.ts'
import { ui } from './zh-TW/ui.ts'

/** Every text in Traditional Chinese; a missing or a superfluous key does not compile. */
export const zhTW: TextsLike<typeof en> = {
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
}
