import { Button } from '@mantine/core'
import { IconPencil, IconPrinter } from '@tabler/icons-react'
import { useNavigate, useSearch } from '@tanstack/react-router'
import { useEffect, useState } from 'react'
import { languageNames, languages, type Language } from '#shared/language.ts'
import { useMe } from '#web/client/me.ts'
import { usePageTitle } from '#web/client/page-title.ts'
import { useLanguage } from '#web/i18n/use-translation.ts'
import { PageHeader } from '#web/ui/page-header.tsx'
import { Problem } from '#web/ui/problem.tsx'
import { SegmentedField } from '#web/ui/segmented-field.tsx'
import { TableLoading } from '#web/ui/table-loading.tsx'
import { adSections } from './ad-sections.ts'
import { useInstructions } from './data.ts'
import { googleSections } from './google-sections.ts'
import styles from './instructions.module.css'
import { SectionCard } from './section-card.tsx'
import { AS_OF, sayIn } from './texts.ts'
import { ValuesDialog } from './values-dialog.tsx'

export const sections = [...adSections, ...googleSections]

/** What a client does at each platform: to read, to copy from, and to print in their language. */
export function Instructions() {
  const [language, choose] = usePageLanguage()
  const say = sayIn(language)
  const me = useMe()
  const { data: known, error, refetch } = useInstructions()
  const [editing, setEditing] = useState(false)
  usePageTitle(sayIn(useLanguage())('title'))
  useAnchor(known !== undefined)
  return (
    <div className={styles.page} lang={language === 'zh-TW' ? 'zh-Hant-TW' : language}>
      <PageHeader
        title={say('title')}
        detail={`${say('detail')} ${say('as_of', { day: AS_OF })}`}
        actions={
          <div className={styles.tools}>
            {me.identity === 'superuser' && (
              <Button
                variant="default"
                leftSection={<IconPencil size={16} />}
                onClick={() => setEditing(true)}
              >
                {say('edit')}
              </Button>
            )}
            <Button leftSection={<IconPrinter size={16} />} onClick={() => window.print()}>
              {say('print')}
            </Button>
          </div>
        }
      />
      <div className={styles.language}>
        <SegmentedField
          label={say('language')}
          options={languages.map(each => ({ value: each, label: languageNames[each] }))}
          value={language}
          onChange={choose}
        />
      </div>
      {error ? (
        <Problem code={error.code} onRetry={() => void refetch()} />
      ) : !known ? (
        <TableLoading rows={6} />
      ) : (
        <>
          <nav className={styles.contents} aria-label={say('contents')}>
            {sections.map(({ id, title }) => (
              <a key={id} href={`#${id}`}>
                {title[language]}
              </a>
            ))}
          </nav>
          {sections.map(section => (
            <SectionCard key={section.id} section={section} known={known} language={language} />
          ))}
        </>
      )}
      {editing && known && (
        <ValuesDialog values={known.values} language={language} onClose={() => setEditing(false)} />
      )}
    </div>
  )
}

/** That of the interface, unless the page is to be read by somebody else. */
function usePageLanguage(): [Language, (language: Language) => void] {
  const own = useLanguage()
  const { language = own } = useSearch({ from: '/shell/setting/instructions' })
  const navigate = useNavigate({ from: '/setting/instructions' })
  return [language, chosen => void navigate({ search: { language: chosen }, replace: true, hash: true })]
}

/** A link to a section leads there once the page is drawn. */
function useAnchor(isDrawn: boolean) {
  useEffect(() => {
    const id = globalThis.location.hash.slice(1)
    if (isDrawn && id !== '') document.getElementById(id)?.scrollIntoView()
  }, [isDrawn])
}
