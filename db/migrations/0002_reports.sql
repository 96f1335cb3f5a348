-- Folders, reports, and which spreadsheet belongs to whom.

create table folder (
  id bigint generated always as identity primary key,
  owner bigint not null references users on delete cascade,
  name text not null check (length(name) between 1 and 120),
  parent bigint references folder on delete cascade,
  -- 1 directly under the root, 2 under another folder. The root is no row.
  layer smallint not null check (layer in (1, 2)),
  deleted_at timestamptz,
  created_at timestamptz not null default now(),
  last_modified_at timestamptz not null default now()
);
-- Two requests at once cannot make two siblings of one name, whatever the code checks.
create unique index folder_sibling_name on folder (owner, coalesce(parent, 0), lower(name)) where deleted_at is null;
create index folder_parent on folder (parent);

create table report (
  id bigint generated always as identity primary key,
  owner bigint not null references users,
  folder bigint references folder on delete set null,
  -- Counts up with each change by a person; a save with an older one is refused.
  version integer not null default 1,
  name text not null check (length(name) between 1 and 120),
  spreadsheet_url text not null default '',
  -- Taken from the address; null while it has none.
  spreadsheet_id text,
  sheet_name text not null default '',
  -- The tab's own id, so that a renamed tab can be told from a deleted one.
  sheet_id bigint,
  start_cell text not null default 'A1',
  timezone text not null,
  header_language text not null check (header_language in ('en', 'zh-TW')),
  arrangement text not null check (arrangement in ('joined', 'stacked')),
  fill_zero boolean not null,
  dimensions jsonb not null,
  channels jsonb not null,
  date_start date,
  date_end date,
  dynamic_range smallint not null check (dynamic_range between 0 and 5),
  -- Set by a support editor: ranges of up to three years.
  history_extended boolean not null default false,
  -- The chosen frequency; "ended" is worked out, never stored.
  update_frequency smallint not null check (update_frequency between 0 and 4),
  update_time time not null default '09:00',
  update_day_of_week smallint check (update_day_of_week between 1 and 7),
  update_day_of_month smallint check (update_day_of_month between 1 and 31),
  -- The next occurrence as an instant, worked out in TypeScript; null: not scheduled.
  next_run_at timestamptz,
  -- Outcome of the last permission check.
  target_state text,
  target_checked_at timestamptz,
  copied_by bigint references users on delete set null,
  deleted_at timestamptz,
  deleted_by bigint references users on delete set null,
  created_at timestamptz not null default now(),
  last_modified_at timestamptz not null default now(),
  check (date_start is null or date_end is null or date_end >= date_start)
);
create index report_owner_modified on report (owner, last_modified_at desc, id desc) where deleted_at is null;
create index report_folder on report (folder) where deleted_at is null;
create index report_due on report (next_run_at) where next_run_at is not null and deleted_at is null;
create index report_spreadsheet on report (spreadsheet_id) where spreadsheet_id is not null and deleted_at is null;

create table report_share (
  report bigint not null references report on delete cascade,
  user_id bigint not null references users on delete cascade,
  access text not null check (access in ('viewer', 'editor')),
  shared_by bigint references users on delete set null,
  -- The recipient may file it in a folder of their own.
  folder bigint references folder on delete set null,
  created_at timestamptz not null default now(),
  primary key (report, user_id)
);
create index report_share_user_id on report_share (user_id);

-- Which ad accounts a report asks, kept beside `channels` so that access can be checked and accounts can be found by the database.
create table report_account (
  report bigint not null references report on delete cascade,
  block smallint not null,
  ad_account bigint not null references ad_account,
  primary key (report, block, ad_account)
);
create index report_account_ad_account on report_account (ad_account);

-- A spreadsheet belongs to whoever proved control of it first: an advertiser, or (null) the agency itself.
create table spreadsheet_binding (
  spreadsheet_id text primary key,
  advertiser bigint references advertiser on delete cascade,
  proven_by bigint references users on delete set null,
  proof text not null check (proof in ('permission', 'code')),
  created_at timestamptz not null default now()
);

-- The one-time code that a person types into a cell to prove control.
create table spreadsheet_code (
  spreadsheet_id text not null,
  user_id bigint not null references users on delete cascade,
  code text not null,
  expires_at timestamptz not null,
  primary key (spreadsheet_id, user_id)
);
