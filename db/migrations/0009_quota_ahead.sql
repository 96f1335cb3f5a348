-- How far `next_at` may lie ahead while requests are still let through at once (the burst); what lies beyond is a wait.
alter table quota add column ahead_ms integer not null default 0;
