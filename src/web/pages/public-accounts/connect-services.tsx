import { Input, Stack } from '@mantine/core'
import type { PublicAccountPlatform } from '#shared/api/public-accounts.ts'
import type { Service } from '#shared/connect.ts'
import { useTranslation } from '#web/i18n/use-translation.ts'
import { CheckboxField } from '#web/ui/checkbox-field.tsx'
import { ProblemText } from '#web/ui/problem-text.tsx'
import styles from './public-accounts.module.css'

interface ConnectServicesProps {
  platform: PublicAccountPlatform
  chosen: readonly Service[]
  onChange: (chosen: Service[]) => void
  /** Somebody has tried to go on: that one has to be chosen is said. */
  tried: boolean
}

/** What a login is to be used for, and what that asks for at the platform. */
export function ConnectServices({ platform, chosen, onChange, tried }: ConnectServicesProps) {
  const { t } = useTranslation('connections')
  return (
    <Input.Wrapper
      label={t('start.services')}
      labelElement="div"
      error={tried && chosen.length === 0 && <ProblemText code="field_required" />}
    >
      <Stack gap="sm" mt={6}>
        {platform.services.map(({ service, scopes }) => (
          <CheckboxField
            key={service}
            label={t(`service.${service}`)}
            hint={
              <>
                {t(`service_hint.${service}`)}
                <br />
                <span className={styles.scopes}>
                  {scopes.length === 0
                    ? t('start.asks_nothing')
                    : t('start.asks', { scopes: scopes.map(shortName).join(', ') })}
                </span>
              </>
            }
            checked={chosen.includes(service)}
            onChange={checked =>
              onChange(checked ? [...chosen, service] : chosen.filter(each => each !== service))
            }
          />
        ))}
      </Stack>
    </Input.Wrapper>
  )
}

/** Google's are addresses, of which the end says which one it is. */
export const shortName = (scope: string) => scope.replace('https://www.googleapis.com/auth/', '')
