-- What an agency plans and links campaigns with: publishers and sites, target audiences, campaign links, images
-- and files. What belongs to no advertiser is the agency's.

alter table site add column created_by bigint references users;
-- In their normal form, as they are compared with what people write.
update site set url = url || '/' where url ~ '^https?://[^/?#]+$' and not exists (
  select from site other where other.advertiser = site.advertiser and lower(other.url) = lower(site.url || '/'));
create index site_trigrams on site using gin (name gin_trgm_ops);

create table publisher (
  id bigint generated always as identity primary key,
  name text not null,
  type text not null,
  channel text,
  website text not null default '',
  -- [{name, title, phone, email, is_billing}]
  contacts jsonb not null default '[]',
  note text not null default '',
  created_by bigint references users,
  version integer not null default 1,
  created_at timestamptz not null default now(),
  last_modified_at timestamptz not null default now()
);
create unique index publisher_name on publisher (lower(name));

create table target_audience (
  id bigint generated always as identity primary key,
  advertiser bigint not null references advertiser,
  name text not null,
  age_min integer not null check (age_min between 13 and 65),
  -- 65: and older.
  age_max integer not null check (age_max between age_min and 65),
  -- Empty: all.
  genders text[] not null default '{}',
  -- [{country, region?, city?}]
  locations jsonb not null default '[]',
  languages text[] not null default '{}',
  interests text[] not null default '{}',
  devices text[] not null default '{}',
  note text not null default '',
  created_by bigint references users,
  version integer not null default 1,
  created_at timestamptz not null default now(),
  last_modified_at timestamptz not null default now()
);
create unique index target_audience_name on target_audience (advertiser, lower(name));

create table target_audience_list (
  target_audience bigint not null references target_audience on delete cascade,
  audience bigint not null references audience,
  side text not null check (side in ('include', 'exclude')),
  position integer not null,
  primary key (target_audience, audience)
);
create index target_audience_list_audience on target_audience_list (audience);

-- A file by what is in it: rows of several advertisers may share one, and nobody learns of the others.
create table blob (
  sha256 text primary key check (sha256 ~ '^[0-9a-f]{64}$'),
  -- null: found in the storage, and nothing says how it came there.
  size bigint,
  -- When somebody last began to store it.
  claimed_at timestamptz not null default now(),
  -- Since when no image and no file has it: a day later it goes.
  unused_since timestamptz,
  -- Since when the storage has it no longer, although an image or a file does.
  missing_since timestamptz
);
create index blob_unused on blob (unused_since) where unused_since is not null;
create index blob_missing on blob (sha256) where missing_since is not null;

create table image (
  id bigint generated always as identity primary key,
  -- null: the agency's.
  advertiser bigint references advertiser,
  name text not null,
  tags text[] not null default '{}',
  mime text not null,
  size bigint not null,
  -- What is stored and served; and what was uploaded, by which the same upload is recognised.
  sha256 text not null references blob,
  source_sha256 text not null,
  width integer not null,
  height integer not null,
  is_animated boolean not null default false,
  -- Which formats of shared/image-formats.ts it meets.
  formats text[] not null default '{}',
  preview_320 text not null references blob,
  preview_1280 text not null references blob,
  uploaded_by bigint references users,
  version integer not null default 1,
  created_at timestamptz not null default now(),
  last_modified_at timestamptz not null default now()
);
create unique index image_source on image (coalesce(advertiser, 0), source_sha256);
create index image_sha256 on image (sha256);
create index image_preview_320 on image (preview_320);
create index image_preview_1280 on image (preview_1280);
create index image_tags on image using gin (tags);
create index image_formats on image using gin (formats);
create index image_trigrams on image using gin (name gin_trgm_ops);

create table file (
  id bigint generated always as identity primary key,
  advertiser bigint references advertiser,
  name text not null,
  tags text[] not null default '{}',
  mime text not null,
  size bigint not null,
  sha256 text not null references blob,
  uploaded_by bigint references users,
  version integer not null default 1,
  created_at timestamptz not null default now(),
  last_modified_at timestamptz not null default now()
);
create unique index file_source on file (coalesce(advertiser, 0), sha256);
create index file_sha256 on file (sha256);
create index file_tags on file using gin (tags);
create index file_trigrams on file using gin (name gin_trgm_ops);

-- How many files a person has uploaded on a day of UTC.
create table upload_count (
  user_id bigint not null references users,
  day date not null,
  count integer not null,
  primary key (user_id, day)
);

create table link_preset (
  id bigint generated always as identity primary key,
  -- null: the agency's.
  advertiser bigint references advertiser,
  name text not null,
  platform text,
  -- {utm_source: 'facebook', …}
  values jsonb not null default '{}',
  locked text[] not null default '{}',
  -- {utm_medium: ['cpc', 'paid_social'], …}
  allowed jsonb not null default '{}',
  created_by bigint references users,
  version integer not null default 1,
  created_at timestamptz not null default now(),
  last_modified_at timestamptz not null default now()
);
create unique index link_preset_name on link_preset (coalesce(advertiser, 0), lower(name));

create table link (
  id bigint generated always as identity primary key,
  advertiser bigint not null references advertiser,
  site bigint references site,
  publisher bigint references publisher,
  -- The creative that people see before they follow it.
  image bigint references image,
  file bigint references file,
  preset bigint references link_preset on delete set null,
  -- Whose placeholders its values may have.
  platform text,
  name text not null,
  landing_url text not null,
  utm_source text not null,
  utm_medium text not null,
  utm_campaign text not null,
  utm_id text not null default '',
  utm_term text not null default '',
  utm_content text not null default '',
  utm_source_platform text not null default '',
  utm_creative_format text not null default '',
  utm_marketing_tactic text not null default '',
  -- [{key, value}]
  extra jsonb not null default '[]',
  -- Worked out of the above by shared/links/build-link.ts.
  link text not null,
  ga4_channel text not null,
  -- {outcome, hops, checked_at}
  "check" jsonb,
  created_by bigint references users,
  version integer not null default 1,
  created_at timestamptz not null default now(),
  last_modified_at timestamptz not null default now()
);
create index link_same on link (advertiser, md5(link));
create index link_last_modified on link (last_modified_at, id);
create index link_site on link (site) where site is not null;
create index link_publisher on link (publisher) where publisher is not null;
create index link_image on link (image) where image is not null;
create index link_file on link (file) where file is not null;
create index link_preset_of on link (preset) where preset is not null;
create index link_trigrams on link using gin (name gin_trgm_ops);
create index link_link_trigrams on link using gin (link gin_trgm_ops);

-- When each person has checked links within the last minute.
create table link_check (
  id bigint generated always as identity primary key,
  user_id bigint not null references users,
  at timestamptz not null
);
create index link_check_person on link_check (user_id, at);

insert into link_preset (name, platform, values, locked, allowed) values
  ('Meta Ads', 'meta', '{"utm_source": "facebook", "utm_medium": "paid_social", "utm_campaign": "{{campaign.name}}", "utm_content": "{{ad.id}}", "utm_source_platform": "Meta Ads"}', '{utm_source_platform}', '{"utm_source": ["facebook", "instagram"], "utm_medium": ["paid_social"]}'),
  ('Google Ads', 'google_ads', '{"utm_source": "google", "utm_medium": "cpc", "utm_term": "{keyword}"}', '{utm_source}', '{"utm_medium": ["cpc", "display", "video"]}'),
  ('TikTok Ads', 'tiktok', '{"utm_source": "tiktok", "utm_medium": "paid_social", "utm_campaign": "__CAMPAIGN_NAME__", "utm_content": "__CID__", "utm_source_platform": "TikTok Ads"}', '{utm_source,utm_medium}', '{}'),
  ('LINE Ads', 'line', '{"utm_source": "line", "utm_medium": "paid_social", "utm_source_platform": "LINE Ads"}', '{utm_source}', '{"utm_medium": ["paid_social", "display"]}'),
  ('Newsletter', null, '{"utm_source": "newsletter", "utm_medium": "email"}', '{utm_medium}', '{}'),
  ('Print QR', null, '{"utm_source": "print", "utm_medium": "qr"}', '{utm_medium}', '{"utm_source": ["print", "flyer", "poster", "packaging"]}');

-- Who may see them: the agency's own people, each within their advertisers. Which blobs there are is read for nobody.
alter table publisher enable row level security;
create policy seen on publisher for select using ((select asking_is_internal()));
alter table target_audience enable row level security;
create policy seen on target_audience for select using ((select asking_is_internal()) and (
  (select asking_sees_all_advertisers()) or advertiser in (select asking_advertisers())));
alter table target_audience_list enable row level security;
create policy seen on target_audience_list for select using (exists (
  select from target_audience where target_audience.id = target_audience_list.target_audience));
alter table image enable row level security;
create policy seen on image for select using ((select asking_is_internal()) and (
  advertiser is null or (select asking_sees_all_advertisers()) or advertiser in (select asking_advertisers())));
alter table file enable row level security;
create policy seen on file for select using ((select asking_is_internal()) and (
  advertiser is null or (select asking_sees_all_advertisers()) or advertiser in (select asking_advertisers())));
alter table link_preset enable row level security;
create policy seen on link_preset for select using ((select asking_is_internal()) and (
  advertiser is null or (select asking_sees_all_advertisers()) or advertiser in (select asking_advertisers())));
alter table link enable row level security;
create policy seen on link for select using ((select asking_is_internal()) and (
  (select asking_sees_all_advertisers()) or advertiser in (select asking_advertisers())));
