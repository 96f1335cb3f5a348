-- Of a line: how many turns it has a minute, for those who want to know when theirs will come.
alter table quota add column per_minute real;
-- The latest runs, whoever's they are: how long a run takes.
create index run_finished on run (finished_at desc) where finished_at is not null;
