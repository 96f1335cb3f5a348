import { ActionIcon, Button, Input } from '@mantine/core'
import { IconPlus, IconTrash } from '@tabler/icons-react'
import type { ReactNode } from 'react'
import { pixelPlatforms } from '#shared/materials/sites.ts'
import { useTranslation } from '#web/i18n/use-translation.ts'
import { SelectField } from '#web/ui/select-field.tsx'
import { TextField } from '#web/ui/text-field.tsx'
import { MOST_PIXELS, pixelFault, type PixelDraft, type PixelPlatform } from './site-draft.ts'
import styles from './sites.module.css'

interface PixelsFieldProps {
  value: readonly PixelDraft[]
  onChange: (value: readonly PixelDraft[]) => void
  errorOf: (path: string) => ReactNode
}

const examples: Record<PixelPlatform, string> = {
  meta: '1234567890123456',
  google_ads: 'AW-123456789',
  ga4: 'G-ABC1234567',
  tiktok: 'C4ABCDEFGHIJ12345678',
  line: '12345678-90ab-cdef-1234-567890abcdef',
  yahoo: 'ABCDEF1234',
}

/** The tags that the site carries, each with the platform that has given it. */
export function PixelsField({ value, onChange, errorOf }: PixelsFieldProps) {
  const { t } = useTranslation('sites')
  const put = (index: number, change: Partial<PixelDraft>) =>
    onChange(value.map((pixel, at) => (at === index ? { ...pixel, ...change } : pixel)))
  const unused = pixelPlatforms.find(platform => !value.some(pixel => pixel.platform === platform))
  return (
    <Input.Wrapper
      labelElement="div"
      label={t('field.pixels')}
      description={t('hint.pixels')}
      inputWrapperOrder={['label', 'description', 'input', 'error']}
      error={errorOf('')}
    >
      <div className={styles.pixels}>
        {value.map((pixel, index) => {
          const fault = pixelFault(value, index)
          return (
            // Two may be equal while they are typed: only their index identifies them.
            <div
              key={index}
              role="group"
              aria-label={t('pixel.nth', { number: index + 1 })}
              className={styles.pixel}
            >
              <SelectField
                aria-label={t('pixel.platform')}
                options={pixelPlatforms.map(platform => ({
                  value: platform,
                  label: t(`pixel_platform.${platform}`),
                }))}
                value={pixel.platform}
                onChange={platform => put(index, { platform })}
              />
              <TextField
                label={null}
                aria-label={t('pixel.id')}
                placeholder={examples[pixel.platform]}
                value={pixel.id}
                onChange={id => put(index, { id })}
                maxLength={64}
                autoComplete="off"
                error={fault ? t(`pixel.${fault}`) : errorOf(`${index}.id`)}
              />
              <ActionIcon
                size={36}
                aria-label={t('pixel.remove', { number: index + 1 })}
                onClick={() => onChange(value.toSpliced(index, 1))}
              >
                <IconTrash size={16} stroke={1.6} />
              </ActionIcon>
            </div>
          )
        })}
        {value.length < MOST_PIXELS && (
          <Button
            size="xs"
            variant="default"
            leftSection={<IconPlus size={14} stroke={1.8} />}
            onClick={() => onChange([...value, { platform: unused ?? 'meta', id: '' }])}
          >
            {t('pixel.add')}
          </Button>
        )}
      </div>
    </Input.Wrapper>
  )
}
