import { formatRules, type FormatMiss, type FormatVerdict } from '#shared/materials/format-verdicts.ts'
import type { ImageFormat } from '#shared/materials/image-formats.ts'
import { useTranslation } from '#web/i18n/use-translation.ts'
import { sizeText } from '#web/ui/chosen-files.tsx'
import { imageTypeNames } from './type-names.ts'

/** Within this, so many pixels say more than that it is larger. */
const FEW_PIXELS = 20
/** Within this, a share of the ratio says more than the ratio alone. */
const COMPARABLE = 0.5
/** What nobody can see. */
const EXACT = 0.0005

/** What a format says to an image: that it fits, or what is missing. */
export function useVerdictText(): (verdict: FormatVerdict) => string {
  const { t, language } = useTranslation('images')
  const percent = (share: number) =>
    Math.abs(share).toLocaleString(language, { style: 'percent', maximumFractionDigits: 1 })
  const missText = (miss: FormatMiss): string => {
    switch (miss.kind) {
      case 'width':
      case 'height':
        return t(miss.by > 0 ? `miss.${miss.kind}` : `miss.${miss.kind}_over`, { count: Math.abs(miss.by) })
      case 'ratio': {
        const ratio = ratioText(miss.required)
        if (Math.abs(miss.by) > COMPARABLE) return t('miss.ratio', { ratio })
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
    const texts = isMuchLarger(misses)
      ? [t('miss.larger', { size: sizeOf(format) }), ...misses.filter(isOfFile).map(missText)]
      : misses.map(missText)
    return texts.join(t('miss.and'))
  }
}

/** Nothing is short: then how much there is too much on each side says less than that there is. */
function isMuchLarger(misses: readonly FormatMiss[]): boolean {
  const sides = misses.flatMap(miss => ('is_exact' in miss ? [miss.by] : []))
  return sides.length > 0 && sides.every(by => by < 0) && sides.some(by => by < -FEW_PIXELS)
}

const isOfFile = ({ kind }: FormatMiss) => kind === 'size' || kind === 'type'

/** `1.91:1` */
export const ratioText = (ratio: number) => `${ratio}:1`

/** `1200×628` */
export const sizeOf = (format: ImageFormat) => {
  const { width, height } = formatRules[format]
  return `${width}×${height}`
}
