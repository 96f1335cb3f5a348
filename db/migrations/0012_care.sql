-- What was done to many reports at once, so that it can be taken back.
create table care_deed (
  id uuid primary key,
  kind text not null check (kind in ('replace_account', 'extend', 'clone')),
  actor bigint not null references users on delete cascade,
  -- Folders that a clone has made.
  folders bigint[] not null default '{}',
  created_at timestamptz not null default now()
);
create index care_deed_created_at on care_deed (created_at);

create table care_change (
  deed uuid not null references care_deed on delete cascade,
  report bigint not null references report on delete cascade,
  -- That the deed left the report with: a newer one is somebody's work and stays.
  version integer not null,
  -- The fields as they were; null: the deed has made the report.
  before jsonb,
  is_undone boolean not null default false,
  primary key (deed, report)
);
create index care_change_report on care_change (report);

-- How many runs begin in each quarter hour, read from the index alone; it takes the place of the one on next_run_at.
create index report_due_frequency on report (next_run_at, update_frequency) where next_run_at is not null and deleted_at is null;
drop index report_due;

-- Reports that end soon, for those who look over everybody's.
create index report_ending on report (date_end) where dynamic_range = 0 and update_frequency > 1 and deleted_at is null;
