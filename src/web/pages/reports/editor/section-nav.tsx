import { memo } from 'react'
import { useTranslation } from '#web/i18n/use-translation.ts'
import styles from './editor.module.css'
import { sectionNames } from './section.tsx'
import type { FieldErrors } from './use-field-errors.ts'
import { useSectionInView } from './use-section-in-view.ts'

/** Links to the sections, always visible; the current one is marked, and so is one with an error. */
export const SectionNav = memo(function SectionNav({ errors }: { errors: FieldErrors }) {
  const { t } = useTranslation('editor')
  const inView = useSectionInView()
  return (
    <nav className={styles.nav} aria-label={t('sections')}>
      <ul>
        {sectionNames.map(name => {
          const wrong = errors.sections.has(name)
          return (
            <li key={name}>
              <a
                href={`#${name}`}
                aria-current={inView === name || undefined}
                data-wrong={wrong || undefined}
              >
                {t(`section.${name}`)}
                {wrong && <span className={styles.mark} role="img" aria-label={t('wrong')} />}
              </a>
            </li>
          )
        })}
      </ul>
    </nav>
  )
})
