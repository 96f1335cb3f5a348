-- Logins that people agree to at the platform, instead of pasting tokens.

-- The agency's own app at each platform. Its secrets are sealed, bound to the platform and their field.
create table platform_app (
  platform text primary key,
  client_id text,
  client_secret bytea,
  -- Meta: a configuration of Login for Business.
  config_id text,
  -- Google Ads.
  developer_token bytea,
  version integer not null default 1,
  last_modified_at timestamptz not null default now()
);

alter table public_account
  -- keys: entered by hand; oauth: a person agreed at the platform.
  add column kind text not null default 'keys' check (kind in ('keys', 'oauth')),
  -- Who agreed, as the platform calls them; null where it does not say.
  add column person_id text,
  add column person_name text,
  add column person_email text,
  add column connected_by bigint references users (id) on delete set null,
  add column connected_at timestamptz;

-- What a connected login is used for. One that was entered by hand is used for whatever it can do.
create table public_account_service (
  id bigint generated always as identity primary key,
  public_account bigint not null references public_account on delete cascade,
  service text not null check (service in ('reporting', 'audiences', 'businesses', 'spreadsheets')),
  enabled boolean not null,
  unique (public_account, service)
);

-- What was granted at the platform; null where it does not tell.
create table public_account_permission (
  public_account bigint not null references public_account on delete cascade,
  service text not null,
  scope text not null,
  granted boolean,
  checked_at timestamptz not null,
  primary key (public_account, service, scope)
);

-- Keepers: they get the notices of a login and may connect it again.
create table public_account_user (
  id bigint generated always as identity primary key,
  public_account bigint not null references public_account on delete cascade,
  user_id bigint not null references users on delete cascade,
  unique (public_account, user_id)
);
create index public_account_user_user on public_account_user (user_id);

-- A person who is at the platform. The state itself is in their address alone, the nonce in their browser.
create table connect_state (
  hash bytea primary key,
  nonce_hash bytea not null,
  user_id bigint not null references users on delete cascade,
  platform text not null,
  services text[] not null,
  -- The login that is connected again; null: a new one.
  public_account bigint references public_account on delete cascade,
  verifier bytea,
  -- A login that somebody else has agreed to than before, sealed until that is confirmed.
  pending bytea,
  expires_at timestamptz not null,
  used_at timestamptz
);
create index connect_state_expires_at on connect_state (expires_at);
create index connect_state_user on connect_state (user_id);
create index connect_state_public_account on connect_state (public_account);
