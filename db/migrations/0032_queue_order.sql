-- no transaction
-- In this order workers claim the runs of their pool: clicks, then schedules; among those by round. Those that rest stand apart, so that nothing
-- that may not be claimed yet is walked over.
drop index concurrently if exists run_waiting;
create index concurrently run_waiting on run (is_large, (case when trigger = 'schedule' then 1 else 0 end), coalesce(round, 0), id)
  where status = 'queued' and resumes_at is null;
drop index concurrently if exists run_resting;
create index concurrently run_resting on run (is_large, (case when trigger = 'schedule' then 1 else 0 end), resumes_at)
  where status = 'queued' and resumes_at is not null;
