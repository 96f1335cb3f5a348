import { useEffect, useRef } from 'react'
import { singleKeys, switchSingleKeys } from '#web/client/single-keys.ts'
import { useStore } from '#web/client/store.ts'
import { useTranslation } from '#web/i18n/use-translation.ts'
import { Card } from '#web/ui/card.tsx'
import { SwitchField } from '#web/ui/switch-field.tsx'

/** Single-key shortcuts, on or off. */
export function ShortcutsCard() {
  const { t } = useTranslation('profile')
  const on = useStore(singleKeys)
  const section = useRef<HTMLDivElement>(null)
  // It was not there yet when the page opened.
  useEffect(() => {
    if (location.hash === '#shortcuts') section.current?.scrollIntoView()
  }, [])
  return (
    <div id="shortcuts" ref={section}>
      <Card title={t('shortcuts')}>
        <SwitchField
          label={t('single_keys')}
          hint={t('single_keys_hint')}
          checked={on}
          onChange={switchSingleKeys}
        />
      </Card>
    </div>
  )
}
