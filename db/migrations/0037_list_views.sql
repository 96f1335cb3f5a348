-- no transaction
-- What a person marks and keeps in the list of reports, and by what it can be ordered. In steps, since reports and runs are in use: the only long one
-- fills in the last runs, and holds rows of reports, not of runs.

create table if not exists report_favourite (
  report bigint not null references report on delete cascade,
  user_id bigint not null references users on delete cascade,
  created_at timestamptz not null default now(),
  primary key (user_id, report)
);
-- For deleting a report.
create index if not exists report_favourite_report on report_favourite (report);
alter table report_favourite enable row level security;
drop policy if exists seen on report_favourite;
create policy seen on report_favourite for select using (user_id = (select asking_person()));

-- Filters, search and order of the list under a name.
create table if not exists report_view (
  id bigint generated always as identity primary key,
  owner bigint not null references users on delete cascade,
  name text not null,
  filters jsonb not null,
  created_at timestamptz not null default now(),
  last_modified_at timestamptz not null default now()
);
create unique index if not exists report_view_name on report_view (owner, lower(name));
alter table report_view enable row level security;
drop policy if exists seen on report_view;
create policy seen on report_view for select using (owner = (select asking_person()));

-- Who has ended it: whoever removed a report from their own list may undo that, and nobody whom the owner has removed.
alter table ended_share add column if not exists ended_by bigint references users on delete set null;
alter table ended_share add column if not exists was_favourite boolean not null default false;
create index if not exists ended_share_ended_by on ended_share (ended_by) where ended_by is not null;

-- When its latest run ended. Ordering 50,000 reports by looking each up among the runs took two seconds.
alter table report add column if not exists last_run_at timestamptz;

-- By the database itself: runs end in several statements, and those of the version before do not know the column. Whoever ends a run locks its report in
-- the same transaction anyway. Only statements that set the column call it, so that the progress of runs costs nothing more.
create or replace function run_ended() returns trigger language plpgsql as $$ begin
  update report set last_run_at = new.finished_at where id = new.report and (last_run_at is null or last_run_at < new.finished_at); return null; end $$;
create or replace trigger run_ended after insert or update of finished_at on run
  for each row when (new.finished_at is not null) execute function run_ended();

update report set last_run_at = run.finished_at
from (select report, max(finished_at) as finished_at from run where finished_at is not null group by report) run
where report.id = run.report and report.last_run_at is null;

drop index concurrently if exists report_owner_last_run;
create index concurrently report_owner_last_run on report (owner, last_run_at desc, id desc) where deleted_at is null;
