-- People, their sessions, and whose data is whose.

create table users (
  id bigint generated always as identity primary key,
  username text not null check (length(username) between 1 and 150),
  full_name text not null default '',
  identity text not null check (identity in ('external_user', 'staff', 'manager', 'director', 'superuser')),
  department smallint check (department between 1 and 7),
  user_type smallint not null check (user_type in (1, 2)),
  position text not null default '',
  email text,
  -- Only a confirmed address proves control of a spreadsheet.
  email_confirmed boolean not null default false,
  contacts jsonb not null default '[]',
  company_extension text not null default '',
  language text not null default 'en' check (language in ('en', 'zh-TW')),
  theme text not null default 'auto' check (theme in ('light', 'dark', 'auto')),
  is_active smallint not null default 1 check (is_active in (0, 1)),
  employment_status smallint not null default 1 check (employment_status between 0 and 3),
  -- Argon2id in PHC form; null until the person has followed the set-password link.
  password_hash text,
  created_at timestamptz not null default now(),
  last_modified_at timestamptz not null default now()
);
create unique index users_username_key on users (lower(username));

-- A sign-in and everything rotated out of it; revoking the family ends them all.
create table refresh_family (
  id uuid primary key,
  user_id bigint not null references users on delete cascade,
  created_at timestamptz not null,
  revoked_at timestamptz,
  revoked_because text check (revoked_because in ('signed_out', 'signed_out_everywhere', 'reused', 'password_changed', 'closed', 'role_changed'))
);
create index refresh_family_user_id on refresh_family (user_id) where revoked_at is null;

create table refresh_token (
  id uuid primary key,
  family uuid not null references refresh_family on delete cascade,
  issued_at timestamptz not null,
  expires_at timestamptz not null,
  -- Set at its use; a second use more than 10 seconds later means that somebody has stolen it.
  rotated_at timestamptz
);
create index refresh_token_family on refresh_token (family);

create table sign_in_failure (
  id bigint generated always as identity primary key,
  username text not null,
  address text not null,
  at timestamptz not null
);
create index sign_in_failure_username on sign_in_failure (username, at);

create table password_link (
  token_hash bytea primary key,
  user_id bigint not null references users on delete cascade,
  created_at timestamptz not null,
  expires_at timestamptz not null,
  used_at timestamptz
);

create table advertiser (
  id bigint generated always as identity primary key,
  name text not null unique,
  is_active boolean not null default true,
  created_at timestamptz not null default now(),
  last_modified_at timestamptz not null default now()
);

-- Internal people who serve it and external people who belong to it.
create table advertiser_member (
  advertiser bigint not null references advertiser on delete cascade,
  user_id bigint not null references users on delete cascade,
  primary key (advertiser, user_id)
);
create index advertiser_member_user_id on advertiser_member (user_id);

create table ad_account (
  id bigint generated always as identity primary key,
  channel text not null,
  external_id text not null,
  name text not null,
  currency text not null,
  timezone text not null,
  status text not null default 'enabled',
  ecid text,
  advertiser bigint references advertiser on delete set null,
  last_checked_at timestamptz,
  created_at timestamptz not null default now(),
  last_modified_at timestamptz not null default now(),
  unique (channel, external_id)
);
create index ad_account_advertiser on ad_account (advertiser);

-- Who signed in, changed, shared, ran or deleted what.
create table audit (
  id bigint generated always as identity primary key,
  at timestamptz not null default now(),
  actor bigint references users on delete set null,
  action text not null,
  object text,
  object_id text,
  detail jsonb,
  address text
);
create index audit_at on audit (at);
