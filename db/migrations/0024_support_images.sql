-- The picture that somebody sent along with an issue; beside the issue, so that lists do not read it.
create table support_image (
  issue bigint primary key references support_issue on delete cascade,
  -- Told by content when it came.
  type text not null check (type in ('image/png', 'image/jpeg', 'image/gif', 'image/webp')),
  width integer not null check (width > 0),
  height integer not null check (height > 0),
  bytes bytea not null check (length(bytes) between 1 and 5242880)
);
