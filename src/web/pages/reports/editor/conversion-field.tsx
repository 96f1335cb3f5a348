import { useMemo } from 'react'
import { catalogueOf } from '#shared/channels/all.ts'
import { useTranslation } from '#web/i18n/use-translation.ts'
import { SelectField } from '#web/ui/select-field.tsx'
import type { BlockProps } from './block-card.tsx'
import { FixButtons } from './fix-buttons.tsx'
import { conversionName, conversionsOf } from './known.ts'

/** As the platform counts. */
const PLATFORM = ''

/** What counts as a conversion: where the accounts' advertiser has defined it, or one is chosen. */
export function ConversionField({ index, block, beside: { known }, editing }: BlockProps) {
  const { t, language } = useTranslation('editor')
  const { offered, chosen } = useMemo(() => conversionsOf(block, known), [block, known])
  const conversion = block.conversion ?? null
  if (catalogueOf(block.channel).actions === undefined && conversion === null) return null
  if (offered.length === 0 && conversion === null) return null
  const path = `channels.${index}.conversion`
  const others = conversion !== null && chosen === null ? [conversion] : []
  return (
    <div>
      <SelectField
        label={t('block.conversion')}
        hint={t('block.conversion_hint')}
        hintBelow
        value={conversion === null ? PLATFORM : String(conversion)}
        options={[
          { value: PLATFORM, label: t('block.conversion_platform') },
          ...[...offered.map(({ id }) => id), ...others].map(id => ({
            value: String(id),
            label:
              conversionName(id, known.meanings)?.[language] ??
              t('block.conversion_unknown', { id: String(id) }),
          })),
        ]}
        onChange={id => editing.edits.put(index, { conversion: id === PLATFORM ? null : Number(id) })}
        error={editing.errors.at(path)}
      />
      <FixButtons paths={[path]} editing={editing} />
    </div>
  )
}
