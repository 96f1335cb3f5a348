import { listText } from '#shared/language.ts'
import { formatRules } from '#shared/materials/format-verdicts.ts'
import type { ImageFormat } from '#shared/materials/image-formats.ts'
import { useLanguage } from '#web/i18n/use-translation.ts'

/** Whose they are; written the same in every language. */
const formatPlatforms: Record<ImageFormat, string> = {
  google_landscape: 'Google',
  google_square: 'Google',
  google_logo_wide: 'Google',
  google_logo_square: 'Google',
  line_card: 'LINE',
  line_square: 'LINE',
  line_small: 'LINE',
  meta_square: 'Meta',
  meta_portrait: 'Meta',
  meta_story: 'Meta',
  tiktok: 'TikTok',
  ly: 'LY',
}

/** The platforms that take an image as it is; advice is no rule. Empty: none. */
export function usePlatformsText(): (formats: readonly ImageFormat[]) => string {
  const language = useLanguage()
  return formats => {
    const documented = formats.filter(format => !formatRules[format].is_advice)
    return listText([...new Set(documented.map(format => formatPlatforms[format]))], language)
  }
}
