import { defineScript } from '@storekeep/common/redis'

/**
 * Counts one request in each of the keys, unless one of them is exhausted.
 *
 * A key is a hash of slot number → requests. A slot counts while any part of it lies within the window, so no window
 * exceeds the quota, whatever its start. A slot in the future, left from before the clock of Redis went back, is dropped:
 * it would otherwise count until that time comes again.
 *
 * KEYS: one per limit. ARGV: quota and window in ms of each, and how many requests the gateway granted without Redis, which
 * count from now on. Returns for each: granted (1 or 0), requests in the window
 * including this one, ms until the oldest slot leaves the window.
 */
export const slidingWindowScript = defineScript(`
local time = redis.call('TIME')
local now = time[1] * 1000 + math.floor(time[2] / 1000)
local windows, open = {}, 1
for i, key in ipairs(KEYS) do
  local width = math.max(1, math.floor(ARGV[3 * i - 1] / 60))
  local slot = math.floor(now / width)
  local used, oldest, stale = 0, slot, {}
  local fields = redis.call('HGETALL', key)
  for f = 1, #fields, 2 do
    local at = tonumber(fields[f])
    if at < slot - 60 or at > slot then
      stale[#stale + 1] = fields[f]
    else
      used = used + fields[f + 1]
      if at < oldest then oldest = at end
    end
  end
  local missed = tonumber(ARGV[3 * i] or 0)
  if missed > 0 then
    used = used + missed
    redis.call('HINCRBY', key, string.format('%.0f', slot), missed)
    redis.call('PEXPIRE', key, width * 61)
  end
  if used >= tonumber(ARGV[3 * i - 2]) then open = 0 end
  windows[i] = { width = width, slot = slot, used = used, oldest = oldest, stale = stale }
end
local result = {}
for i, key in ipairs(KEYS) do
  local w = windows[i]
  local quota = tonumber(ARGV[3 * i - 2])
  local granted = 0
  if w.used < quota then granted = 1 end
  if open == 1 then
    if #w.stale > 0 then redis.call('HDEL', key, unpack(w.stale)) end
    redis.call('HINCRBY', key, string.format('%.0f', w.slot), 1)
    redis.call('PEXPIRE', key, w.width * 61)
    w.used = w.used + 1
  end
  result[#result + 1] = granted
  result[#result + 1] = w.used
  result[#result + 1] = math.max(1, (w.oldest + 61) * w.width - now)
end
return result
`)
