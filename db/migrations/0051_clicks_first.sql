-- Until then the background lets clicks go first at this quota.
alter table quota add column urgent_until timestamptz;
