-- How often in a row a process has died with the run in hand while whoever had started it lived on: out of memory, most likely. A lease that is lost
-- otherwise (a machine that stops, a deploy, a kill) says nothing about the run.
alter table run add column worker_deaths integer not null default 0;
