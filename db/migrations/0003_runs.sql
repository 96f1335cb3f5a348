-- Clicks, runs, what they wrote and what they may ask.

-- One click: one run or many.
create table execution (
  id uuid primary key,
  created_by bigint not null references users on delete cascade,
  -- The Idempotency-Key header: the same click sent twice is one click.
  idempotency_key text,
  created_at timestamptz not null default now(),
  unique (created_by, idempotency_key)
);

create table run (
  id uuid primary key,
  report bigint not null references report on delete cascade,
  trigger text not null check (trigger in ('click', 'schedule', 'retry', 'cli')),
  status text not null check (status in ('queued', 'fetching', 'writing', 'completed', 'error', 'cancelled')),
  -- Whose access the run has: the report's owner at that moment.
  owner bigint not null references users on delete cascade,
  requested_by bigint references users on delete set null,
  -- The report as it was when the run first started; every attempt reads this, so that an edit does not change a run.
  report_version integer,
  plan jsonb,
  -- Counts up with each claim: whoever holds an older number may change nothing any more.
  attempt integer not null default 0,
  -- Leases lost without a word: the worker died. Set aside after three.
  lost_leases integer not null default 0,
  failures integer not null default 0,
  worker text,
  lease_until timestamptz,
  cancel_requested_at timestamptz,
  due_at timestamptz,
  queued_at timestamptz not null default now(),
  started_at timestamptz,
  finished_at timestamptz,
  resumes_at timestamptz,
  -- When the queue was last told about it again because nobody seemed to have it.
  nudged_at timestamptz,
  range_start date,
  range_end date,
  rows integer,
  columns integer,
  platform_requests integer not null default 0,
  spreadsheet_requests integer not null default 0,
  code text,
  detail jsonb,
  blocks jsonb not null default '[]',
  notes jsonb not null default '[]',
  partial boolean not null default false,
  -- Set when the finished table is stored: from then on every attempt writes these bytes.
  table_columns jsonb,
  table_rows integer,
  table_attempt integer,
  -- Where it was written: [startRow, startCol, endRow, endCol) and the hash of the header.
  written jsonb
);
-- A report has one run at a time, whoever asks for it and however often.
create unique index run_one_at_a_time on run (report) where status in ('queued', 'fetching', 'writing');
-- An occurrence is claimed once, however many schedulers there are.
create unique index run_occurrence on run (report, due_at) where due_at is not null;
create index run_report_queued on run (report, queued_at desc);
create index run_lease on run (lease_until) where status in ('fetching', 'writing');

-- A click on a report that is already queued or running joins that run, so a run can belong to several clicks.
create table execution_run (
  execution uuid not null references execution on delete cascade,
  run uuid not null references run on delete cascade,
  position integer not null,
  primary key (execution, run)
);
create index execution_run_run on execution_run (run);

-- The finished table in chunks of compressed JSON rows.
create table run_chunk (
  run uuid not null references run on delete cascade,
  -- Chunks appear one by one; they count only once the run's `table_attempt` names their attempt.
  attempt integer not null,
  seq integer not null,
  first_row integer not null,
  rows integer not null,
  bytes bytea not null,
  primary key (run, attempt, seq)
);

-- A request that may change a spreadsheet, noted before it is sent. One whose outcome is unknown can still land for three minutes.
create table spreadsheet_write (
  id bigint generated always as identity primary key,
  spreadsheet_id text not null,
  run uuid not null references run on delete cascade,
  attempt integer not null,
  started_at timestamptz not null,
  -- null: nobody knows whether it was applied.
  settled_at timestamptz
);
create index spreadsheet_write_open on spreadsheet_write (spreadsheet_id) where settled_at is null;

-- Writes to one spreadsheet never overlap: whoever holds this row may write.
create table spreadsheet_lease (
  spreadsheet_id text primary key,
  run uuid not null references run on delete cascade,
  attempt integer not null,
  until timestamptz not null
);

-- Paces and pauses that all workers keep together: one row per scope, for example `meta account 1010…` or `sheets write user …`.
create table quota (
  scope text primary key,
  -- The instant at which the next request would be exactly on pace; how far it lies ahead of now is how much of the burst is used.
  next_at timestamptz not null default now(),
  paused_until timestamptz
);

create table notification (
  id bigint generated always as identity primary key,
  user_id bigint not null references users on delete cascade,
  at timestamptz not null default now(),
  kind text not null,
  report bigint references report on delete cascade,
  run uuid references run on delete cascade,
  code text,
  read_at timestamptz
);
create index notification_user on notification (user_id, at desc);
