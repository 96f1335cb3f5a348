-- Undo as a run of its own, what a run went through, and what it changed.

alter table run
  -- Of an undo: the run whose table it writes back, chunks and all; never an undo itself.
  add column restores uuid references run on delete cascade,
  -- The phases it went through and the waits between them, over all attempts: see resources/runs/journal.ts.
  add column timeline jsonb not null default '[]',
  -- Over all attempts, by platform: requests, and milliseconds that a worker sat out for a quota.
  add column platform_calls jsonb not null default '{}',
  add column quota_wait_ms jsonb not null default '{}',
  -- What its table has that the one before it had not, once somebody has asked; both may be forgotten later.
  add column changes jsonb,
  drop constraint run_trigger_check,
  add constraint run_trigger_check check (trigger in ('click', 'schedule', 'retry', 'cli', 'undo')) not valid;
alter table run validate constraint run_trigger_check;
create index run_restores on run (restores) where restores is not null;
