import { app } from './zh-TW/app.ts'
import { errors } from './zh-TW/errors.ts'
import { overview } from './zh-TW/overview.ts'
import { sign_in } from './zh-TW/sign-in.ts'
import { ui } from './zh-TW/ui.ts'

/** The Chinese texts of the pages that are loaded first. */
export const zhTWFirst = { app, errors, overview, sign_in, ui }
