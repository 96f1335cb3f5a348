import { formatRules, type FormatMiss, type FormatVerdict } from '#shared/materials/format-verdicts.ts'
import type { ImageFormat } from '#shared/materials/image-formats.ts'
import { useTranslation } from '#web/i18n/use-translation.ts'
import { sizeText } from '#web/ui/chosen-files.tsx'
import { imageTypeNames } from './type-names.ts'

/** Within this, so many pixels say more than that it is larger. */
const FEW_PIXELS = 20
/** Within this, a share of the ratio says more than the ratio alone. */
const FEW_PERCENT = 0.1
/** What nobody can see. */
const EXACT = 0.0005

/** What a format says to an image: that it fits, or what is missing. */
export function useVerdictText(): (verdict: FormatVerdict) => string {
  const { t, language } = useTranslation('images')
  const percent = (share: number) =>
    Math.abs(share).toLocaleString(language, { style: 'percent', maximumFractionDigits: 1 })
  const missText = (miss: FormatMiss, size: string): string => {
    switch (miss.kind) {
      case 'width':
      case 'height':
        if (miss.by > 0) return t(`miss.${miss.kind}`, { count: miss.by })
        return miss.by < -FEW_PIXELS
          ? t('miss.larger', { size })
          : t(`miss.${miss.kind}_over`, { count: -miss.by })
      case 'ratio': {
        const ratio = ratioText(miss.wanted)
        if (Math.abs(miss.by) > FEW_PERCENT) return t('miss.ratio', { ratio })
        return t(miss.by > 0 ? 'miss.ratio_wide' : 'miss.ratio_tall', { percent: percent(miss.by), ratio })
      }
      case 'size':
        return t('miss.bytes', {
          by: sizeText(miss.by, language),
          most: sizeText(miss.most, language),
        })
      case 'type':
        return t('miss.type', {
          types: miss.allowed.map(type => imageTypeNames[type]).join(t('miss.or')),
        })
    }
  }
  return ({ format, met, misses, ratio_off }) => {
    const { ratio = 0 } = formatRules[format]
    if (met && ratio_off !== null && Math.abs(ratio_off) > EXACT)
      return t('fits_nearly', { percent: percent(ratio_off), ratio: ratioText(ratio) })
    if (met) return t('fits')
    // Both sides may be larger than the size, which is one thing.
    const texts = new Set(misses.map(miss => missText(miss, sizeOf(format))))
    return [...texts].join(t('miss.and'))
  }
}

/** `1.91:1` */
export const ratioText = (ratio: number) => `${ratio}:1`

/** `1200×628` */
export const sizeOf = (format: ImageFormat) => {
  const { width, height } = formatRules[format]
  return `${width}×${height}`
}
