import { useMemo, useSyncExternalStore } from 'react'
import type { Language } from '#shared/language.ts'
import { nameSpecialists } from '#shared/specialist.ts'
import type { enBusiness } from './en-business.ts'
import type { editing } from './en/editing.ts'
import type { en } from './en.ts'
import { nowSpoken, whenSwitched } from './i18n.ts'
import { translate, type Translate } from './translate.ts'

type English = typeof en & typeof enBusiness & { readonly editing: typeof editing }

/**
 * `const { t } = useTranslation('sign_in')`: the texts of one page (i18n/en/…), in the interface's language.
 */
export function useTranslation<Page extends keyof English>(
  page: Page,
): { t: Translate<English[Page]>; language: Language } {
  const spoken = useSyncExternalStore(whenSwitched, nowSpoken, nowSpoken)
  return useMemo(() => {
    const { texts, language, specialists } = spoken
    const t: Translate<English[Page]> = (key, ...values) => {
      const text = translate(texts[page] ?? {}, key, { values: values[0] ?? {}, language })
      return nameSpecialists(text, specialists, language)
    }
    return { t, language: spoken.language }
  }, [spoken, page])
}

/** The interface's language, for texts from elsewhere: names from the catalogue, dates, error texts. */
export const useLanguage = (): Language => useSyncExternalStore(whenSwitched, nowSpoken, nowSpoken).language
