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

alter table rate
  add column id bigint generated always as identity,
  add column version integer not null default 1;
create unique index rate_id on rate (id);

alter table report
  add column currency text,
  add column comparison jsonb,
  add column note boolean not null default false,
  add column blends jsonb not null default '[]';
