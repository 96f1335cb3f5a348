import { identities } from '#shared/access.ts'
import type { AuditField } from '#shared/audit.ts'
import { dimensions } from '#shared/channels/catalogue.ts'
import { employmentStatuses } from '#shared/employment.ts'
import { languageNames, languages } from '#shared/language.ts'
import { mailChoices } from '#shared/notices.ts'
import { useTranslation } from '#web/i18n/use-translation.ts'
import { stateNames } from '#web/pages/support/search.ts'

/** What a stored code is called on the page where it is chosen; undefined for what is a text itself. */
export function useCodeTexts(): Partial<Record<AuditField, (code: unknown) => string | undefined>> {
  const { t, language } = useTranslation('app')
  const { t: tAudit } = useTranslation('audit')
  const { t: tActions } = useTranslation('actions')
  const { t: tEditor } = useTranslation('editor')
  const { t: tProfile } = useTranslation('profile')
  const { t: tSupport } = useTranslation('support')
  const { t: tUsers } = useTranslation('users')
  const languageText = among(languages, code => languageNames[code])
  return {
    access: among(['viewer', 'editor'], code => tActions(`share.${code}`)),
    arrangement: among(['joined', 'stacked'], code => tEditor(`table.${code}`)),
    dimensions: among(Object.keys(dimensions).filter(isDimension), code => dimensions[code].names[language]),
    employment_status: value => {
      const status = typeof value === 'number' ? employmentStatuses[value] : undefined
      return status && tUsers(`employment.${status}`)
    },
    header_language: languageText,
    identity: among(identities, code => t(`identity.${code}`)),
    is_active: among([0, 1], code => tAudit(code === 1 ? 'yes' : 'no')),
    language: languageText,
    mail_notices: among(mailChoices, code => tProfile(`mail_notices_${code}`)),
    plan: among([0, 1], code => tUsers(code === 1 ? 'plan.advanced' : 'plan.basic')),
    status: among(stateNames, code => tSupport(`state.${code}`)),
    theme: among(['light', 'dark', 'auto'], code => t(`header.theme_${code}`)),
  }
}

const isDimension = (id: string): id is keyof typeof dimensions => Object.hasOwn(dimensions, id)

const among =
  <const Code>(codes: readonly Code[], textOf: (code: Code) => string) =>
  (value: unknown) => {
    const code = codes.find(known => known === value)
    return code === undefined ? undefined : textOf(code)
  }
