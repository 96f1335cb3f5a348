import { Stack } from '@mantine/core'
import type { ReactNode } from 'react'
import { chooseColorScheme, colorScheme } from '#web/client/color-scheme.ts'
import { useStore } from '#web/client/store.ts'
import { switchLanguage } from '#web/i18n/i18n.ts'
import { PageHeader } from '#web/ui/page-header.tsx'
import { LanguageSwitch, ThemeSwitch } from '#web/ui/switches.tsx'
import { Charts } from './charts.tsx'
import { Choices } from './choices.tsx'
import { Dates } from './dates.tsx'
import { Dialogs } from './dialogs.tsx'
import { Fields } from './fields.tsx'
import { Files } from './files.tsx'
import { Menus } from './menus.tsx'
import { MoneyFields } from './money-fields.tsx'
import { Messages, WholePage } from './messages.tsx'
import { Toasts } from './toasts.tsx'
import { Tables } from './tables.tsx'
import { useWords } from './words.ts'

/** One group of widgets, or all of them. */
export function Gallery({ part }: { part: string | null }) {
  if (part === 'page')
    return (
      <main>
        <WholePage />
      </main>
    )
  return (
    <Stack component="main" gap="lg" p="md" maw={900}>
      <Head />
      {Object.entries(parts)
        .filter(([name]) => part === null || part === name)
        .map(([name, Part]) => (
          <Part key={name} />
        ))}
    </Stack>
  )
}

function Head() {
  const say = useWords()
  return (
    <PageHeader
      title={say('Widgets', '元件')}
      detail={say('Each in its states.', '各元件的所有狀態。')}
      actions={
        <>
          <LanguageSwitch onChoose={language => void switchLanguage(language)} />
          <ThemeSwitch current={useStore(colorScheme)} onChoose={chooseColorScheme} />
        </>
      }
    />
  )
}

const parts: Record<string, () => ReactNode> = {
  fields: Fields,
  choices: Choices,
  money: MoneyFields,
  dates: Dates,
  files: Files,
  menus: Menus,
  tables: Tables,
  charts: Charts,
  messages: Messages,
  notices: Toasts,
  dialogs: Dialogs,
}
