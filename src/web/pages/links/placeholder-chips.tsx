import type { LinkPlatform } from '#shared/links/platforms.ts'
import type { UtmField } from '#shared/links/parameters.ts'
import { placeholders } from '#shared/links/placeholders.ts'
import { useTranslation } from '#web/i18n/use-translation.ts'
import styles from './links.module.css'

interface PlaceholderChipsProps {
  platform: LinkPlatform | null
  /** The field that they are put into; undefined: the preset fixes all of them. */
  target: UtmField | undefined
  onInsert: (placeholder: string) => void
}

/** What the platform fills in when somebody follows the ad. */
export function PlaceholderChips({ platform, target, onInsert }: PlaceholderChipsProps) {
  const { t } = useTranslation('links')
  if (platform === null || target === undefined) return null
  const known = placeholders[platform]
  if (known.length === 0)
    return <p className={styles.hint}>{t('placeholders.none', { platform: t(`platform.${platform}`) })}</p>
  const field = t(`field.${target}`)
  return (
    <div role="group" aria-label={t('placeholders.label')} className={styles.placeholders}>
      <p className={styles.hint}>
        {t('placeholders.detail', { platform: t(`platform.${platform}`), field })}
      </p>
      {known.map(placeholder => (
        <button
          key={placeholder}
          type="button"
          className={styles.placeholder}
          aria-label={t('placeholders.insert', { placeholder, field })}
          onClick={() => onInsert(placeholder)}
        >
          {placeholder}
        </button>
      ))}
    </div>
  )
}
