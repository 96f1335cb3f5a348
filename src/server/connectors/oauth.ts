import { hash } from 'node:crypto'
import type { ConnectorContext, Hosts } from './connector.ts'

/**
 * Connecting by authorization code: the person agrees at the platform, which sends the browser back with a
 * code that becomes a login. The logins have the fields that the connectors read (shared/platforms.ts).
 * Failures are PlatformFailures; none of them holds a code, a token, a secret or a verifier.
 */
export interface OAuthConnector {
  /** Whether the platform takes a challenge (PKCE S256), and then the verifier with the code. */
  pkce: boolean
  /** The page where the person agrees. */
  consentUrl(request: ConsentRequest, hosts: Hosts): string
  /** A code, which is good once, for a login. */
  exchange(request: ExchangeRequest, context: ConnectorContext): Promise<Connected>
  /** What the login may do now; null where the platform does not tell. */
  grantedScopes(login: StoredLogin, context: ConnectorContext): Promise<string[] | null>
  /** The same login for longer; left out: it does not end while it is used. */
  renew?(
    login: StoredLogin,
    app: OAuthApp,
    context: ConnectorContext,
  ): Promise<Pick<Connected, 'login' | 'expires_at'>>
  /** Takes the consent back at the platform, as the person could; left out: the platform has no way to. */
  revoke?(login: StoredLogin, app: OAuthApp, context: ConnectorContext): Promise<void>
}

/** The agency's own app at a platform. */
export interface OAuthApp {
  client_id: string
  client_secret: string
  /** Meta: a configuration of Login for Business, which then decides the scopes. */
  config_id?: string | null
}

export interface ConsentRequest {
  app: OAuthApp
  callback_url: string
  state: string
  scopes: readonly string[]
  /** null where the platform takes none. */
  challenge: string | null
}

export interface ExchangeRequest {
  app: OAuthApp
  code: string
  /** The same as in the consent. */
  callback_url: string
  /** null where the platform takes none. */
  verifier: string | null
}

/** One text for each field that is filled in. */
export type StoredLogin = Readonly<Record<string, string>>

export interface Connected {
  login: Record<string, string>
  /** When the login ends unless it is renewed; null: it does not. */
  expires_at: Date | null
  /** null where the platform does not tell: then `grantedScopes` is null, too. */
  scopes: string[] | null
  /** Who agreed; null where the platform does not tell. */
  person: ConsentingPerson | null
}

export interface ConsentingPerson {
  /** The platform's own, which does not change. */
  id: string
  name: string | null
  /** Google's alone. */
  email?: string | null
}

/** What the consent carries of a verifier, which is 32 random bytes or more in base64url (RFC 7636, S256). */
export const challengeOf = (verifier: string): string => hash('sha256', verifier, 'base64url')
