import type { ReactNode } from 'react'
import type { File as StoredFile, Image } from '#shared/api/materials.ts'
import { useTranslation } from '#web/i18n/use-translation.ts'
import { sizeText } from '#web/ui/chosen-files.tsx'
import { RelativeTime } from '#web/ui/relative-time.tsx'
import { LinksWith } from './links-with.tsx'
import styles from './materials.module.css'
import type { MaterialKind } from './paths.ts'

interface MaterialFactsProps {
  kind: MaterialKind
  row: Image | StoredFile
  /** What it is, in words. */
  type: ReactNode
  /** Whether leaving the page would lose what has been written beside it. */
  isChanged: boolean
  /** Further ones, after the type. */
  children?: ReactNode
}

/** What is known of one and cannot be changed. */
export function MaterialFacts({ kind, row, type, isChanged, children }: MaterialFactsProps) {
  const { t, language } = useTranslation('materials')
  return (
    <dl className={styles.facts}>
      <Fact name={t('field.owner')}>{row.advertiser_name ?? t('agency')}</Fact>
      <Fact name={t('field.type')}>{type}</Fact>
      {children}
      <Fact name={t('field.size')}>{sizeText(row.size, language)}</Fact>
      <Fact name={t('field.uploaded')}>
        {row.uploaded_by_name === null ? (
          <RelativeTime at={row.created_at} />
        ) : (
          <>
            {row.uploaded_by_name}
            {t('joint')}
            <RelativeTime at={row.created_at} />
          </>
        )}
      </Fact>
      <Fact name={t('field.in_use')}>
        <LinksWith kind={kind} id={row.id} count={row.in_use} isChanged={isChanged} />
      </Fact>
    </dl>
  )
}

export function Fact({ name, children }: { name: string; children: ReactNode }) {
  return (
    <div>
      <dt>{name}</dt>
      <dd>{children}</dd>
    </div>
  )
}
