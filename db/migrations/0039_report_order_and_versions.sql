-- What the rows of a report's table are sorted by ({by, block, descending}; null: its dimensions), and how many of them are written (null: all).
alter table report
  add column sort jsonb,
  add column "limit" integer check ("limit" >= 1);

-- What the settings of a report were after each save, the latest fifty. `changed` names the parts that differ from the save before, without their values: who may
-- see that something changed may not see every account that it was about.
create table report_version (
  report bigint not null references report (id) on delete cascade,
  version integer not null,
  settings jsonb not null,
  changed text[] not null default '{}',
  author bigint references users (id) on delete set null,
  -- The version whose settings were restored.
  restores integer,
  saved_at timestamptz not null,
  primary key (report, version)
);
create index report_version_author on report_version (author) where author is not null;

alter table report_version enable row level security;
create policy seen on report_version for select using (exists (select from report where report.id = report_version.report));
