import { memo } from 'react'
import { useTranslation } from '#web/i18n/use-translation.ts'
import styles from './editor.module.css'
import { markOf, sectionNames, type SetupLine } from './setup.ts'
import { useSectionInView } from './use-section-in-view.ts'

/** Links to the sections, always visible; the current one is marked, and so is one that needs something. */
export const SectionNav = memo(function SectionNav({ setup }: { setup: readonly SetupLine[] }) {
  const { t } = useTranslation('editor')
  const inView = useSectionInView()
  return (
    <nav className={styles.nav} aria-label={t('sections')}>
      <ul>
        {sectionNames.map(name => {
          const mark = markOf(setup, name)
          return (
            <li key={name}>
              <a href={`#${name}`} aria-current={inView === name || undefined} data-mark={mark ?? undefined}>
                {t(`section.${name}`)}
                {mark && (
                  <span
                    className={styles.mark}
                    role="img"
                    aria-label={t(mark === 'bad' ? 'wrong' : 'unset')}
                  />
                )}
              </a>
            </li>
          )
        })}
      </ul>
    </nav>
  )
})
