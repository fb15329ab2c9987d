import { defineScript } from '@storekeep/common/redis'

/**
 * Counts each request in all of its counters atomically, or in none if any is exhausted.
 *
 * A counter is a hash of slot number → requests. A slot counts while any part of it lies within the window, so no window
 * exceeds the quota. What a lease grants is counted immediately, in the slot in which the lease ends: it may
 * be spent until then. A later slot, left from before the clock of Redis went back, is dropped: it would otherwise count
 * until that time comes again.
 *
 * KEYS: the counters. ARGV: the duration of a lease in ms. For each counter: quota; window in ms; requests that the gateway
 * granted without Redis, which count from now on; unspent part of the gateway's last lease, and the slot that it was
 * counted in. For each request: how many it counts; how many more to grant as a lease; number and indexes of its
 * counters. A count above one, or a lease, requires a single counter.
 *
 * Returns for each request how many were granted. A lease gets up to a tenth of what is left, so that unspent leases do
 * not exhaust a counter. Then for each of its counters: 0 if it was exhausted, otherwise 1; requests in the window
 * including these; ms until the oldest slot leaves the window; the slot of the lease.
 */
export const slidingWindowScript = defineScript(`
local time = redis.call('TIME')
local now = time[1] * 1000 + math.floor(time[2] / 1000)
local position = 0
local function arg()
  position = position + 1
  return tonumber(ARGV[position])
end
local function add(counter, slot, count)
  counter.used = counter.used + count
  counter.added[slot] = (counter.added[slot] or 0) + count
  counter.oldest = math.min(counter.oldest, slot)
end

local leaseMs = arg()
local counters = {}
for i, key in ipairs(KEYS) do
  local counter = { quota = arg(), used = 0, added = {}, stale = {} }
  local width = math.max(1, math.floor(arg() / 60))
  local missed = arg()
  local unspent = arg()
  local unspentSlot = arg()
  counter.width = width
  counter.slot = math.floor(now / width)
  counter.leaseSlot = math.floor((now + leaseMs) / width)
  counter.oldest = counter.slot
  local fields = redis.call('HGETALL', key)
  for f = 1, #fields, 2 do
    local slot, count = tonumber(fields[f]), tonumber(fields[f + 1])
    if slot < counter.slot - 60 or slot > counter.leaseSlot then
      counter.stale[#counter.stale + 1] = fields[f]
    else
      if slot == unspentSlot then
        local returned = math.min(unspent, count)
        counter.added[slot] = -returned
        count = count - returned
      end
      counter.used = counter.used + count
      if count > 0 then counter.oldest = math.min(counter.oldest, slot) end
    end
  end
  if missed > 0 then add(counter, counter.slot, missed) end
  counters[i] = counter
end

local result = {}
while position < #ARGV do
  local needed = arg()
  local spare = arg()
  local of, room = {}, math.huge
  for i = 1, arg() do
    of[i] = counters[arg()]
    room = math.min(room, of[i].quota - of[i].used)
  end
  local granted = math.max(0, math.min(needed, room))
  if granted == needed then granted = granted + math.min(spare, math.floor((room - needed) / 10)) end
  result[#result + 1] = granted
  for _, counter in ipairs(of) do
    result[#result + 1] = counter.used < counter.quota and 1 or 0
    if granted > 0 then add(counter, spare > 0 and counter.leaseSlot or counter.slot, granted) end
    result[#result + 1] = counter.used
    result[#result + 1] = math.max(1, (counter.oldest + 61) * counter.width - now)
    result[#result + 1] = counter.leaseSlot
  end
end

for i, key in ipairs(KEYS) do
  local counter = counters[i]
  local changed = false
  for slot, count in pairs(counter.added) do
    if count ~= 0 then
      redis.call('HINCRBY', key, string.format('%.0f', slot), string.format('%.0f', count))
      changed = true
    end
  end
  if changed then
    if #counter.stale > 0 then redis.call('HDEL', key, unpack(counter.stale)) end
    redis.call('PEXPIRE', key, counter.width * 62)
  end
end
return result
`)
