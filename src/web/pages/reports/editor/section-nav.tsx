import { useTranslation } from '#web/i18n/use-translation.ts'
import styles from './editor.module.css'
import { sectionNames } from './section.tsx'
import type { Editor } from './use-editor.ts'

/** The sections, in reach from everywhere; one with something wrong is marked. */
export function SectionNav({ editor }: { editor: Editor }) {
  const { t } = useTranslation('editor')
  const wrong = new Set(editor.wrongSections)
  return (
    <nav className={styles.nav} aria-label={t('sections')}>
      <ul>
        {sectionNames.map(name => (
          <li key={name}>
            <a href={`#${name}`} data-wrong={wrong.has(name) || undefined}>
              {t(`section.${name}`)}
              {wrong.has(name) && <span className={styles.mark} role="img" aria-label={t('wrong')} />}
            </a>
          </li>
        ))}
      </ul>
    </nav>
  )
}
