import { useTranslation } from '#web/i18n/use-translation.ts'
import { sizeText } from '#web/ui/chosen-files.tsx'
import { useStorageUse } from './data.ts'
import styles from './materials.module.css'
import { advertiserOf, type Owner } from './owner.ts'

/** How much of its room an advertiser has used, or the agency. */
export function StorageMeter({ owner }: { owner: Owner }) {
  const { t, language } = useTranslation('materials')
  const { data } = useStorageUse(advertiserOf(owner))
  if (!data) return null
  const words = t(owner === 'agency' ? 'storage.agency_used' : 'storage.used', {
    used: sizeText(data.used, language),
    allowed: sizeText(data.allowed, language),
  })
  return (
    <span className={styles.storage}>
      <meter
        min={0}
        max={data.allowed}
        low={data.allowed * HALF}
        high={data.allowed * NEARLY_FULL}
        optimum={0}
        value={Math.min(data.used, data.allowed)}
        aria-label={t(owner === 'agency' ? 'storage.of_agency' : 'storage.of_advertiser')}
      />
      <small>{words}</small>
    </span>
  )
}

const HALF = 0.5
const NEARLY_FULL = 0.9
