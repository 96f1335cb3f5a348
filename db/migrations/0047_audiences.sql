-- Lists of people that are brought to ad platforms. What identifies them is hashed in the browser; our copy of
-- the hashes is sealed and destroyed after keep_days.

create table site (
  id bigint generated always as identity primary key,
  advertiser bigint not null references advertiser,
  name text not null,
  url text not null,
  platform text not null default 'other',
  -- [{platform, id}]
  pixels jsonb not null default '[]',
  is_active boolean not null default true,
  version integer not null default 1,
  created_at timestamptz not null default now(),
  last_modified_at timestamptz not null default now()
);
create unique index site_url on site (advertiser, lower(url));

create table audience (
  id bigint generated always as identity primary key,
  advertiser bigint not null references advertiser,
  kind text not null check (kind in ('customer_file', 'website', 'lookalike', 'ga4')),
  name text not null,
  description text not null default '',
  collected_by text check (collected_by in ('advertiser', 'partner', 'both')),
  -- How consent was obtained, and who confirmed that at the last upload.
  basis text,
  confirmed_by bigint references users,
  confirmed_at timestamptz,
  -- {ad_user_data, ad_personalization}
  consent jsonb,
  window_days integer,
  keep_days integer,
  site bigint references site,
  -- {match, values}
  rule jsonb,
  seed bigint references audience,
  country text,
  ratio integer,
  ga4_view bigint references ad_account,
  ga4_audience text,
  status text not null default 'draft' check (status in ('draft', 'ready', 'expired')),
  rows bigint not null default 0,
  expires_at timestamptz,
  -- It goes as soon as its last share is removed.
  is_deleting boolean not null default false,
  created_by bigint references users,
  version integer not null default 1,
  created_at timestamptz not null default now(),
  last_modified_at timestamptz not null default now()
);
create unique index audience_name on audience (advertiser, lower(name));
create index audience_last_modified on audience (last_modified_at, id);
create index audience_seed on audience (seed) where seed is not null;
create index audience_expiry on audience (expires_at) where status = 'ready' and expires_at is not null;
create index audience_trigrams on audience using gin (name gin_trgm_ops);

create table audience_upload (
  id uuid primary key,
  -- In which order uploads have been taken: shares send them in this order. null while it is open.
  position bigint unique,
  audience bigint not null references audience on delete cascade,
  session uuid not null,
  action text not null check (action in ('add', 'remove', 'replace')),
  columns text[] not null,
  state text not null default 'open' check (state in ('open', 'taken', 'dropped')),
  next_seq integer not null default 1,
  rows bigint not null default 0,
  -- What the browser counted: numbers alone.
  counts jsonb,
  basis text,
  created_by bigint references users,
  created_at timestamptz not null,
  last_modified_at timestamptz not null,
  taken_at timestamptz,
  unique (audience, session)
);
create sequence audience_upload_position owned by audience_upload.position;
create unique index audience_upload_open on audience_upload (audience) where state = 'open';
create index audience_upload_of on audience_upload (audience, position);

-- What was answered to each batch, so that the same one again changes nothing.
create table audience_upload_batch (
  upload uuid not null references audience_upload on delete cascade,
  seq integer not null,
  digest bytea not null,
  rows integer not null,
  stored integer not null,
  primary key (upload, seq)
);

-- Up to 10,000 rows, sealed. A chunk belongs to the audience's list when its upload added or replaced and was
-- taken; those of an upload that removes are kept until every share has sent them.
create table audience_chunk (
  id bigint generated always as identity primary key,
  audience bigint not null references audience on delete cascade,
  upload uuid not null references audience_upload on delete cascade,
  columns text[] not null,
  rows integer not null,
  -- A keyed hash of eight bytes for each row: which rows are there already.
  fingerprints bytea not null,
  sealed bytea not null
);
create index audience_chunk_of on audience_chunk (audience, id);
create index audience_chunk_upload on audience_chunk (upload, id);
alter table audience_chunk alter column sealed set storage external;

create table audience_share (
  id bigint generated always as identity primary key,
  audience bigint not null references audience on delete cascade,
  ad_account bigint not null references ad_account,
  mode text not null check (mode in ('home', 'shared', 'copy')),
  -- The business within which the platform shares it; and, when shared, from which share.
  business text,
  home bigint references audience_share,
  state text not null,
  -- [{part, external_id, progress, status, size, match}]
  parts jsonb not null default '[]',
  -- What is being sent: {action, upload, session, part, after_chunk, batch, rows, sent_rows, begun_at}
  task jsonb,
  -- The position of the last upload that it has sent.
  sent_to bigint not null default 0,
  size text,
  match text,
  code text,
  message text,
  request_id text,
  synced_at timestamptz,
  checked_at timestamptz,
  auto_sync boolean not null default true,
  failures integer not null default 0,
  next_at timestamptz,
  claim uuid,
  claimed_until timestamptz,
  created_by bigint references users,
  created_at timestamptz not null,
  last_modified_at timestamptz not null,
  unique (audience, ad_account)
);
create index audience_share_due on audience_share (next_at) where next_at is not null;
create index audience_share_account on audience_share (ad_account);

-- People who must not be uploaded again: keyed hashes of their identifiers.
create table suppressed_member (
  advertiser bigint not null references advertiser,
  key bytea not null,
  created_at timestamptz not null,
  primary key (advertiser, key)
);

create table erasure (
  id bigint generated always as identity primary key,
  advertiser bigint not null references advertiser,
  columns text[] not null,
  rows integer not null,
  removed bigint not null default 0,
  -- The last of our chunks that it has been taken out of; null: of all.
  after_chunk bigint default 0,
  -- The hashes, until every account is done.
  sealed bytea,
  created_by bigint references users,
  created_at timestamptz not null,
  finished_at timestamptz
);
create index erasure_advertiser on erasure (advertiser, id);
create index erasure_sweep on erasure (id) where after_chunk is not null;

create table erasure_account (
  erasure bigint not null references erasure on delete cascade,
  ad_account bigint not null references ad_account,
  outcome text not null default 'pending',
  code text,
  failures integer not null default 0,
  next_at timestamptz,
  claim uuid,
  claimed_until timestamptz,
  primary key (erasure, ad_account)
);
create index erasure_account_due on erasure_account (next_at) where next_at is not null;

-- Who may see it: whoever may use the advertiser. Hashes, batches and the suppression list are read for nobody.
alter table site enable row level security;
create policy seen on site for select using (
  (select asking_sees_all_advertisers()) or advertiser in (select asking_advertisers()));
alter table audience enable row level security;
create policy seen on audience for select using (
  (select asking_sees_all_advertisers()) or advertiser in (select asking_advertisers()));
alter table audience_upload enable row level security;
create policy seen on audience_upload for select using (exists (select from audience where audience.id = audience_upload.audience));
alter table audience_share enable row level security;
create policy seen on audience_share for select using (exists (select from audience where audience.id = audience_share.audience));
alter table erasure enable row level security;
create policy seen on erasure for select using (
  (select asking_sees_all_advertisers()) or advertiser in (select asking_advertisers()));
alter table erasure_account enable row level security;
create policy seen on erasure_account for select using (exists (select from erasure where erasure.id = erasure_account.erasure));
