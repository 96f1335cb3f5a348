-- Slots of a quota are acquired, and released, by one statement (admission/slots.ts). They are functions since
-- what is read after the lock must see what its previous holder has written, which one query does not.

/* Locks a quota until the transaction ends, and removes holders that are gone; returns whether it is paused. */
create function lock_slots(quota_key text) returns boolean language plpgsql as $$
declare
  is_paused boolean;
begin
  select coalesce(paused_until > clock_timestamp(), false) into is_paused from quota where scope = quota_key for update;
  if not found then
    insert into quota as q (scope) values (quota_key) on conflict (scope) do update set scope = excluded.scope
    returning coalesce(q.paused_until > clock_timestamp(), false) into is_paused;
  end if;
  -- A run that was woken and did not come keeps its position: it may be waiting for another quota.
  update quota_slot set state = 'waiting', until = clock_timestamp() + interval '30 min'
  where scope = quota_key and state = 'woken' and until < clock_timestamp();
  delete from quota_slot where scope = quota_key and until < clock_timestamp();
  return is_paused;
end $$;

/* Reserves the free slots for the first runs of the waitlist: a run that is woken continues within seconds. */
create function wake_next(quota_key text, most integer) returns uuid[] language sql as $$
  with next as (
    select holder, nth from quota_slot where scope = quota_key and state = 'waiting'
    order by is_urgent desc, since
    limit greatest(0, most - (select count(*) from quota_slot where scope = quota_key and state <> 'waiting'))
  ), woken as (
    update quota_slot set state = 'woken', until = clock_timestamp() + interval '20 s' from next
    where scope = quota_key and quota_slot.holder = next.holder and quota_slot.nth = next.nth
    returning quota_slot.holder
  )
  select coalesce(array_agg(holder), '{}') from woken
$$;

/*
 * Acquires slots of these numbers, as many in their order as there are; a run without any joins the waitlist.
 * Nothing happens while `pause_key` is paused for longer than `longest_pause_ms`.
 */
create function acquire_slots(
  quota_key text, most integer, claimant uuid, claimant_process uuid, numbers smallint[], kind text, urgent boolean, lease_ms integer,
  pause_key text, longest_pause_ms integer,
  out taken smallint[], out ahead integer, out woken uuid[], out pause_ms float8
) language plpgsql as $$
declare
  is_paused boolean;
  number smallint;
  others record;
  may_hold boolean;
begin
  taken := '{}';
  woken := '{}';
  ahead := 0;
  select greatest(0, extract(epoch from paused_until - clock_timestamp()) * 1000) into pause_ms from quota where scope = pause_key;
  if pause_ms > longest_pause_ms then
    return;
  end if;
  is_paused := lock_slots(quota_key);
  foreach number in array numbers loop
    with mine as (
      select state, since from quota_slot where scope = quota_key and holder = claimant and nth = number
    )
    select most - count(*) filter (where state <> 'waiting') as free,
      count(*) filter (where state = 'waiting') as waiting,
      count(*) filter (where state = 'waiting' and (
        is_urgent and not urgent
        or is_urgent = urgent and since < coalesce((select mine.since from mine), 'infinity')
      )) as ahead,
      coalesce((select mine.state = 'woken' from mine), false) as is_woken
    into others from quota_slot where scope = quota_key and (holder, nth) <> (claimant, number);
    ahead := others.ahead;
    may_hold := case
      when others.is_woken then true
      -- Further slots, and those of the background, only while nobody waits.
      when number > 0 or kind = 'background' then others.free > 0 and others.waiting = 0
      when kind = 'run' then others.free > others.ahead
      -- A person's request takes one slot more than the limit.
      else others.free > -1
    end;
    if may_hold then
      insert into quota_slot (scope, holder, nth, state, held_by, is_urgent, until)
      values (quota_key, claimant, number, 'held', claimant_process, urgent, clock_timestamp() + lease_ms * interval '1 ms')
      on conflict (scope, holder, nth) do update set state = 'held', held_by = excluded.held_by, until = excluded.until;
      taken := taken || number;
    else
      if kind = 'run' and number = 0 then
        insert into quota_slot (scope, holder, nth, state, is_urgent, until)
        values (quota_key, claimant, number, 'waiting', urgent, clock_timestamp() + interval '30 min')
        on conflict (scope, holder, nth) do update set state = 'waiting', held_by = null, until = excluded.until;
      end if;
      exit;
    end if;
  end loop;
  if kind = 'run' and not is_paused then
    woken := wake_next(quota_key, most);
  end if;
end $$;

/* Releases slots, and with `leaves` the waitlists of all quotas; returns the runs that are to be woken. */
create function release_slots(
  quota_key text, most integer, claimant uuid, claimant_process uuid, numbers smallint[], wakes boolean, leaves boolean
) returns uuid[] language plpgsql as $$
declare
  is_paused boolean := lock_slots(quota_key);
begin
  if leaves then
    delete from quota_slot where holder = claimant and state <> 'held';
  end if;
  delete from quota_slot
  where scope = quota_key and holder = claimant and nth = any(numbers) and held_by = claimant_process;
  if is_paused or not wakes then
    return '{}';
  end if;
  return wake_next(quota_key, most);
end $$;
