import { Button } from '@mantine/core'
import { IconMapPin } from '@tabler/icons-react'
import { useState, type ReactNode } from 'react'
import { useTranslation } from '#web/i18n/use-translation.ts'
import { countryName } from '#web/pages/audiences/audience-draft.ts'
import { MultiSelectField } from '#web/ui/multi-select-field.tsx'
import { TagsField } from '#web/ui/tags-field.tsx'
import { distinctTexts, MOST_LOCATIONS, separators } from './draft.ts'
import { keyOf, partName, placeKeys, placeName, placeOf, type Place } from './places.ts'
import styles from './target-audiences.module.css'

interface PlacesFieldProps {
  value: readonly Place[]
  onChange: (value: readonly Place[]) => void
  error?: ReactNode
}

/** Countries and regions by name, and where it matters some of their cities alone. */
export function PlacesField({ value, onChange, error }: PlacesFieldProps) {
  const { t, language } = useTranslation('target_audiences')
  const [hasCities, setHasCities] = useState(value.some(({ cities }) => cities.length > 0))
  const chosen = value.map(keyOf)
  const keys = [...placeKeys(language), ...chosen.filter(key => !placeKeys(language).includes(key))]
  const options = keys.map(key => {
    const place = placeOf(key)
    const group = place.region === null ? t('places.countries') : countryName(place.country, language)
    return {
      value: key,
      label: placeName(place, language),
      short: partName(place, language),
      group,
      note: key,
    }
  })
  const put = (key: string, cities: string[]) =>
    onChange(value.map(place => (keyOf(place) === key ? { ...place, cities } : place)))
  return (
    <div className={styles.places}>
      <MultiSelectField
        label={t('field.locations')}
        placeholder={t('all.locations')}
        options={options}
        value={chosen}
        onChange={next =>
          onChange(next.map(key => value.find(place => keyOf(place) === key) ?? placeOf(key)))
        }
        limit={MOST_LOCATIONS}
        error={error}
      />
      {hasCities && value.length > 0 && (
        <div className={styles.cities}>
          {value.map(place => (
            <TagsField
              key={keyOf(place)}
              label={t('places.cities', { name: partName(place, language) })}
              placeholder={t('places.whole')}
              value={place.cities}
              onChange={cities => put(keyOf(place), distinctTexts(cities))}
              separators={separators}
              maxLength={80}
            />
          ))}
        </div>
      )}
      {!hasCities && value.length > 0 && (
        <div>
          <Button
            size="xs"
            variant="subtle"
            leftSection={<IconMapPin size={14} stroke={1.8} />}
            onClick={() => setHasCities(true)}
          >
            {t('places.add_cities')}
          </Button>
        </div>
      )}
    </div>
  )
}
