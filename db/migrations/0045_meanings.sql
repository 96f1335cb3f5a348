-- What a number means: calculated metrics, conversion definitions, labels and rates, and what a report takes of them.
-- `version` is raised by every change of a row; `advertiser` null is the whole agency's.

create table calculated_metric (
  id bigint generated always as identity primary key,
  advertiser bigint references advertiser,
  name text not null,
  name_zh text not null,
  explanation text not null default '',
  formula text not null,
  unit text not null check (unit in ('count', 'money', 'ratio', 'percent')),
  decimals smallint not null check (decimals between 0 and 6),
  is_active boolean not null default true,
  version integer not null default 1,
  created_at timestamptz not null default now(),
  last_modified_at timestamptz not null default now()
);
create unique index calculated_metric_name on calculated_metric (coalesce(advertiser, 0), lower(name));
create index calculated_metric_advertiser on calculated_metric (advertiser) where advertiser is not null;

create table conversion_definition (
  id bigint generated always as identity primary key,
  advertiser bigint not null references advertiser,
  name text not null,
  name_zh text not null,
  is_default boolean not null default false,
  -- [{channel, metric} or {channel, action}]
  entries jsonb not null,
  version integer not null default 1,
  created_at timestamptz not null default now(),
  last_modified_at timestamptz not null default now()
);
create unique index conversion_definition_name on conversion_definition (advertiser, lower(name));
create unique index conversion_definition_default on conversion_definition (advertiser) where is_default;

create table metric_label (
  id bigint generated always as identity primary key,
  advertiser bigint references advertiser,
  -- null: every channel that has the metric.
  channel text,
  metric text not null,
  label text not null,
  label_zh text not null,
  version integer not null default 1,
  created_at timestamptz not null default now(),
  last_modified_at timestamptz not null default now()
);
create unique index metric_label_of on metric_label (coalesce(advertiser, 0), coalesce(channel, ''), metric);
create index metric_label_advertiser on metric_label (advertiser) where advertiser is not null;

alter table rate
  add column id bigint generated always as identity,
  add column version integer not null default 1;
create unique index rate_id on rate (id);

alter table report
  add column currency text,
  add column comparison jsonb,
  add column note boolean not null default false,
  add column blends jsonb not null default '[]';

-- Which reports have a calculated metric, and which a definition: of each report only the few names that matter.
create index report_calculated on report
  using gin (jsonb_path_query_array(channels, '$[*].metrics[*] ? (@ starts with "calc:")')) where deleted_at is null;
create index report_conversion on report
  using gin (jsonb_path_query_array(channels, '$[*].conversion ? (@ != null)')) where deleted_at is null;

-- Who may see it: what is the agency's means the same to everybody whose reports have it, clients included.
alter table calculated_metric enable row level security;
create policy seen on calculated_metric for select using (
  (select asking_person()) is not null
  and (advertiser is null or (select asking_sees_all_advertisers()) or advertiser in (select asking_advertisers())));
alter table conversion_definition enable row level security;
create policy seen on conversion_definition for select using (
  (select asking_sees_all_advertisers()) or advertiser in (select asking_advertisers()));
alter table metric_label enable row level security;
create policy seen on metric_label for select using (
  (select asking_person()) is not null
  and (advertiser is null or (select asking_sees_all_advertisers()) or advertiser in (select asking_advertisers())));
