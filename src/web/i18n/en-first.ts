import { app } from './en/app.ts'
import { errors } from './en/errors.ts'
import { overview } from './en/overview.ts'
import { sign_in } from './en/sign-in.ts'
import { ui } from './en/ui.ts'

/** The English texts of the pages that are loaded first. */
export const enFirst = { app, errors, overview, sign_in, ui } as const
