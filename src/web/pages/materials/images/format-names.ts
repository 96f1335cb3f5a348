import { listText } from '#shared/language.ts'
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

/** The platforms with a format that an image meets, as a rule or as advice. Empty: none. */
export function usePlatformsText(): (formats: readonly ImageFormat[]) => string {
  const language = useLanguage()
  return formats => listText([...new Set(formats.map(format => formatPlatforms[format]))], language)
}
