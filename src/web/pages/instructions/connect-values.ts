import { scopesOf, servicesOf, type ConnectablePlatform } from '#shared/connect.ts'
import type { CopiedValue } from './section.ts'

/** What the agency enters at a platform for its own app, so that people can connect there. */
export function connectValues(platform: ConnectablePlatform): CopiedValue[] {
  const scopes = scopesOf(platform, servicesOf(platform))
  return [
    {
      of: 'callback_url',
      label: { en: 'Callback URL of the agency’s app', 'zh-TW': '代理商應用程式的回呼網址' },
    },
    ...(scopes.length === 0
      ? []
      : [
          {
            constant: scopes.join(' '),
            label: { en: 'Scopes of the agency’s app', 'zh-TW': '代理商應用程式的權限範圍' },
          },
        ]),
  ]
}
