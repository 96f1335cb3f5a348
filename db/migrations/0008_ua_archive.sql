-- What agencies have kept of Universal Analytics, which forgot everything in 2024. A view may be there several times, split by different
-- dimensions: people counted by day and campaign cannot be told from people counted by day and source.
create table ua_archive_day (
  id bigint generated always as identity primary key,
  view_id text not null,
  day date not null,
  -- What its rows are split by beside the day, in the order of their keys.
  dimensions text[] not null,
  -- In the order of its rows' figures.
  metrics text[] not null,
  rows integer not null,
  imported_at timestamptz not null default now(),
  unique (view_id, day, dimensions)
);

create table ua_archive_row (
  archive_day bigint not null references ua_archive_day (id) on delete cascade,
  keys text[] not null,
  -- Exact: counts, seconds, and money in millionths.
  figures numeric[] not null
);
create index ua_archive_row_archive_day on ua_archive_row (archive_day);
