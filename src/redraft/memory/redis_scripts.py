"""What runs inside the Redis server, each script one indivisible step. The store's docstring says which key holds what.

KEYS are always: the error's key, then its `worth`, `used`, `worked` and `shape`, then what the script names.
"""

from __future__ import annotations

__all__ = ["ADD", "COUNT", "FETCH", "FIND", "FORGET"]

_ROWS = """
local function rows(ids, most)
  local out = {}
  if #ids == 0 then return out end
  for _, id in ipairs(ids) do
    if redis.call('HSTRLEN', KEYS[1], id) > most then
      return redis.error_reply('TOOLARGE a value under ' .. KEYS[1] .. ' is no fix')
    end
  end
  local values = redis.call('HMGET', KEYS[1], unpack(ids))
  local uses, works = redis.call('HMGET', KEYS[3], unpack(ids)), redis.call('HMGET', KEYS[4], unpack(ids))
  for n, id in ipairs(ids) do
    local value = values[n]
    if value then
      local used, worked = tonumber(uses[n] or '0'), tonumber(works[n] or '0')
      if not used or not worked then
        return redis.error_reply('WRONGTYPE a count of ' .. KEYS[1] .. ' is no number')
      end
      out[#out + 1] = {id, value, used, worked}
    end
  end
  return out
end
"""

FIND = (
    _ROWS
    + """
local limit, seen, ids = tonumber(ARGV[1]), {}, {}
local function take(some)
  for _, id in ipairs(some) do
    if #ids < limit and not seen[id] then
      seen[id] = true
      ids[#ids + 1] = id
    end
  end
end
local share = math.ceil(limit / (#KEYS - 5))
for n = 6, #KEYS do take(redis.call('ZREVRANGEBYSCORE', KEYS[n], '+inf', '(-2', 'LIMIT', 0, share)) end
if #ids < limit then take(redis.call('ZREVRANGE', KEYS[2], 0, limit - 1)) end
return rows(ids, tonumber(ARGV[2]))
"""
)
"""KEYS[6] and on: `like` of each shape; limit, largest value. Trusted entries of the shapes, then the best of all."""

FETCH = (
    _ROWS
    + """
local ids = {}
for n = 2, #ARGV do ids[#ids + 1] = ARGV[n] end
return rows(ids, tonumber(ARGV[1]))
"""
)
"""Largest value, ids."""

_CLEAR = """
local function clear()
  for _, shape in ipairs(redis.call('HVALS', KEYS[5])) do
    redis.call('DEL', 'redraft:like:' .. shape .. ':' .. KEYS[1])
  end
  redis.call('DEL', KEYS[2], KEYS[3], KEYS[4], KEYS[5])
end
"""

ADD = (
    _CLEAR
    + """
if redis.call('HEXISTS', KEYS[1], ARGV[1]) == 1 then return 0 end
if redis.call('EXISTS', KEYS[1]) == 0 then clear() end
local used, worked = tonumber(ARGV[4]), tonumber(ARGV[5])
redis.call('SADD', KEYS[7], KEYS[1])
redis.call('HSET', KEYS[5], ARGV[1], ARGV[3])
redis.call('HSET', KEYS[3], ARGV[1], used)
redis.call('HSET', KEYS[4], ARGV[1], worked)
redis.call('ZADD', KEYS[2], 2 * worked - used, ARGV[1])
redis.call('ZADD', KEYS[6], 2 * worked - used, ARGV[1])
redis.call('HSET', KEYS[1], ARGV[1], ARGV[2])
return 1
"""
)
"""KEYS[6] `like`, KEYS[7] `keys`; id, value, shape, used, worked. 1 when it is new.

Where somebody deleted the key by hand, its indexes are cleared first. The value comes last: an index that turns out
to be another program's leaves no entry without counts.
"""

COUNT = """
if redis.call('HEXISTS', KEYS[1], ARGV[1]) == 0 then return 0 end
local change = ARGV[2] == '1' and 1 or -1
redis.call('HINCRBY', KEYS[3], ARGV[1], 1)
redis.call('HINCRBY', KEYS[4], ARGV[1], ARGV[2])
redis.call('ZINCRBY', KEYS[2], change, ARGV[1])
local shape = redis.call('HGET', KEYS[5], ARGV[1])
if shape then redis.call('ZINCRBY', 'redraft:like:' .. shape .. ':' .. KEYS[1], change, ARGV[1]) end
return 1
"""
"""Id, 1 if it worked."""

FORGET = (
    _CLEAR
    + """
if redis.call('SREM', KEYS[6], KEYS[1]) == 0 then return 0 end
local gone = redis.call('HLEN', KEYS[1])
clear()
redis.call('DEL', KEYS[1])
return gone
"""
)
"""KEYS[6] `keys`. How many entries there were; a key that is not ours stays."""
