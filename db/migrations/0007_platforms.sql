-- A platform's shared login. What it is made of is sealed with a key that the database does not have.
create table public_account (
  id bigint generated always as identity primary key,
  platform text not null,
  name text not null check (length(name) between 1 and 120),
  -- AES-256-GCM, bound to this row: a copy into another one cannot be opened.
  login bytea not null,
  -- Which fields it has; never what they hold.
  login_fields text[] not null,
  -- When the platform will stop taking it, where that is known.
  expires_at timestamptz,
  tested_at timestamptz,
  -- 'ok', or the code of the last test's failure.
  test_result text,
  created_by bigint references users (id) on delete set null,
  created_at timestamptz not null default now(),
  last_modified_at timestamptz not null default now()
);

alter table ad_account
  add column provider text,
  -- Through what the login reaches it: a manager, a base account, a group.
  add column via text,
  -- The shared login that found it; null: the one of the environment.
  add column public_account bigint references public_account (id) on delete set null,
  add column ga_account_id text,
  add column ga_account_name text,
  add column property_id text,
  add column property_name text;
update ad_account set provider = 'meta';
alter table ad_account
  alter column provider set not null,
  drop constraint ad_account_channel_external_id_key,
  add constraint ad_account_provider_external_id_key unique (provider, external_id);
create index ad_account_public_account on ad_account (public_account);
create index ad_account_channel on ad_account (channel);

-- Reports that platforms make while nobody waits, remembered from attempt to attempt of a run.
create table run_job (
  run uuid not null references run (id) on delete cascade,
  key text not null,
  job text not null,
  begun_at timestamptz not null default now(),
  primary key (run, key)
);

-- Names that platforms have told, for suggestions while a filter is typed.
create table filter_value (
  ad_account bigint not null references ad_account (id) on delete cascade,
  dimension text not null,
  value text not null,
  seen_at timestamptz not null default now(),
  primary key (ad_account, dimension, value)
);
